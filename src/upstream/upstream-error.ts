/** Error codes from the "Errors" section of the specification. */
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
  /** No connection was established, so the call was never sent. */
  'unreachable',
  /** The site has no TLS or an untrusted certificate, so the call was never sent. */
  'tls',
  /** The connection was lost before the response was complete. */
  'interrupted',
  'timeout',
  /** A proxy responded instead of the service, with 502, 503 or similar and no error code. */
  'unavailable',
  'body_too_large',
  /** The response does not match the specification, such as one that is not JSON. */
  'unexpected_answer',
  /** The call was not sent, because it would exceed the call budget. */
  'budget_spent',
  /** No token was requested, because too many failed requests would block the IP address. */
  'token_requests_paused',
  /** The call was not sent, because reading this website has crashed the process several times. */
  'reading_paused',
] as const

export type UpstreamErrorKind = (typeof upstreamErrorKinds)[number]

export type FaultReason = ConnectionFaultReason | 'web page' | 'redirect'

export type ConnectionFaultReason =
  | 'name unknown'
  | 'name server'
  | 'refused'
  | 'no route'
  | 'no answer'
  | 'certificate expired'
  | 'certificate not yet valid'
  | 'certificate self-signed'
  | 'certificate from an unknown authority'
  | 'certificate of another host'
  | 'no TLS'

/** A failed call to the data service. The message never contains a token. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  readonly kind: UpstreamErrorKind
  readonly retryAfterMs: number | undefined
  readonly reason: FaultReason | undefined
  /** Message from the other server, for display only. */
  readonly remoteMessage: string | undefined

  constructor(
    kind: UpstreamErrorKind,
    message: string,
    options: Partial<
      Pick<UpstreamError, 'retryAfterMs' | 'reason' | 'remoteMessage' | 'cause'>
    > = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs
    this.reason = options.reason
    this.remoteMessage = options.remoteMessage
  }
}

/** Returns true if the service cannot have received the call. */
export function isNeverSent(error: unknown): boolean {
  return error instanceof UpstreamError && ['unreachable', 'tls'].includes(error.kind)
}
