import { describe, expect, test } from 'vitest'
import { retryDelayMs } from '../../src/clock.ts'
import {
  isTransient,
  retryAfterMs,
  retryPolicyFor,
  upstreamErrorKinds,
} from '../../src/upstream/upstream-error.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs

/**
 * The scope of the wait after each kind of error, and its length after the first failure and after
 * many failures. By default, the whole site waits 15 minutes, because an operator has to act.
 */
const policies: Readonly<Record<string, readonly [concerns: string, first: number, most: number]>> =
  {
    invalid_parameter: ['endpoint', 15 * minuteMs, 15 * minuteMs],
    endpoint_not_allowed: ['endpoint', 15 * minuteMs, 15 * minuteMs],
    not_found: ['endpoint', 15 * minuteMs, 15 * minuteMs],
    unknown_endpoint: ['endpoint', 15 * minuteMs, 15 * minuteMs],
    method_not_allowed: ['endpoint', 15 * minuteMs, 15 * minuteMs],
    body_too_large: ['endpoint', 15 * minuteMs, 15 * minuteMs],
    collection_too_large: ['endpoint', 15 * minuteMs, 15 * minuteMs],
    rate_limited: ['site', minuteMs, 15 * minuteMs],
    too_many_failures: ['site', 60 * minuteMs, 60 * minuteMs],
    server_error: ['site', 10 * secondMs, minuteMs],
    unreachable: ['site', 10 * secondMs, minuteMs],
    tls: ['site', 10 * secondMs, minuteMs],
    interrupted: ['site', 10 * secondMs, minuteMs],
    timeout: ['site', 10 * secondMs, minuteMs],
    unavailable: ['site', 10 * secondMs, minuteMs],
    unexpected_answer: ['site', 10 * secondMs, minuteMs],
    token_requests_paused: ['site', minuteMs, minuteMs],
    reading_paused: ['site', minuteMs, minuteMs],
    budget_spent: ['endpoint', 10 * secondMs, minuteMs],
  }

describe.for(upstreamErrorKinds)('after %s', (kind) => {
  const [concerns, firstMs, longestMs] = policies[kind] ?? ['site', 15 * minuteMs, 15 * minuteMs]
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

test.for([
  { value: '30', ms: 30_000 },
  { value: ' 0 ', ms: 0 },
  { value: 'Thu, 05 Mar 2026 15:01:00 GMT', ms: 60_000 },
  { value: 'Thu, 05 Mar 2026 14:00:00 GMT', ms: 0 },
  { value: '999999999999', ms: 86_400_000 },
  { value: 'soon', ms: undefined },
  { value: undefined, ms: undefined },
])('reads Retry-After: $value', ({ value, ms }) => {
  expect(retryAfterMs(value, Date.parse('2026-03-05T15:00:00Z'))).toBe(ms)
})

test('only failures to get any useful response are transient', () => {
  expect(upstreamErrorKinds.filter(isTransient)).toEqual([
    'server_error',
    'unreachable',
    'tls',
    'interrupted',
    'timeout',
    'unavailable',
    'unexpected_answer',
  ])
})
