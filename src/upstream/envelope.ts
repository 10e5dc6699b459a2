import { z } from 'zod'
import { sanitizeRemoteMessage } from './remote-message.ts'
import { UpstreamError, serviceErrorCodes, type UpstreamErrorKind } from './upstream-error.ts'
import type { UpstreamResponse } from './connection.ts'

const failureSchema = z.object({
  code: z.enum(serviceErrorCodes),
  message: z.unknown().transform(sanitizeRemoteMessage),
})

const tokenSchema = z.object({
  endpoint: z.literal('refresh'),
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
})

const count = z.coerce.number().int().nonnegative()

const pageSchema = z.object({
  endpoint: z.string(),
  domain: z.string().catch(''),
  generated: z.string().catch(''),
  startRow: count.pipe(z.number().positive()),
  totalCount: count,
  items: z.array(z.unknown()),
  /** Present in responses about a single sign-up sheet. */
  sheet: z.unknown().optional(),
  /** Present in responses with the records of a custom database. */
  fields: z.unknown().optional(),
})

export type Page = z.infer<typeof pageSchema> & Pick<UpstreamResponse, 'bodyHash'>

/** Returns the envelope of a response. Throws an `UpstreamError` if there is none. */
export function pageFrom(response: UpstreamResponse, endpoint: string): Page {
  const page = bodyOf(response, endpoint, pageSchema)
  if (page.endpoint === endpoint) return { ...page, bodyHash: response.bodyHash }
  const message = `${endpoint}: the response is from another endpoint`
  throw new UpstreamError('unexpected_answer', message)
}

export function accessTokenFrom(response: UpstreamResponse): { token: string; lifetimeMs: number } {
  const body = bodyOf(response, 'token request', tokenSchema)
  return { token: body.access_token, lifetimeMs: body.expires_in * 1000 }
}

function bodyOf<T>(response: UpstreamResponse, endpoint: string, schema: z.ZodType<T>): T {
  if (response.status !== 200) throw errorFrom(response, endpoint)
  const result = schema.safeParse(response.body)
  if (result.success) return result.data
  const where = result.error.issues[0]?.path.join('.') || 'body'
  const message = `${endpoint}: not a response from the service (${where})`
  throw new UpstreamError('unexpected_answer', message, originOf(response))
}

function errorFrom(response: UpstreamResponse, endpoint: string): UpstreamError {
  const { status, retryAfterMs } = response
  const { data } = failureSchema.safeParse(response.body)
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
