import { expect, test } from 'vitest'
import { retryAfterMs } from '../../src/upstream/retry-policy.ts'

const now = Date.parse('2026-03-05T15:00:00Z')

test.for([
  { value: '30', ms: 30_000 },
  { value: ' 0 ', ms: 0 },
  { value: 'Thu, 05 Mar 2026 15:01:00 GMT', ms: 60_000 },
  { value: 'Thu, 05 Mar 2026 14:00:00 GMT', ms: 0 },
  { value: '999999999999', ms: 86_400_000 },
  { value: 'soon', ms: undefined },
  { value: undefined, ms: undefined },
])('reads Retry-After: $value', ({ value, ms }) => {
  expect(retryAfterMs(value, now)).toBe(ms)
})
