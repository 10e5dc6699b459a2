import { minuteMs } from '../clock.ts'

const secondMs = 1000

/** How to retry after a failure. A longer Retry-After from the service takes precedence. */
export type RetryPolicy = {
  /** Pauses calls to the whole site, or only to the endpoint that failed. */
  readonly concerns: 'site' | 'endpoint'
  /** Delay after the first failure. Doubles with each consecutive failure. */
  readonly initialMs: number
  readonly maxMs: number
  /** What the website rejects, if that prevents all reads until somebody corrects it. */
  readonly rejects?: 'token' | 'address' | 'project'
}

/** Failures that resolve themselves. They are retried soon, but within the daily budget. */
const transient: RetryPolicy = { concerns: 'site', initialMs: 10 * secondMs, maxMs: minuteMs }
/** Failures that require action in the Members Area or in the settings. */
const operatorAction = sitePause(15 * minuteMs)
const tokenRejected: RetryPolicy = { ...operatorAction, rejects: 'token' }
const projectRejected: RetryPolicy = { ...operatorAction, rejects: 'project' }
const permission: RetryPolicy = { ...operatorAction, concerns: 'endpoint' }

function sitePause(initialMs: number, maxMs = initialMs): RetryPolicy {
  return { concerns: 'site', initialMs, maxMs }
}

/** Error codes from the "Errors" section of the specification. */
const servicePolicies = {
  invalid_parameter: permission,
  token_missing: tokenRejected,
  token_invalid: tokenRejected,
  token_expired: tokenRejected,
  refresh_token_supplied: tokenRejected,
  api_disabled: projectRejected,
  https_required: projectRejected,
  project_disabled: projectRejected,
  refresh_expired: tokenRejected,
  ip_not_allowed: { ...operatorAction, rejects: 'address' },
  endpoint_not_allowed: permission,
  not_found: permission,
  unknown_endpoint: permission,
  method_not_allowed: permission,
  rate_limited: sitePause(minuteMs, 15 * minuteMs),
  too_many_failures: { ...sitePause(60 * minuteMs), rejects: 'token' },
  server_error: transient,
} satisfies Readonly<Record<string, RetryPolicy>>

const policies = {
  ...servicePolicies,
  /** No connection was established, so the call was never sent. */
  unreachable: transient,
  /** The site has no TLS or an untrusted certificate, so the call was never sent. */
  tls: transient,
  /** The connection was lost before the response was complete. */
  interrupted: transient,
  timeout: transient,
  /** A proxy responded instead of the service, with 502, 503 or similar and no error code. */
  unavailable: transient,
  /** A response is too large, even with a single record. */
  body_too_large: permission,
  /** The responses of a collection are too large together. */
  collection_too_large: permission,
  /** The response does not match the specification, such as one that is not JSON. */
  unexpected_answer: transient,
  /** The call was not sent, because it would exceed the call budget. */
  budget_spent: { ...transient, concerns: 'endpoint' },
  /** No token was requested, because too many failed requests would block the IP address. */
  token_requests_paused: { ...sitePause(minuteMs), rejects: 'token' },
  /** The call was not sent, because reading this website has crashed the process several times. */
  reading_paused: sitePause(minuteMs),
} satisfies Readonly<Record<string, RetryPolicy>>

export type UpstreamErrorKind = keyof typeof policies

export const serviceErrorCodes = Object.keys(servicePolicies) as (keyof typeof servicePolicies)[]

export const upstreamErrorKinds = Object.keys(policies) as UpstreamErrorKind[]

export function retryPolicyFor(kind: UpstreamErrorKind): RetryPolicy {
  return policies[kind]
}

/** Returns true for failures to get any useful response, which resolve themselves. */
export function isTransient(kind: UpstreamErrorKind | undefined): boolean {
  // `budget_spent` has the same delays, but a policy of its own.
  return kind !== undefined && policies[kind] === transient
}

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
  /** What is wrong with a response of the API, in words for people. */
  readonly detail: string | undefined
  /** Id of the first record in a response that is too large. */
  readonly recordId: string | undefined

  constructor(
    kind: UpstreamErrorKind,
    message: string,
    options: Partial<
      Pick<
        UpstreamError,
        'retryAfterMs' | 'reason' | 'remoteMessage' | 'detail' | 'recordId' | 'cause'
      >
    > = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs
    this.reason = options.reason
    this.remoteMessage = options.remoteMessage
    this.detail = options.detail
    this.recordId = options.recordId
  }
}

/** Returns true if the service cannot have received the call. */
export function isNeverSent(error: unknown): boolean {
  return error instanceof UpstreamError && ['unreachable', 'tls'].includes(error.kind)
}

const maxRetryAfterMs = 24 * 60 * 60 * 1000

/** Converts `Retry-After` (seconds or an HTTP date, RFC 9110 10.2.3) to milliseconds, at most a day. */
export function retryAfterMs(value: string | null | undefined, now: number): number | undefined {
  if (!value) return undefined
  const text = value.trim()
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), maxRetryAfterMs)
}
