import { describe, expect, test } from 'vitest'
import { acceptHeld } from '../../src/collections/accept-held.ts'
import { heldAfter, isConfirmed, isMassLoss } from '../../src/collections/guard.ts'
import { collectionsOf, minuteMs, sampleNews } from '../support/collections.ts'

const ids = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index)

test.for([
  { name: 'nothing of one', before: ids(1), after: [], isLoss: true },
  { name: 'nothing of nine', before: ids(9), after: [], isLoss: true },
  { name: 'one of nine', before: ids(9), after: ids(1), isLoss: false },
  { name: 'half of ten', before: ids(10), after: ids(5), isLoss: false },
  { name: 'less than half of ten', before: ids(10), after: ids(4), isLoss: true },
  { name: 'half of eleven and more', before: ids(11), after: ids(6), isLoss: false },
  { name: 'as many others as ten', before: ids(10), after: ids(10, 100), isLoss: true },
  { name: 'nothing of nothing', before: [], after: [], isLoss: false },
  { name: 'something of nothing', before: [], after: ids(3), isLoss: false },
  { name: 'more than before', before: ids(10), after: ids(30), isLoss: false },
])('$name is held: $isLoss', ({ before, after, isLoss }) => {
  expect(isMassLoss(before, new Set(after))).toBe(isLoss)
})

describe('what is held', () => {
  const reading = { version: 'a', records: 0, isUnreadable: false }

  test('is believed after three equal readings over half an hour', () => {
    const first = heldAfter(undefined, reading, 0)
    const second = heldAfter(first, reading, 15 * minuteMs)
    expect(isConfirmed(second, 40 * minuteMs)).toBe(false)
    const third = heldAfter(second, reading, 29 * minuteMs)
    expect(isConfirmed(third, 29 * minuteMs)).toBe(false)
    expect(isConfirmed(third, 30 * minuteMs)).toBe(true)
  })

  test('begins anew with another reading, and remembers since when', () => {
    const first = heldAfter(undefined, reading, 0)
    expect(heldAfter(first, { ...reading, version: 'b', records: 2 }, 20 * minuteMs)).toEqual({
      ...{ since: 0, version: 'b', records: 2, isUnreadable: false },
      ...{ firstReadAt: 20 * minuteMs, readings: 1 },
    })
  })
})

/** A collection whose records are gone from the website since the last reading but one. */
async function emptied() {
  const parts = collectionsOf()
  const { collections, clock, website } = parts
  collections.start()
  await clock.advance(0)
  const before = await collections.read('news')
  website.items.news = []
  await clock.advance(5 * minuteMs + 5_000)
  const state = () => collections.states()[0]?.kept
  return { ...parts, before, state }
}

describe('a collection whose records are gone from the website', () => {
  test('stays as it was, and says since when it is held', async () => {
    const { collections, before, state, clock, stop, lines } = await emptied()
    expect(await collections.read('news')).toBe(before)
    expect(state()?.held).toMatchObject({ records: 0, readings: 1 })
    await clock.advance(20 * minuteMs)
    expect(await collections.read('news')).toBe(before)
    expect(lines.filter((line) => line.includes('collection held'))).toHaveLength(1)
    await stop()
  })

  test('is emptied after half an hour of the same', async () => {
    const { collections, state, clock, stop } = await emptied()
    await clock.advance(36 * minuteMs)
    const after = await collections.read('news')
    expect(after.records).toEqual([])
    expect(state()?.held).toBeUndefined()
    const entries = [...after.ledger.values()]
    expect(entries.filter(({ removedAt }) => removedAt)).toHaveLength(sampleNews.length)
    await stop()
  })

  test('goes on as if nothing had been when they are back', async () => {
    const { collections, website, before, state, clock, stop } = await emptied()
    website.items.news = sampleNews
    await clock.advance(6 * minuteMs)
    const after = await collections.read('news')
    expect(after).toMatchObject({ version: before.version, changedAt: before.changedAt })
    expect(after.ledger).toEqual(before.ledger)
    expect(state()?.held).toBeUndefined()
    await stop()
  })

  test('is held by all replicas and after a restart', async () => {
    const { start, clock, stop, before } = await emptied()
    const second = start()
    await second.collections.load()
    expect(second.collections.states()[0]?.kept?.held).toMatchObject({ records: 0 })
    expect(await second.collections.read('news')).toEqual(before)
    second.collections.start()
    await stop()
    await clock.advance(36 * minuteMs)
    expect((await second.collections.read('news')).records).toEqual([])
    await second.stop()
  })

  test('since all became unreadable is held until somebody accepts it', async () => {
    const { collections, clock, website, store, stop } = collectionsOf()
    collections.start()
    const before = await collections.read('news')
    website.items.news = sampleNews.map((story) => ({ ...story, date: 'yesterday' }))
    await clock.advance(24 * 60 * minuteMs)
    expect(await collections.read('news')).toBe(before)
    expect(collections.states()[0]?.kept?.held).toMatchObject({ isUnreadable: true })
    expect(await acceptHeld(store.documents, 'news', clock.now())).toMatchObject({ records: 0 })
    await stop()
  })
})
