import fc from 'fast-check'
import { parseJsonFeed } from 'feedsmith'
import { expect, test } from 'vitest'
import { applyReading, type CollectionCopy } from '../../src/collections/copy/collection-copy.ts'
import { changes } from '../../src/feeds/changes.ts'
import { createRenderers } from '../../src/feeds/feed.ts'
import { chosenOptions } from '../support/chosen-options.ts'
import { feedWith } from '../support/feed-text.ts'
import { testSite } from '../support/site.ts'

/* Many feed readers keep the first text of an item, and drop items with the link of another one. */

const start = Date.parse('2026-03-01T15:00:00Z')
const minuteMs = 60_000
const calendar = feedWith('calendar')

const drill = {
  title: 'Drill',
  status: 2,
  calendarId: 3,
  calendar: 'Drills',
  startTime: '19:00:00',
  endTime: '21:00:00',
}
/** Keeps a deletion from looking like a loss of most records. */
const others = Array.from({ length: 8 }, (_, index) => ({
  ...drill,
  id: 100 + index,
  location: 'Station 9',
  startDate: '2026-06-01',
}))

/** The day and station of each of two entries. Undefined while the website does not show it. */
const entry = fc.option(
  fc.record({ day: fc.integer({ min: 10, max: 12 }), station: fc.integer({ min: 1, max: 2 }) }),
  { nil: undefined },
)
const steps = fc.array(
  fc.record({
    waitMinutes: fc.integer({ min: 1, max: 25 }),
    entries: fc.tuple(entry, entry),
    isPolled: fc.boolean(),
  }),
  { minLength: 1, maxLength: 20 },
)

type Steps = typeof steps extends fc.Arbitrary<infer T> ? T : never
type Item = { readonly id: string; readonly title: string; readonly url: string }

function recordsOf(entries: Steps[number]['entries']): readonly object[] {
  const shown = entries.flatMap((each, index) =>
    each
      ? [
          {
            ...drill,
            id: index + 1,
            created: '2026-03-01 09:00:00',
            startDate: `2026-03-${each.day}`,
            location: `Station ${each.station}`,
          },
        ]
      : [],
  )
  return [...others, ...shown]
}

/** Returns what a reader has kept after random edits, and what the feed finally contains. */
async function readAll(history: Steps) {
  let kept: CollectionCopy<'calendar'> | undefined
  let now = start
  const [known, links] = [new Map<string, Item>(), new Set<string>()]
  const read = async (entries: Steps[number]['entries']) => {
    const reading = { items: recordsOf(entries), calls: 1, days: undefined }
    ;({ kept } = await applyReading('calendar', kept, reading, now))
  }
  const poll = (): readonly Item[] => {
    if (!kept) return []
    const chosen = chosenOptions(changes, 'json', 'limit=100')
    const request = { format: 'json', profile: 'public', now, chosen } as const
    const sources = [{ feed: calendar, source: kept.collection }]
    const { body } = changes.render(sources, request, createRenderers(testSite))
    const items = (parseJsonFeed(JSON.parse(body.toString())).items ?? []).map(
      ({ id = '', title = '', url = '' }): Item => ({ id, title, url }),
    )
    for (const item of items.toReversed()) {
      if (known.has(item.id) || links.has(item.url)) continue
      known.set(item.id, item)
      links.add(item.url)
    }
    return items
  }
  await read([undefined, undefined])
  for (const { waitMinutes, entries, isPolled } of history) {
    now += waitMinutes * minuteMs
    await read(entries)
    if (isPolled) poll()
  }
  now += 10 * minuteMs
  return { known: [...known.values()], current: poll(), all: known }
}

test('a reader that keeps the first text of an item has what the feed says in the end', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const { known, current, all } = await readAll(history)
      const texts = new Map(current.map(({ id, title }) => [id, title]))
      for (const { id, title } of known) expect(texts.get(id) ?? title).toBe(title)
      for (const { id } of current) expect(all.has(id)).toBe(true)
    }),
    { numRuns: 100 },
  )
})
