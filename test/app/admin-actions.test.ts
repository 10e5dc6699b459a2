import { expect, test } from 'vitest'
import { callsPerHour, createDatabaseReader } from '../../src/app/admin-actions.ts'
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

test('reads the list of databases again only after ten minutes', async () => {
  const clock = createFakeClock()
  let calls = 0
  const readPage = async () => {
    calls += 1
    return { items: [], startRow: 1, totalCount: 0, generated: undefined }
  }
  const { list } = createDatabaseReader({ readPage } as never, clock)
  for (const ms of [0, 10 * 60_000 - 1]) {
    await clock.leap(ms)
    expect(await list()).toMatchObject({ ok: true })
  }
  expect(calls).toBe(1)
  await clock.leap(2)
  await list()
  expect(calls).toBe(2)
})
