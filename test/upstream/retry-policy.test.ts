import { describe, expect, test } from 'vitest'
import { retryDelayMs } from '../../src/clock.ts'
import { retryPolicyFor } from '../../src/upstream/retry-policy.ts'
import { serviceErrorCodes } from '../../src/upstream/upstream-error.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs

/**
 * What has to wait after each kind of error, and how long it waits after the first failure and
 * after many failures.
 */
const policies = [
  ['invalid_parameter', 'endpoint', 15 * minuteMs, 15 * minuteMs],
  ['token_missing', 'site', 15 * minuteMs, 15 * minuteMs],
  ['token_invalid', 'site', 15 * minuteMs, 15 * minuteMs],
  ['token_expired', 'site', 15 * minuteMs, 15 * minuteMs],
  ['refresh_token_supplied', 'site', 15 * minuteMs, 15 * minuteMs],
  ['api_disabled', 'site', 15 * minuteMs, 15 * minuteMs],
  ['https_required', 'site', 15 * minuteMs, 15 * minuteMs],
  ['project_disabled', 'site', 15 * minuteMs, 15 * minuteMs],
  ['refresh_expired', 'site', 15 * minuteMs, 15 * minuteMs],
  ['ip_not_allowed', 'site', 15 * minuteMs, 15 * minuteMs],
  ['endpoint_not_allowed', 'endpoint', 15 * minuteMs, 15 * minuteMs],
  ['not_found', 'endpoint', 15 * minuteMs, 15 * minuteMs],
  ['unknown_endpoint', 'endpoint', 15 * minuteMs, 15 * minuteMs],
  ['method_not_allowed', 'endpoint', 15 * minuteMs, 15 * minuteMs],
  ['rate_limited', 'site', minuteMs, 15 * minuteMs],
  ['too_many_failures', 'site', 60 * minuteMs, 60 * minuteMs],
  ['server_error', 'site', 10 * secondMs, minuteMs],
  ['unreachable', 'site', 10 * secondMs, minuteMs],
  ['tls', 'site', 10 * secondMs, minuteMs],
  ['interrupted', 'site', 10 * secondMs, minuteMs],
  ['timeout', 'site', 10 * secondMs, minuteMs],
  ['unavailable', 'site', 10 * secondMs, minuteMs],
  ['unexpected_answer', 'site', 10 * secondMs, minuteMs],
  ['body_too_large', 'endpoint', 15 * minuteMs, 15 * minuteMs],
  ['token_requests_paused', 'site', minuteMs, minuteMs],
  ['reading_paused', 'site', minuteMs, minuteMs],
  ['budget_spent', 'endpoint', 10 * secondMs, minuteMs],
] as const

test('has a policy for every error code in the specification', () => {
  const kinds: readonly string[] = policies.map(([kind]) => kind)
  expect(serviceErrorCodes.filter((code) => !kinds.includes(code))).toEqual([])
})

describe.for(policies)('after %s', ([kind, concerns, firstMs, longestMs]) => {
  const policy = retryPolicyFor(kind)

  test(`${concerns === 'site' ? 'everything' : 'the endpoint'} waits`, () => {
    expect(policy.concerns).toBe(concerns)
  })

  test('the wait is bounded, and jitter never shortens it', () => {
    expect(retryDelayMs(policy, 1, 0)).toBe(firstMs)
    expect(retryDelayMs(policy, 1, 0.5)).toBeCloseTo(firstMs * 1.1)
    expect(retryDelayMs(policy, 1000, 0)).toBe(longestMs)
    expect(retryDelayMs(policy, 1000, 1)).toBeCloseTo(longestMs * 1.2)
  })
})
