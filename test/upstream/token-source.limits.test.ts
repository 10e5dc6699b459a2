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

test('replicas wait for another one whose request takes up to 20 seconds', async () => {
  const { start, clock, state } = tokensOf()
  const answered = Promise.withResolvers<void>()
  state.hangs = answered.promise
  const tokens = [0, 12_000, 18_000].map(async (ms, index) => {
    await clock.sleep(ms)
    return start(`${index}`).current()
  })
  const outcomes = Promise.allSettled(tokens)
  await clock.advance(19_000)
  answered.resolve()
  await clock.advance(1_000)
  const values = (await outcomes).map((outcome) => outcome.status === 'fulfilled' && outcome.value)
  expect(values).toEqual(['token-1', 'token-1', 'token-1'])
  expect(state.requests).toBe(1)
})
