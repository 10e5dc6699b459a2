import type { UpstreamErrorKind } from './upstream-error.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs

/** How to retry after a failure. A longer Retry-After from the service takes precedence. */
export type RetryPolicy = {
  /** Pauses calls to the whole site, or only to the endpoint that failed. */
  readonly concerns: 'site' | 'endpoint'
  /** Delay after the first failure. Doubles with each consecutive failure. */
  readonly initialMs: number
  readonly maxMs: number
}

/** Failures that resolve themselves. They are retried soon, but within the daily budget. */
const transient = { concerns: 'site', initialMs: 10 * secondMs, maxMs: minuteMs } as const
/** Failures that require action in the Members Area or in the settings. */
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
  token_requests_paused: { concerns: 'site', initialMs: minuteMs, maxMs: minuteMs },
  reading_paused: { concerns: 'site', initialMs: minuteMs, maxMs: minuteMs },
  budget_spent: { concerns: 'endpoint', initialMs: 10 * secondMs, maxMs: minuteMs },
}

export function retryPolicyFor(kind: UpstreamErrorKind): RetryPolicy {
  return policies[kind]
}

const maxRetryAfterMs = 24 * 60 * 60 * 1000

/** Converts `Retry-After` (seconds or an HTTP date, RFC 9110 10.2.3) to milliseconds, at most a day. */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const text = value.trim()
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), maxRetryAfterMs)
}
