import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import { ApiError } from './api-error.ts'
import type { Credentials } from './credentials.ts'
import { endpoints, type Endpoint } from './endpoints.ts'
import type { createLockout, createThrottle } from './limits.ts'
import { parametersFrom } from './parameters.ts'
import type { SampleSite } from './sample/sample-site.ts'
import { siteDateTime, siteToday } from './site-dates.ts'

export type ApplicationOptions = {
  readonly domain: string
  readonly timeZone: string
  readonly now: () => number
  /** The website's records on a day. */
  readonly siteOn: (today: string) => SampleSite
  readonly credentials: Credentials
  readonly throttle: ReturnType<typeof createThrottle>
  readonly lockout: ReturnType<typeof createLockout>
  readonly apiEnabled: boolean
  /** Told of what becomes a `server_error`. */
  readonly report: (error: unknown) => void
}

/**
 * The data service over HTTPS. A call is checked in this order: path, method, address, service,
 * token, throttle, parameters, record.
 */
export function createServiceApplication(options: ApplicationOptions): Express {
  const application = bareApplication()
  application.all('/apps/api/refresh/', allow('POST'), allowCaller(options), refresh(options))
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = `/apps/api/${name}/`
    application.all(path, allow('GET'), allowCaller(options), data(name, endpoint, options))
  }
  application.use(unknownEndpoint)
  application.use(failure(options.report))
  return application
}

/** The listener without TLS refuses everything. */
export function createPlainApplication({ report }: Pick<ApplicationOptions, 'report'>): Express {
  const application = bareApplication()
  application.use(() => {
    throw new ApiError('https_required')
  })
  application.use(failure(report))
  return application
}

function bareApplication(): Express {
  const application = express()
  application.disable('x-powered-by')
  application.disable('etag')
  application.enable('strict routing')
  application.enable('case sensitive routing')
  application.set('query parser', false)
  return application
}

function allow(method: string): RequestHandler {
  return (request, response, next) => {
    if (request.method === method) return next()
    response.set('Allow', method)
    throw new ApiError('method_not_allowed')
  }
}

function allowCaller({ lockout, apiEnabled }: ApplicationOptions): RequestHandler {
  return (request, _response, next) => {
    lockout.check(request.ip ?? '')
    if (!apiEnabled) throw new ApiError('api_disabled')
    next()
  }
}

function refresh(options: ApplicationOptions): RequestHandler {
  const { credentials, lockout, throttle, domain, timeZone } = options
  const projectOf = (authorization: string | undefined, address: string) => {
    try {
      return credentials.projectOfRefreshToken(authorization)
    } catch (error) {
      lockout.countFailure(address)
      throw error
    }
  }
  return (request, response) => {
    const project = projectOf(request.headers.authorization, request.ip ?? '')
    throttle.take(project.id)
    const { token, expiresAt } = credentials.issueAccessToken(project)
    response.json({
      status: 200,
      endpoint: 'refresh',
      domain,
      project: project.name,
      token_type: 'Bearer',
      access_token: token,
      expires_in: Math.round((expiresAt - options.now()) / 1000),
      access_token_expire: siteDateTime(expiresAt, timeZone),
    })
  }
}

function data(name: string, endpoint: Endpoint, options: ApplicationOptions): RequestHandler {
  const { credentials, throttle, siteOn, domain, timeZone } = options
  return (request, response) => {
    throttle.take(credentials.projectOfAccessToken(request.headers.authorization).id)
    const parameters = parametersFrom(new URL(request.url, 'https://localhost').searchParams)
    const { startRow, maxRows } = parameters.page()
    const today = siteToday(options.now(), timeZone)
    const moment = { today, now: siteDateTime(options.now(), timeZone) }
    const { items, extra } = endpoint(siteOn(today), parameters, moment)
    const rows = items.slice(startRow - 1, startRow - 1 + maxRows)
    response.json({
      status: 200,
      endpoint: name,
      domain,
      generated: moment.now,
      startRow,
      maxRows,
      count: rows.length,
      totalCount: items.length,
      ...extra,
      items: rows,
    })
  }
}

const unknownEndpoint: RequestHandler = () => {
  throw new ApiError('unknown_endpoint')
}

function failure(report: ApplicationOptions['report']): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) return next(error)
    const apiError = apiErrorFrom(error)
    if (apiError.code === 'server_error') report(error)
    if (apiError.retryAfterSeconds !== undefined) {
      response.set('Retry-After', String(apiError.retryAfterSeconds))
    }
    response.status(apiError.status).json(apiError)
  }
}

/** A path that cannot be decoded is a path that is no endpoint. */
function apiErrorFrom(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError(error instanceof URIError ? 'unknown_endpoint' : 'server_error')
}
