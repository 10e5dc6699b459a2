import { createAccess, type AccessOptions, type Bearer } from './access.ts'
import { ApiError } from './api-error.ts'
import { parametersFrom } from './parameters.ts'
import { mayCallFrom } from './project-settings.ts'
import {
  isResourceName,
  selectionOf,
  type Dataset,
  type ResourceName,
} from './resources/resources.ts'
import { siteDateTime } from './site-dates.ts'
import type { CallLog, LoggedCall } from './state/call-log.ts'
import type { Project } from './state/projects.ts'
import type { Throttle } from './state/throttle.ts'

export type Call = {
  readonly isSecure: boolean
  readonly method: string
  /** Path as received. */
  readonly path: string
  /** Query string without the question mark. */
  readonly query: string
  /** Values of all Authorization headers. */
  readonly authorization: readonly string[]
  readonly address: string
}

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

export type DataServiceOptions = AccessOptions & {
  /** Origin of the website. */
  readonly url: string
  readonly timeZone: string
  readonly apiEnabled: boolean
  /** Returns the website's records for a day. */
  readonly datasetOn: (today: string) => Dataset
  readonly throttle: Throttle
  readonly callLog: CallLog
  /** Reports an error that causes a `server_error` response. */
  readonly report: (error: unknown) => void
}

export type DataService = {
  readonly answer: (call: Call) => Answer
  /** Logs a request that is not a valid call, and returns an error response. */
  readonly refuse: (error: unknown, address: string) => Answer
}

type Endpoint = ResourceName | 'refresh'

/** Creates the data service described in the specification, which responds to calls and logs them. */
export function createDataService(options: DataServiceOptions): DataService {
  const { now, url, timeZone, tokens, lockout, throttle, callLog } = options
  const access = createAccess(options)
  const domain = new URL(url).hostname

  /** Checks a call in the order documented in docs/sandbox.md, and returns the response body. */
  function bodyFor(call: Call, endpoint: Endpoint | undefined, bearer: Bearer): object {
    if (!call.isSecure) throw new ApiError('https_required')
    if (endpoint === undefined) throw new ApiError('unknown_endpoint')
    const isTokenRequest = endpoint === 'refresh'
    requireMethod(call.method, isTokenRequest ? 'POST' : 'GET')
    if (lockout.isBlocked(call.address)) throw new ApiError('too_many_failures')
    if (!options.apiEnabled) throw new ApiError('api_disabled')
    const project = isTokenRequest
      ? access.projectOfTokenRequest(bearer, call.address)
      : access.projectOfDataRequest(bearer)
    if (project.status === 'Disabled') throw new ApiError('project_disabled')
    if (!mayCallFrom(project, call.address)) throw new ApiError('ip_not_allowed')
    if (!mayRead(project, endpoint)) throw new ApiError('endpoint_not_allowed')
    takeCall(project)
    return endpoint === 'refresh' ? tokenBody(project) : dataBody(endpoint, call.query)
  }

  function takeCall({ id }: Project): void {
    const taking = throttle.take(id)
    if (taking.ok) return
    const seconds = Math.ceil(taking.retryAfterMs / 1000)
    throw new ApiError('rate_limited', { headers: { 'Retry-After': String(seconds) } })
  }

  function tokenBody(project: Project): object {
    const expiresAt = now() + options.accessTokenSeconds * 1000
    return {
      status: 200,
      endpoint: 'refresh',
      domain,
      project: project.name,
      token_type: 'Bearer',
      access_token: tokens.issueAccessToken(project.id),
      expires_in: options.accessTokenSeconds,
      access_token_expire: siteDateTime(expiresAt, timeZone),
    }
  }

  function dataBody(name: ResourceName, query: string): object {
    const parameters = parametersFrom(query)
    const { startRow, maxRows } = parameters.page()
    const generated = siteDateTime(now(), timeZone)
    const today = generated.slice(0, 10)
    const site = { url, today, now: generated }
    const { items, extra } = selectionOf(name, options.datasetOn(today), parameters, site)
    const rows = items.slice(startRow - 1, startRow - 1 + maxRows)
    return {
      status: 200,
      endpoint: name,
      domain,
      generated,
      startRow,
      maxRows,
      count: rows.length,
      totalCount: items.length,
      ...extra,
      items: rows,
    }
  }

  function failure(error: unknown, call: Omit<LoggedCall, 'status' | 'code'>): Answer {
    const apiError = error instanceof ApiError ? error : new ApiError('server_error')
    if (apiError !== error) options.report(error)
    const { status, code, headers } = apiError
    log({ ...call, status, code })
    return { status, headers, body: apiError.toJSON() }
  }

  /** Logs a call. If logging fails, reports the error instead of failing the call. */
  function log(call: LoggedCall): void {
    try {
      callLog.add(call)
    } catch (error) {
      options.report(error)
    }
  }

  return {
    answer(call) {
      const endpoint = endpointOf(call.path)
      let bearer: Bearer | undefined
      const logged = () => ({
        projectId: bearer?.grant?.projectId,
        endpoint: endpoint ?? '',
        address: call.address,
      })
      try {
        bearer = access.bearerFrom(call.authorization)
        const body = bodyFor(call, endpoint, bearer)
        log({ ...logged(), status: 200, code: '' })
        return { status: 200, headers: {}, body }
      } catch (error) {
        return failure(error, logged())
      }
    },
    refuse: (error, address) => failure(error, { projectId: undefined, endpoint: '', address }),
  }
}

function endpointOf(path: string): Endpoint | undefined {
  const name = /^\/apps\/api\/([a-z]+)\/$/.exec(path)?.[1] ?? ''
  return name === 'refresh' || isResourceName(name) ? name : undefined
}

function requireMethod(method: string, allowed: string): void {
  if (method !== allowed) throw new ApiError('method_not_allowed', { headers: { Allow: allowed } })
}

function mayRead({ endpoints }: Project, endpoint: Endpoint): boolean {
  return endpoint === 'refresh' || endpoints === 'all' || endpoints.includes(endpoint)
}
