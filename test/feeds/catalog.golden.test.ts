import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Collection } from '../../src/collections/collection.ts'
import { feeds } from '../../src/feeds/catalog.ts'
import type { FeedFormat } from '../../src/feeds/formats.ts'
import { siteIn } from '../../src/feeds/site.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { lintCalendar } from '../support/calendar-lint.ts'
import { collectionAfter, itemsOf, renderFeed, type RenderOptions } from '../support/feed-text.ts'
import { expectDistinctLinks } from '../support/golden-feed.ts'
import { expectGolden } from '../support/golden.ts'
import { lintJsonFeed } from '../support/json-feed-lint.ts'
import { testSite } from '../support/site.ts'
import { assertWellFormed } from '../support/well-formed.ts'

const sample = sampleDatasetOn('2026-03-05')
const now = Date.parse('2026-03-05T15:00:00Z')

type Document = Omit<RenderOptions, 'now'> & {
  readonly name: string
  readonly feed: string
  readonly format: FeedFormat
}

const profiled = [
  ['calendar', 'members', 'ics'],
  ['events', 'full', 'ics'],
  ['rental', 'members', 'ics'],
  ['rental', 'full', 'ics'],
  ['signup', 'full', 'ics'],
  ['forum', 'members', 'rss'],
  ['training', 'full', 'ics'],
  ['training', 'full', 'rss'],
  ['presentations', 'members', 'rss'],
  ['quizzes', 'members', 'rss'],
  ['guestbook', 'full', 'rss'],
  ['minutes', 'members', 'atom'],
] as const

/** Text and dates depend on the ICU data in this version of Node. */
const translated = (['es', 'fr', 'de'] as const).flatMap((language) =>
  (
    [
      ['calendar', 'public', 'ics', 'cancelled=mark&past=0&future=30'],
      ['signup', 'full', 'ics', 'past=0&future=30'],
      ['training', 'full', 'rss', ''],
      ['documents', 'public', 'atom', 'limit=5'],
    ] as const
  ).map(([feed, profile, format, query]) => ({
    name: `${language}/${feed}.${format}`,
    feed,
    format,
    profile,
    query,
    site: siteIn(testSite, language),
  })),
)

const documents: readonly Document[] = [
  ...feeds.flatMap(({ id, formats }) =>
    formats.map((format) => ({ name: `${id}.${format}`, feed: id, format })),
  ),
  ...profiled.map(([feed, profile, format]) => ({
    name: `${feed}.${profile}.${format}`,
    feed,
    format,
    profile,
  })),
  {
    name: 'calendar.options.ics',
    feed: 'calendar',
    format: 'ics',
    query: 'calendar=1,2&past=7&future=30&alarm=45&cancelled=mark',
  },
  ...translated,
]

/**
 * Sources after two reads of the website. The next event was deleted and another event was changed
 * between the reads.
 */
const collections = new Map<string, Collection>()

beforeAll(async () => {
  for (const { id, resource } of feeds) {
    const items = itemsOf(sample, resource)
    const readings = resource === 'calendar' ? [beforeChange(), items] : [items]
    collections.set(id, await collectionAfter(resource, readings, now - 86_400_000))
  }
})

function beforeChange(): readonly unknown[] {
  const coming = sample.calendar.filter(({ startDate }) => startDate > '2026-03-05')
  const [first, second] = coming.filter(({ calendarId, status }) => calendarId <= 2 && status === 2)
  const gone = { ...first, id: 999, title: 'Called off' }
  const others = sample.calendar.map((event) =>
    event.id === second?.id ? { ...event, location: 'Station 2' } : event,
  )
  return [...others, gone]
}

function textOf({ feed, ...document }: Document): string {
  const collection = collections.get(feed)
  if (!collection) throw new TypeError(`no collection for ${feed}`)
  return renderFeed(feed, collection, { ...document, now }).text
}

function faultsIn(text: string, format: FeedFormat): readonly unknown[] {
  if (format === 'ics') return lintCalendar(Buffer.from(text))
  if (format === 'json') return lintJsonFeed(text)
  assertWellFormed(text)
  return []
}

test.for(documents)('renders the same valid $name from the sample as before', (document) => {
  const text = textOf(document)
  expectGolden(document.name, text)
  expect(faultsIn(text, document.format)).toEqual([])
  if (document.format !== 'ics') expectDistinctLinks(document.format, text)
})

describe('golden files do not depend on the server’s time zone or clock', () => {
  const before = process.env['TZ']

  afterEach(() => {
    vi.useRealTimers()
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  })

  const zones = ['Europe/Berlin', 'America/New_York', 'Pacific/Kiritimati']
  const servers = zones.flatMap((zone) =>
    ['2026-01-15', '2026-07-15'].map((date) => [zone, date] as const),
  )

  test.for(servers)('in %s on %s', ([zone, date]) => {
    process.env['TZ'] = zone
    vi.useFakeTimers({ now: Date.parse(date), toFake: ['Date'] })
    expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone)
    for (const document of documents) expectGolden(document.name, textOf(document))
  })
})
