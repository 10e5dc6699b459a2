import { expect, test } from 'vitest'
import { atOnce, inSteps, inTurns } from '../src/steps.ts'

/** Returns steps of 1 ms each, and turns that are recorded with what was done before them. */
function timedSteps(count: number) {
  const done: number[] = []
  const turnsAfter: number[] = []
  const numbers = Array.from({ length: count }, (_, index) => index)
  return {
    turnsAfter,
    steps: inSteps(numbers, (number) => {
      done.push(number)
      if (number === 99) throw new RangeError('too many')
      return number * 2
    }),
    turns: {
      turnMs: 10,
      elapsedMs: () => done.length,
      takeTurn: async () => void turnsAfter.push(done.length),
    },
  }
}

test('takes a turn whenever the steps have taken long enough', async () => {
  const { steps, turns, turnsAfter } = timedSteps(25)
  expect(await inTurns(steps, turns)).toEqual(atOnce(timedSteps(25).steps))
  expect(turnsAfter).toEqual([10, 20])
})

test('does quick work without a turn', async () => {
  const { steps, turns, turnsAfter } = timedSteps(9)
  expect(await inTurns(steps, turns)).toHaveLength(9)
  expect(turnsAfter).toEqual([])
})

test('rejects if a step fails, or a turn cannot be taken', async () => {
  const failing = timedSteps(200)
  await expect(inTurns(failing.steps, failing.turns)).rejects.toThrow('too many')
  const { steps, turns } = timedSteps(20)
  const disposed = { ...turns, takeTurn: () => Promise.reject(new Error('disposed')) }
  await expect(inTurns(steps, disposed)).rejects.toThrow('disposed')
})
