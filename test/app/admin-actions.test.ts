import { expect, test } from 'vitest'
import { callsPerHour } from '../../src/app/admin-actions.ts'
import { callsWindow } from '../../src/app/upstream-client.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'

const hourMs = 60 * 60_000

test('counts the calls of the last 24 hours, each in the hour before which it has ended', async () => {
  const { now } = createFakeClock()
  const { windows } = openTestStore(now)
  const agesMs = [0, 1, hourMs - 1, hourMs, 2 * hourMs - 1, 23 * hourMs, 24 * hourMs - 1]
  const calls = [...agesMs, 24 * hourMs].map((ageMs) => [`${ageMs}`, now() - ageMs] as const)
  await windows.add(callsWindow, new Map(calls))
  expect(await callsPerHour(windows)).toEqual([2, ...Array.from({ length: 21 }, () => 0), 2, 3])
})
