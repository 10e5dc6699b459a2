import { expect, test } from 'vitest'
import { itemDefaults, itemsShownAt, type ItemDraft } from '../../src/syndication/feed-item.ts'

const hourMs = 3_600_000
const now = Date.parse('2026-03-05T16:00:00Z')

const made: number[] = []

function item(recordId: number, publishedIn: number, expiresIn = Infinity): ItemDraft {
  const times = { publishedAt: now + publishedIn * hourMs, expiresAt: now + expiresIn * hourMs }
  const rest = {
    ...itemDefaults,
    id: `tag:cedarhollow.example,2026:news-${recordId}`,
    recordId,
    url: `https://feeds.cedarhollow.example/news/${recordId}`,
    title: 'Fire',
    summary: '',
    contentHtml: '<p>Fire</p>',
    updatedAt: now,
  }
  const make = () => {
    made.push(recordId)
    return { ...rest, ...times }
  }
  return { recordId, ...times, order: times.publishedAt, title: () => rest.title, make }
}

const idsAt = (items: readonly ItemDraft[], at: number, limit = 50) =>
  itemsShownAt(items, { now: at, limit }).items.map(({ recordId }) => recordId)

test('sorts items newest first and then by record id, and builds only the items that are shown', () => {
  const items = [item(1, -3), item(2, -1), item(3, -2), item(4, -1)]
  expect(idsAt(items, now)).toEqual([4, 2, 3, 1])
  made.length = 0
  expect(idsAt(items, now, 2)).toEqual([4, 2])
  expect(made).toEqual([4, 2])
})

test('hides a future item until its publication time', () => {
  const items = [item(1, -1), item(2, 1)]
  expect(itemsShownAt(items, { now, limit: 50 })).toMatchObject({
    items: [{ recordId: 1 }],
    validFrom: now - hourMs,
    validUntil: now + hourMs,
  })
  expect(idsAt(items, now + hourMs - 1)).toEqual([1])
  expect(itemsShownAt(items, { now: now + hourMs, limit: 50 })).toMatchObject({
    items: [{ recordId: 2 }, { recordId: 1 }],
    validFrom: now + hourMs,
    validUntil: Infinity,
  })
})

test('drops an item as soon as it expires', () => {
  const items = [item(1, -1, 2), item(2, -2)]
  expect(itemsShownAt(items, { now, limit: 50 }).validUntil).toBe(now + 2 * hourMs)
  expect(idsAt(items, now + 2 * hourMs - 1)).toEqual([1, 2])
  expect(itemsShownAt(items, { now: now + 2 * hourMs, limit: 50 })).toMatchObject({
    items: [{ recordId: 2 }],
    validFrom: now + 2 * hourMs,
    validUntil: Infinity,
  })
})

test('never shows an item that expires before it is published', () => {
  expect(itemsShownAt([item(1, 2, 1)], { now, limit: 50 })).toEqual({
    items: [],
    validFrom: -Infinity,
    validUntil: Infinity,
  })
})
