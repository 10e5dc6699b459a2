import { describe, expect, test } from 'vitest'
import {
  applyReading,
  acceptHeldReading,
  type CollectionCopy,
} from '../../../src/collections/copy/collection-copy.ts'
import { mergedLedger } from '../../../src/collections/copy/ledger.ts'
import type { FeedResource } from '../../../src/records/resources.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { itemsOf, renderFeed } from '../../support/feed-text.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const start = Date.parse('2026-03-05T15:00:00Z')
const sample = sampleDatasetOn('2026-03-05')

/** Returns copies from before records are lost, while they are missing, and after they return. */
async function lostAndBack<R extends FeedResource>(
  resource: R,
  options: {
    readonly items?: readonly unknown[]
    readonly left?: readonly unknown[]
    readonly back?: readonly unknown[]
    readonly awayMs?: number
  } = {},
) {
  const { items = itemsOf(sample, resource), left = [], awayMs = 13 * dayMs } = options
  const read = async (
    before: CollectionCopy<R> | undefined,
    found: readonly unknown[],
    at: number,
  ) => applyReading(resource, before, { items: found, calls: 1, days: undefined }, at)
  const first = await read(undefined, [...items, ...items], start - 30 * dayMs)
  const held = await read(first.kept, left, start)
  const acceptedAt = start + hourMs
  const lost = await acceptHeldReading(resource, held.kept, held.heldItems ?? [], acceptedAt)
  const later = acceptedAt + awayMs
  const back = await read(lost, options.back ?? items, later)
  return { before: first.kept, lost, back: back.kept, acceptedAt, later }
}

const linesOf = (text: string, name: RegExp) =>
  text.split(/\r?\n/).filter((line) => name.test(line))

describe('entries that return within 14 days of an accepted loss', () => {
  test.for(['calendar', 'events', 'rental', 'signup'] as const)(
    'keep their UID, SEQUENCE and timestamps in %s.ics',
    async (feed) => {
      const { before, back, later } = await lostAndBack(feed)
      const of = (kept: CollectionCopy) =>
        linesOf(
          renderFeed(feed, kept.collection, { now: later, profile: 'full' }).text,
          /^(?:UID|SEQUENCE|DTSTAMP|LAST-MODIFIED|STATUS)/,
        )
      expect(of(before).length).toBeGreaterThan(20)
      expect(of(back)).toEqual(of(before))
    },
  )

  test.for([
    { feed: 'news', resource: 'news' },
    { feed: 'announcements', resource: 'announce' },
    { feed: 'events', resource: 'events' },
  ] as const)('keep their id and `updated` in $feed.atom', async (of) => {
    const { before, back } = await lostAndBack(of.resource)
    const linesIn = (kept: CollectionCopy) =>
      linesOf(
        renderFeed(of.feed, kept.collection, { now: start, format: 'atom' }).text.replaceAll(
          '<',
          '\n<',
        ),
        /^<(?:id|updated)>/,
      )
    // The feed itself has changed.
    expect(linesIn(back).slice(2)).toEqual(linesIn(before).slice(2))
    expect(linesIn(back).length).toBeGreaterThan(4)
  })

  test('have a new revision if they changed', async () => {
    const items = sample.news
    const changed = items.map((story, index) => (index === 0 ? { ...story, headline: 'x' } : story))
    const { back, before, later } = await lostAndBack('news', { items, back: changed })
    const [first = 0, second = 0] = items.map(({ id }) => id)
    expect(back.collection.ledger.get(first)).toMatchObject({ revision: 1, changedAt: later })
    expect(back.collection.ledger.get(second)).toEqual(before.collection.ledger.get(second))
  })

  test('have a new revision after 14 days', async () => {
    const { back, later } = await lostAndBack('news', { awayMs: 14 * dayMs + 1 })
    for (const { id } of back.collection.records) {
      expect(back.collection.ledger.get(id)).toMatchObject({ revision: 1, changedAt: later })
    }
  })

  test('are unchanged after a backup is restored', async () => {
    const { before, lost } = await lostAndBack('news')
    const [present, gone] = [before.collection.ledger, lost.collection.ledger]
    expect(mergedLedger(present, gone)).toBe(present)
    expect(mergedLedger(gone, present)).toBe(gone)
  })
})

describe('an accepted loss', () => {
  test('cancels no entries', async () => {
    const { before, lost, acceptedAt } = await lostAndBack('events')
    const options = { now: acceptedAt, query: 'cancelled=mark' }
    expect(renderFeed('events', before.collection, options).text).toContain('BEGIN:VEVENT')
    expect(renderFeed('events', lost.collection, options).text).not.toContain('BEGIN:VEVENT')
  })

  test('does not change the revisions of the remaining records', async () => {
    const left = sample.events.slice(0, 3)
    const { before, lost } = await lostAndBack('events', { left })
    expect(lost.collection.records).toHaveLength(3)
    for (const { id } of left) {
      expect(lost.collection.ledger.get(id)).toEqual(before.collection.ledger.get(id))
    }
  })
})
