import type { UpstreamErrorKind } from './upstream-error.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs

/** What is done after a failure. A longer wait that the service asks for is waited. */
export type RetryPolicy = {
  /** Whether everything waits, or only what failed. */
  readonly concerns: 'site' | 'endpoint'
  /** Wait after the first failure; doubles with each in a row. */
  readonly initialMs: number
  readonly maxMs: number
}

/** Passes by itself: tried soon, and seldom enough that a day of it is affordable. */
const transient = { concerns: 'site', initialMs: 10 * secondMs, maxMs: minuteMs } as const
/** Somebody has to do something in the Members Area or in the settings. */
const operatorAction = { concerns: 'site', initialMs: 15 * minuteMs, maxMs: 15 * minuteMs } as const
const permission = { ...operatorAction, concerns: 'endpoint' } as const

const policies: { readonly [Kind in UpstreamErrorKind]: RetryPolicy } = {
  unreachable: transient,
  tls: transient,
  interrupted: transient,
  timeout: transient,
  unavailable: transient,
  server_error: transient,
  unexpected_answer: transient,
  body_too_large: permission,
  token_missing: operatorAction,
  token_invalid: operatorAction,
  token_expired: operatorAction,
  refresh_token_supplied: operatorAction,
  api_disabled: operatorAction,
  https_required: operatorAction,
  project_disabled: operatorAction,
  refresh_expired: operatorAction,
  ip_not_allowed: operatorAction,
  endpoint_not_allowed: permission,
  invalid_parameter: permission,
  not_found: permission,
  unknown_endpoint: permission,
  method_not_allowed: permission,
  too_many_failures: { concerns: 'site', initialMs: 60 * minuteMs, maxMs: 60 * minuteMs },
  rate_limited: { concerns: 'site', initialMs: minuteMs, maxMs: 15 * minuteMs },
  budget_spent: { concerns: 'endpoint', initialMs: 10 * secondMs, maxMs: minuteMs },
}

export function retryPolicyFor(kind: UpstreamErrorKind): RetryPolicy {
  return policies[kind]
}

/** Share of a wait that chance adds, so that replicas do not all come back at once. */
const jitter = 0.2

/** The wait after so many failures in a row; `random` is from 0 up to 1. */
export function retryDelayMs(
  policy: RetryPolicy,
  consecutiveFailures: number,
  random: number,
): number {
  const backoffMs = Math.min(policy.initialMs * 2 ** (consecutiveFailures - 1), policy.maxMs)
  return Math.round(backoffMs * (1 + jitter * random))
}
