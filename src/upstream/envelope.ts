import { z } from 'zod'
import { sanitizeRemoteMessage } from './remote-message.ts'
import { UpstreamError, serviceErrorCodes, type UpstreamErrorKind } from './upstream-error.ts'
import type { Answer } from './connection.ts'

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
  /** Added by the call for a single sign-up sheet. */
  sheet: z.unknown().optional(),
})

/** One page of a data endpoint. */
export type Page = z.infer<typeof pageSchema>

/** Returns the envelope of a data endpoint; throws the error that the response stands for. */
export function pageFrom(answer: Answer, endpoint: string): Page {
  const page = bodyOf(answer, endpoint, pageSchema)
  if (page.endpoint !== endpoint) {
    throw new UpstreamError(
      'unexpected_answer',
      `${endpoint}: the response is from another endpoint`,
    )
  }
  return page
}

export function accessTokenFrom(answer: Answer): { token: string; lifetimeMs: number } {
  const body = bodyOf(answer, 'token request', tokenSchema)
  return { token: body.access_token, lifetimeMs: body.expires_in * 1000 }
}

function bodyOf<T>(answer: Answer, endpoint: string, schema: z.ZodType<T>): T {
  if (answer.status !== 200) throw errorFrom(answer, endpoint)
  const result = schema.safeParse(answer.body)
  if (result.success) return result.data
  const where = result.error.issues[0]?.path.join('.') || 'body'
  const message = `${endpoint}: not a response of the service (${where})`
  throw new UpstreamError('unexpected_answer', message, originOf(answer))
}

function errorFrom(answer: Answer, endpoint: string): UpstreamError {
  const { status, retryAfterMs } = answer
  const { data } = failureSchema.safeParse(answer.body)
  if (data) {
    const { code, message: remoteMessage } = data
    return new UpstreamError(code, `${endpoint}: ${status} ${code}`, {
      retryAfterMs,
      remoteMessage,
    })
  }
  const kind = kindOf(status)
  const message = `${endpoint}: status ${status} without an error code`
  // While the website is down, a proxy's error page gives no further detail.
  const origin = kind === 'unexpected_answer' ? originOf(answer) : {}
  return new UpstreamError(kind, message, { retryAfterMs, ...origin })
}

/** Describes a response that is not from the service. */
function originOf({ status, location, pageTitle }: Answer) {
  if (location !== undefined && status >= 300 && status < 400) {
    return { reason: 'redirect', remoteMessage: sanitizeRemoteMessage(placeOf(location)) } as const
  }
  return pageTitle === undefined ? {} : ({ reason: 'web page', remoteMessage: pageTitle } as const)
}

/** Without the query, which may hold secrets. */
function placeOf(location: string): string {
  return location.replace(/[?#].*$/s, '')
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
