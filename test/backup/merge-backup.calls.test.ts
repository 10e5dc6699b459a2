import { expect, test } from 'vitest'
import { hourMs, minuteMs, storeOf } from '../support/merge-backup.ts'
import { openTestStore } from '../support/store.ts'
import { collected } from '../support/stored-items.ts'

test('keeps call counts from before and after the backup', async () => {
  const { store, clock, backUp } = storeOf()
  const limit = [{ windowMs: 24 * hourMs, max: 10 }]
  for (const _ of [1, 2, 3]) await store.windows.take('calls', limit)
  const restore = await backUp()
  await clock.advance(hourMs)
  for (const _ of [1, 2]) await store.windows.take('calls', limit)
  await restore()
  expect(await store.windows.count('calls', 24 * hourMs)).toBe(5)
})

test('estimates the calls made since the backup from the previous rate', async () => {
  const { store, clock, backUp } = storeOf()
  const takenAt = clock.now()
  const before = [3 * hourMs, 90 * minuteMs, 10 * minuteMs].map((ago) => takenAt - ago)
  await store.windows.add('calls', new Map(before.map((at) => [String(at), at])))
  const restore = await backUp()
  await clock.advance(2 * hourMs)
  const empty = openTestStore(clock.now)
  await restore(empty)
  const counted = (await collected(empty.snapshot())).flatMap((item) =>
    'at' in item ? [item.at] : [],
  )
  const since = before.slice(1).map((at) => at + 2 * hourMs)
  expect(counted).toEqual([...before, ...since].toSorted((a, b) => a - b))

  const checked = openTestStore(clock.now)
  await checked.windows.add('calls', new Map([['check', takenAt + hourMs]]))
  await restore(checked)
  expect(await checked.windows.count('calls', 24 * hourMs)).toBe(before.length + 1 + 1)
})

test('counts the calls from the last day before the backup again if the backup is more than a day old', async () => {
  const { store, clock, backUp } = storeOf()
  const at = clock.now() - hourMs
  await store.windows.add('calls', new Map([['a', at]]))
  const restore = await backUp()
  await clock.advance(30 * hourMs)
  const empty = openTestStore(clock.now)
  await restore(empty)
  const found = await collected(empty.snapshot())
  expect(found).toEqual([{ window: 'calls', id: 'a again', at: at + 24 * hourMs }])
})
