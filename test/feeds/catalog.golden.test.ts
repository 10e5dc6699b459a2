import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Collection } from '../../src/collections/collection.ts'
import { feeds } from '../../src/feeds/catalog.ts'
import type { FeedFormat } from '../../src/feeds/feed.ts'
import type { Profile } from '../../src/records/profile.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { lintCalendar } from '../support/calendar-lint.ts'
import { collectionAfter, itemsOf, renderFeed } from '../support/feed-text.ts'
import { expectGolden } from '../support/golden.ts'
import { lintJsonFeed } from '../support/json-feed-lint.ts'
import { assertWellFormed } from '../support/well-formed.ts'

const sample = sampleDatasetOn('2026-03-05')
const now = Date.parse('2026-03-05T15:00:00Z')

type Document = {
  readonly name: string
  readonly feed: string
  readonly format: FeedFormat
  readonly profile?: Profile
  readonly query?: string
}

const documents: readonly Document[] = [
  ...feeds.flatMap((feed) =>
    feed.formats.map((format) => ({ name: `${feed.id}.${format}`, feed: feed.id, format })),
  ),
  { name: 'calendar.members.ics', feed: 'calendar', format: 'ics', profile: 'members' },
  { name: 'events.full.ics', feed: 'events', format: 'ics', profile: 'full' },
  { name: 'rental.members.ics', feed: 'rental', format: 'ics', profile: 'members' },
  { name: 'rental.full.ics', feed: 'rental', format: 'ics', profile: 'full' },
  { name: 'signup.full.ics', feed: 'signup', format: 'ics', profile: 'full' },
  { name: 'forum.members.rss', feed: 'forum', format: 'rss', profile: 'members' },
  { name: 'training.full.ics', feed: 'training', format: 'ics', profile: 'full' },
  { name: 'training.full.rss', feed: 'training', format: 'rss', profile: 'full' },
  {
    name: 'presentations.members.rss',
    feed: 'presentations',
    format: 'rss',
    profile: 'members',
  },
  { name: 'quizzes.members.rss', feed: 'quizzes', format: 'rss', profile: 'members' },
  { name: 'guestbook.full.rss', feed: 'guestbook', format: 'rss', profile: 'full' },
  { name: 'minutes.members.atom', feed: 'minutes', format: 'atom', profile: 'members' },
  {
    name: 'calendar.options.ics',
    feed: 'calendar',
    format: 'ics',
    query: 'calendar=1,2&past=7&future=30&alarm=45&cancelled=mark',
  },
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

test.for(documents)('renders the same $name from the sample as before', (document) => {
  expectGolden(document.name, textOf(document))
})

test.for(documents.filter(({ format }) => format === 'ics'))(
  '$name from the sample has no violations',
  (document) => {
    expect(lintCalendar(Buffer.from(textOf(document)))).toEqual([])
  },
)

test.for(documents.filter(({ format }) => ['rss', 'atom'].includes(format)))(
  '$name from the sample is well-formed',
  (document) => {
    expect(() => assertWellFormed(textOf(document))).not.toThrow()
  },
)

test.for(documents.filter(({ format }) => format === 'json'))(
  '$name from the sample has no violations',
  (document) => {
    expect(lintJsonFeed(textOf(document))).toEqual([])
  },
)

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
