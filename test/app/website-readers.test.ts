import { expect, test } from 'vitest'
import { createDatabaseReader } from '../../src/app/website-readers.ts'
import { createFakeClock } from '../support/fake-clock.ts'

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
