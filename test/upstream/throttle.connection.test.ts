import { expect, test } from 'vitest'
import type { UpstreamResponse } from '../../src/upstream/connection.ts'
import { createThrottle, throttledConnection } from '../../src/upstream/throttle.ts'
import { UpstreamError } from '../../src/upstream/upstream-error.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestWindow } from '../support/store.ts'

const dayMs = 24 * 60 * 60_000
const call = { method: 'GET', path: '/apps/api/news/', token: 't' } as const
const person = () => 'person' as const

/** Returns the number of used calls after a call with the given outcome. */
async function usedAfter(answering: () => Promise<UpstreamResponse>, admit?: () => Promise<void>) {
  const clock = createFakeClock()
  const window = openTestWindow(clock.now)
  const throttle = createThrottle({ callsPerMinute: 30, callsPerDay: 5000, window, clock })
  const connection = throttledConnection({ request: answering }, throttle)
  await connection.request(call, person, admit).catch(() => undefined)
  return window.count(dayMs)
}

const answer = (status: number, body: unknown): UpstreamResponse => ({
  status,
  body,
  retryAfterMs: 40_000,
})

test.for(['unreachable', 'tls'] as const)(
  'releases a call that was never sent (%s)',
  async (kind) => {
    expect(await usedAfter(() => Promise.reject(new UpstreamError(kind, 'x')))).toBe(0)
  },
)

test.for(['interrupted', 'timeout'] as const)(
  'counts a call that may have arrived (%s)',
  async (kind) => {
    expect(await usedAfter(() => Promise.reject(new UpstreamError(kind, 'x')))).toBe(1)
  },
)

test('releases a call that is rejected right before it is sent', async () => {
  let sent = 0
  const used = await usedAfter(
    async () => {
      sent += 1
      return answer(200, {})
    },
    () => Promise.reject(new UpstreamError('budget_spent', 'x')),
  )
  expect({ used, sent }).toEqual({ used: 0, sent: 0 })
})

test.for([
  { name: 'rate_limited', answer: answer(429, { code: 'rate_limited' }), used: 24 },
  { name: 'a 429 without a code', answer: answer(429, undefined), used: 24 },
  { name: 'too_many_failures', answer: answer(429, { code: 'too_many_failures' }), used: 1 },
  { name: 'server_error', answer: answer(500, { code: 'server_error' }), used: 1 },
])('counts $used calls as used after $name', async ({ answer, used }) => {
  expect(await usedAfter(() => Promise.resolve(answer))).toBe(used)
})
