/** The specification's error codes, section "Errors". */
export const serviceErrorCodes = [
  'invalid_parameter',
  'token_missing',
  'token_invalid',
  'token_expired',
  'refresh_token_supplied',
  'api_disabled',
  'https_required',
  'project_disabled',
  'refresh_expired',
  'ip_not_allowed',
  'endpoint_not_allowed',
  'not_found',
  'unknown_endpoint',
  'method_not_allowed',
  'rate_limited',
  'too_many_failures',
  'server_error',
] as const

export const upstreamErrorKinds = [
  ...serviceErrorCodes,
  /** No connection could be made: the call was never sent. */
  'unreachable',
  /** The site's certificate is not trusted, or no TLS at all: the call was never sent. */
  'tls',
  /** The connection broke before the answer was whole. */
  'interrupted',
  'timeout',
  /** What stands before the service answers for it: 502, 503 and their like without a code. */
  'unavailable',
  'body_too_large',
  /** The answer is not the specification's: not JSON, another envelope, an unknown status. */
  'unexpected_answer',
  /** The call was not sent: Feedhouse's own budget has no room for it now. */
  'budget_spent',
] as const

export type UpstreamErrorKind = (typeof upstreamErrorKinds)[number]

/** What is behind a kind, where that says who has to do what. */
export type FaultReason = ConnectionFaultReason | 'web page' | 'redirect'

/** The cause of a failed connection, where it decides who can fix it. */
export type ConnectionFaultReason =
  | 'name unknown'
  | 'name server'
  | 'refused'
  | 'no route'
  | 'no answer'
  | 'certificate expired'
  | 'certificate not yet valid'
  | 'certificate self-signed'
  | 'certificate of an unknown authority'
  | 'certificate of another host'
  | 'no TLS'

/** A call to the data service that brought no data. The message never holds a token. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  readonly kind: UpstreamErrorKind
  readonly retryAfterMs: number | undefined
  readonly reason: FaultReason | undefined
  /** What the other side says of it, in its own words: for people, never to decide by. */
  readonly remoteMessage: string | undefined

  constructor(
    kind: UpstreamErrorKind,
    message: string,
    options: {
      readonly retryAfterMs?: number | undefined
      readonly reason?: FaultReason | undefined
      readonly remoteMessage?: string | undefined
      readonly cause?: unknown
    } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs
    this.reason = options.reason
    this.remoteMessage = options.remoteMessage
  }
}

/** Whether the service cannot have seen the call. */
export function isNeverSent(error: unknown): boolean {
  return error instanceof UpstreamError && ['unreachable', 'tls'].includes(error.kind)
}
