import { z } from 'zod'
import { propertiesOf, propertyOf } from '../records/named-properties.ts'
import { sanitizeRemoteMessage } from './remote-message.ts'
import { UpstreamError, serviceErrorCodes, type UpstreamErrorKind } from './upstream-error.ts'
import type { UpstreamResponse } from './connection.ts'

const failureSchema = z.object({
  code: z.enum(serviceErrorCodes),
  message: z.unknown().transform(sanitizeRemoteMessage),
})

/** Lifetime in the specification, for websites that send only the time at which the token expires. */
const usualLifetimeSeconds = 86_400

const seconds = z.coerce.number().positive()

const tokenSchema = z
  .object({
    endpoint: z.string().toLowerCase().pipe(z.literal('refresh')),
    access_token: z.string().min(1),
    expires_in: z.unknown().optional(),
    access_token_expire: z.string().catch(''),
  })
  .transform(({ access_token: token, expires_in: lifetime, access_token_expire: end }, context) => {
    const { data = end.trim() === '' ? undefined : usualLifetimeSeconds } =
      seconds.safeParse(lifetime)
    if (data === undefined) context.addIssue({ code: 'custom', path: ['expires_in'] })
    return { token, lifetimeSeconds: data ?? 0 }
  })

const tokenNames = ['endpoint', 'access_token', 'expires_in', 'access_token_expire']

const count = z.coerce.number().int().nonnegative()

/** A longer time is ignored, because it would be stored with each reading. */
const maxTimeLength = 100

const pageSchema = z.object({
  endpoint: z.string(),
  domain: z.string().catch(''),
  generated: z.string().max(maxTimeLength).catch(''),
  startRow: count.pipe(z.number().positive()),
  totalCount: count,
  /** Some websites write null or an empty string for none. */
  items: z.preprocess(
    (items) => (items === null || items === '' ? [] : items),
    z.array(z.unknown()),
  ),
  /** Present in responses about a single sign-up sheet. */
  sheet: z.unknown().optional(),
  /** Present in responses with the records of a custom database. */
  fields: z.unknown().optional(),
})

export type Page = z.infer<typeof pageSchema>

/** Returns the envelope of a response. Throws an `UpstreamError` if there is none. */
export function pageFrom(response: UpstreamResponse, endpoint: string): Page {
  const page = bodyOf(response, endpoint, pageSchema, Object.keys(pageSchema.shape))
  if (page.endpoint.toLowerCase() === endpoint) return page
  const detail = `${endpoint}: the response is from another endpoint`
  throw new UpstreamError('unexpected_answer', detail, { detail })
}

export function accessTokenFrom(response: UpstreamResponse): { token: string; lifetimeMs: number } {
  const { token, lifetimeSeconds } = bodyOf(response, 'token request', tokenSchema, tokenNames)
  return { token, lifetimeMs: lifetimeSeconds * 1000 }
}

function bodyOf<T>(
  response: UpstreamResponse,
  endpoint: string,
  schema: z.ZodType<T>,
  names: readonly string[],
): T {
  const { status, body } = response
  if (status !== 200) throw errorFrom(response, endpoint)
  const result = schema.safeParse(propertiesOf(body, names))
  if (result.success) return result.data
  const name = String(result.error.issues[0]?.path[0] ?? 'body')
  const message = `${endpoint}: not a response from the service (${name})`
  const isApi = typeof propertyOf(body, 'endpoint') === 'string'
  const fault = propertyOf(body, name) === undefined ? 'missing' : 'invalid'
  const origin = isApi ? { detail: `${endpoint}: ${name} is ${fault}` } : originOf(response)
  throw new UpstreamError('unexpected_answer', message, origin)
}

function errorFrom(response: UpstreamResponse, endpoint: string): UpstreamError {
  const { status, retryAfterMs } = response
  const names = Object.keys(failureSchema.shape)
  const { data } = failureSchema.safeParse(propertiesOf(response.body, names))
  if (data) {
    const options = { retryAfterMs, remoteMessage: data.message }
    return new UpstreamError(data.code, `${endpoint}: status ${status}`, options)
  }
  const kind = kindOf(status)
  const message = `${endpoint}: status ${status} without an error code`
  // A proxy's error page does not explain the cause, so it is not described.
  const origin = kind === 'unexpected_answer' ? originOf(response) : {}
  return new UpstreamError(kind, message, { retryAfterMs, ...origin })
}

function originOf({ status, location, pageTitle }: UpstreamResponse) {
  if (location !== undefined && status >= 300 && status < 400) {
    // The query and the fragment may contain secrets.
    const place = location.replace(/[?#].*$/s, '')
    return { reason: 'redirect', remoteMessage: sanitizeRemoteMessage(place) } as const
  }
  return pageTitle === undefined ? {} : ({ reason: 'web page', remoteMessage: pageTitle } as const)
}

function kindOf(status: number): UpstreamErrorKind {
  if (status === 429) return 'rate_limited'
  return status >= 500 ? 'unavailable' : 'unexpected_answer'
}

/** Returns true if the response is from the configured website, with or without `www.`. */
export function isDomainOf(domain: string, siteUrl: string): boolean {
  return domain === '' || withoutWww(domain) === withoutWww(new URL(siteUrl).hostname)
}

function withoutWww(host: string): string {
  return host.toLowerCase().replace(/^www\./, '')
}
