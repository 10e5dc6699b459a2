import { expect, test } from 'vitest'
import { tokensOf } from './tokens.ts'

const minuteMs = 60_000

test('sends at most three failing requests in any ten minutes, even if an operator asks for more', async () => {
  const { ask, clock, state } = tokensOf()
  state.failure = 'token_invalid'
  for (let minute = 0; minute < 60; minute += 1) {
    await ask()
      .current()
      .catch(() => undefined)
    await clock.advance(minuteMs)
  }
  const counts = state.requestedAt.map(
    (at) => state.requestedAt.filter((other) => other >= at && other < at + 10 * minuteMs).length,
  )
  expect(Math.max(...counts)).toBe(3)
})

test('a replica whose request takes up to 20 seconds keeps the others from sending one', async () => {
  const { start, clock, state } = tokensOf()
  const answered = Promise.withResolvers<void>()
  state.hangs = answered.promise
  const first = start('a').current()
  await clock.advance(0)
  const others = ['b', 'c'].map(async (holder) => {
    await clock.sleep(5_000)
    return start(holder).current()
  })
  const outcomes = Promise.allSettled(others)
  await clock.advance(19_000)
  expect(state.requests).toBe(1)
  answered.resolve()
  expect(await first).toBe('token-1')
  const reasons = (await outcomes).map((outcome) => outcome.status)
  expect(reasons).toEqual(['rejected', 'rejected'])
})
