import type { UpstreamErrorKind } from './upstream-error.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs

/** What is done after a failure. A longer wait that the service asks for is waited. */
export type RetryPolicy = {
  /** Whether everything waits, or only what failed. */
  readonly concerns: 'site' | 'endpoint'
  /** Wait after the first failure; doubles with each in a row. */
  readonly firstMs: number
  readonly longestMs: number
}

/** Passes by itself: tried soon, and seldom enough that a day of it is affordable. */
const passing = { concerns: 'site', firstMs: 10 * secondMs, longestMs: minuteMs } as const
/** Somebody has to do something in the Members Area or in the settings. */
const untilMended = { concerns: 'site', firstMs: 15 * minuteMs, longestMs: 15 * minuteMs } as const
const untilAllowed = { ...untilMended, concerns: 'endpoint' } as const

const policies: { readonly [Kind in UpstreamErrorKind]: RetryPolicy } = {
  unreachable: passing,
  tls: passing,
  interrupted: passing,
  timeout: passing,
  unavailable: passing,
  server_error: passing,
  unexpected_answer: passing,
  body_too_large: untilAllowed,
  token_missing: untilMended,
  token_invalid: untilMended,
  token_expired: untilMended,
  refresh_token_supplied: untilMended,
  api_disabled: untilMended,
  https_required: untilMended,
  project_disabled: untilMended,
  refresh_expired: untilMended,
  ip_not_allowed: untilMended,
  endpoint_not_allowed: untilAllowed,
  invalid_parameter: untilAllowed,
  not_found: untilAllowed,
  unknown_endpoint: untilAllowed,
  method_not_allowed: untilAllowed,
  too_many_failures: { concerns: 'site', firstMs: 60 * minuteMs, longestMs: 60 * minuteMs },
  rate_limited: { concerns: 'site', firstMs: minuteMs, longestMs: 15 * minuteMs },
  budget_spent: { concerns: 'endpoint', firstMs: 10 * secondMs, longestMs: minuteMs },
}

export function retryPolicyFor(kind: UpstreamErrorKind): RetryPolicy {
  return policies[kind]
}

/** Share of a wait that chance adds, so that replicas do not all come back at once. */
const jitter = 0.2

/** The wait after so many failures in a row; `random` is from 0 up to 1. */
export function retryDelayMs(policy: RetryPolicy, inARow: number, random: number): number {
  const backoffMs = Math.min(policy.firstMs * 2 ** (inARow - 1), policy.longestMs)
  return Math.round(backoffMs * (1 + jitter * random))
}
