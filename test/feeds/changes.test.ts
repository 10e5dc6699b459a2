import { parseJsonFeed } from 'feedsmith'
import { describe, expect, test } from 'vitest'
import { atOnce } from '../../src/steps.ts'
import { feeds } from '../../src/feeds/catalog.ts'
import { changes, changesOf } from '../../src/feeds/changes.ts'
import { createRenderers, type ShownSource } from '../../src/feeds/feed.ts'
import type { Profile } from '../../src/records/profile.ts'
import { chosenOptions } from '../support/chosen-options.ts'
import { collectionAfter, feedWith, type RenderOptions } from '../support/feed-text.ts'
import { expectDistinctLinks, goldenItems } from '../support/golden-feed.ts'
import { markedRecord, markOf } from '../support/marked-record.ts'
import { testSite } from '../support/site.ts'

const start = Date.parse('2026-03-01T15:00:00Z')
const dayMs = 24 * 60 * 60 * 1000

type Readings = readonly (readonly object[])[]

/** Returns a feed with the records after these readings, an hour apart. */
async function sourceOf(id: string, readings: Readings): Promise<ShownSource> {
  const feed = feedWith(id)
  return { feed, source: await collectionAfter(feed.resource, readings, start) }
}

function rendered(
  sources: readonly ShownSource[],
  {
    format = 'json',
    profile = 'public',
    query = '',
    now = start + dayMs,
    site = testSite,
  }: Partial<RenderOptions> = {},
) {
  const request = { format, profile, now, chosen: chosenOptions(changes, format, query) }
  const { body, ...validity } = atOnce(changes.render(sources, request, createRenderers(site)))
  return { text: body.toString(), ...validity }
}

const itemsIn = (text: string) => parseJsonFeed(JSON.parse(text)).items ?? []
const titlesIn = (text: string) => itemsIn(text).map(({ title }) => title)

const drill = {
  id: 1,
  title: 'Drill &lt;A&gt; & B',
  status: 2,
  calendarId: 3,
  calendar: 'Drills',
  location: 'Station 1',
  startDate: '2026-03-10',
  startTime: '19:00:00',
  endTime: '21:00:00',
}
const dinner = { ...drill, id: 2, title: 'Dinner', startDate: '2026-07-10', startTime: '' }
const meeting = { ...drill, id: 3, title: 'Meeting', startDate: '2026-03-12' }
const hall = { id: 1, typeId: 1, type: 'Hall', startDate: '2026-03-20', allDay: 1 }
const fresh = { created: '2026-03-01 09:00:00' }

const sampleSources = () =>
  Promise.all([
    sourceOf('calendar', [
      [drill, dinner, meeting],
      [{ ...drill, startDate: '2026-03-11' }, dinner, meeting],
      [{ ...drill, startDate: '2026-03-11' }, meeting],
      [{ ...drill, startDate: '2026-03-11', location: 'Station 2' }, dinner, meeting],
    ]),
    sourceOf('rental', [[hall], [hall, { ...hall, id: 2, startDate: '2026-03-21' }]]),
  ])

test.for(['rss', 'atom', 'json'] as const)(
  'renders the same changes.%s as before',
  async (format) => {
    const { text } = rendered(await sampleSources(), { format })
    expect(goldenItems('changes', format, text)).toHaveLength(5)
    expectDistinctLinks(format, text)
  },
)

test('lists the latest change first, in words', async () => {
  const { text } = rendered(await sampleSources())
  expect(titlesIn(text)).toEqual([
    'Back on: Dinner, Fri, July 10, Station 1',
    'New place: Drill <A> & B, Wed, Mar 11, 7 PM, now Station 2 (was Station 1)',
    'Canceled: Dinner, Fri, July 10',
    'New: Hall rental, Sat, Mar 21',
    'Moved: Drill <A> & B, now Wed, Mar 11, 7 PM (was Tue, Mar 10, 7 PM)',
  ])
  expect(titlesIn(rendered(await sampleSources(), { query: 'limit=2' }).text)).toHaveLength(2)
})

test.for<[query: string, ids: readonly number[]]>([
  ['q=drill', [1, 4]],
  ['q=canceled+dinner', [2]],
  ['q=dinner+-canceled', [0]],
  ['q=%22station+2%22', [1]],
  ['q=rentals', [3]],
  ['q=CALENDAR+drill&limit=1', [1]],
  ['q=zebra', []],
  ['place=station+1', [0, 1, 2, 4]],
  ['place=Station+2', [1]],
  ['place=Station', []],
  ['place=station+1&q=moved', [4]],
])('filters changes with %s', async ([query, indexes]) => {
  const sources = await sampleSources()
  const all = itemsIn(rendered(sources).text)
  const { text, title } = rendered(sources, { query })
  expect(itemsIn(text)).toEqual(indexes.map((index) => all[index]))
  expect(title).toMatch(/: Changes \(.+\)$/)
  expect(JSON.parse(text)).toMatchObject({
    title,
    feed_url: expect.stringMatching(/\.json\?(?:q|place)=/),
  })
})

test('finds a series by the places of all its entries', async () => {
  const entries = [4, 5, 6].map((id) => ({ ...drill, ...fresh, id, location: `Station ${id}` }))
  const source = await sourceOf('calendar', [[meeting], [meeting, ...entries]])
  const [all, last, other] = ['', 'place=station+6', 'place=station+7'].map((query) =>
    titlesIn(rendered([source], { query }).text),
  )
  expect(all).toHaveLength(1)
  expect(last).toEqual(all)
  expect(other).toEqual([])
})

test('links to the pages of entries, on a static host only if the website shows the entry', async () => {
  const source = await sourceOf('calendar', [
    [drill, dinner, meeting],
    [{ ...drill, startDate: '2026-03-11' }, meeting],
  ])
  const urls = (profile: Profile, isStatic = false) =>
    itemsIn(rendered([source], { profile, site: { ...testSite, isStatic } }).text).map(
      ({ url }) => url,
    )
  for (const profile of ['public', 'members'] as const) {
    expect(urls(profile)).toEqual([
      'https://feeds.cedarhollow.example/calendar/2#change-2-1772377200-1',
      'https://feeds.cedarhollow.example/calendar/1#change-1-1772377200-1',
    ])
  }
  expect(urls('public', true)).toEqual([
    'https://cedarhollow.example/#calendar-2-1772377200-1',
    'https://feeds.cedarhollow.example/calendar/1#change-1-1772377200-1',
  ])
})

test('keeps the route in links to a web app', async () => {
  const readings = ['Station 2', 'Station 3'].map((location) => [{ ...drill, location }])
  const source = await sourceOf('calendar', [[drill], ...readings])
  const links = { calendar: 'https://cedarhollow.example/app#/events/{id}' }
  const { text } = rendered([source], { site: { ...testSite, links } })
  expectDistinctLinks('json', text)
  for (const { url } of itemsIn(text)) {
    expect(url).toMatch(/^https:\/\/cedarhollow\.example\/app\?item=change-[\d-]+#\/events\/1$/)
  }
})

test('keeps items for 90 days', async () => {
  const sources = [
    await sourceOf('calendar', [
      [drill, meeting],
      [drill, { ...meeting, location: 'Hall' }],
    ]),
  ]
  const at = start + 60 * 60 * 1000
  const { text, validUntil } = rendered(sources, { now: at + 90 * dayMs - 1 })
  expect(itemsIn(text)).toHaveLength(1)
  expect(validUntil).toBe(at + 90 * dayMs)
  const later = rendered(sources, { now: at + 90 * dayMs })
  expect(itemsIn(later.text)).toEqual([])
  expect(later.validUntil).toBe(Infinity)
})

test('reports an event that is also in the members’ calendar only once', async () => {
  const event = { ...drill, title: 'Open house' }
  const moved = { ...event, startDate: '2026-03-11' }
  const sources = await Promise.all([
    sourceOf('calendar', [
      [event, meeting],
      [moved, meeting],
    ]),
    sourceOf('events', [[event], [event], [moved]]),
  ])
  const items = itemsIn(rendered(sources).text)
  expect(items.map(({ id }) => id)).toEqual([expect.stringContaining(':changes-events-1-')])
  const [first] = sources
  expect(itemsIn(rendered(first ? [first] : []).text)).toHaveLength(1)
})

test.for([
  ['events', 22, 1],
  ['events', 26, 2],
  ['calendar', 22, 1],
  ['calendar', 26, 2],
] as const)(
  'reports the same change that %s has %i hours later as %i items',
  async ([laterFeed, hours, count]) => {
    const event = { ...drill, title: 'Open house' }
    const moved = { ...event, startDate: '2026-03-11' }
    const later = Array.from({ length: hours }, () => [event])
    const sources = await Promise.all(
      (['calendar', 'events'] as const).map((id) =>
        sourceOf(id, [[event], ...(id === laterFeed ? later : []), [moved]]),
      ),
    )
    expect(itemsIn(rendered(sources, { now: start + 3 * dayMs }).text)).toHaveLength(count)
  },
)

test('combines very many changes with the same text in linear time', async () => {
  const sources = await Promise.all(
    ['events', 'calendar'].map(async (id): Promise<ShownSource> => {
      const { feed, source } = await sourceOf(id, [[drill], [{ ...drill, title: 'Drill' }]])
      const [change] = feed.changes?.(source, testSite, () => false) ?? []
      const many = change ? Array.from({ length: 20_000 }, () => change) : []
      return { feed: { ...feed, changes: () => many }, source }
    }),
  )
  const before = process.cpuUsage()
  expect(changesOf(sources, testSite)).toHaveLength(20_000)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(2000)
})

test('keeps the id of an item while edits go on, and never reuses it', async () => {
  const steps = [
    drill,
    { ...drill, location: 'A' },
    { ...drill, location: 'B' },
    { ...drill, location: 'A' },
  ]
  const ids = new Set<string | undefined>()
  for (const [index] of steps.entries()) {
    const readings = steps.slice(0, index + 1).map((item) => [item, meeting])
    for (const { id } of itemsIn(rendered([await sourceOf('calendar', readings)]).text)) ids.add(id)
  }
  expect(ids.size).toBe(3)
})

describe('nobody is named', () => {
  const shown = new Set(['title', 'location', 'type', 'eventDate'])

  test.for(
    (['calendar', 'rental', 'signup'] as const).flatMap((feed) =>
      (['public', 'members', 'full'] as const).map((profile) => [feed, profile] as const),
    ),
  )('in changes of %s for the profile %s', async ([feed, profile]) => {
    const { item, marked } = markedRecord(feed)
    const other = { ...(item as object), id: 900, ...fresh }
    const edited = { ...(item as object), title: 'zqotherzq', type: 'zqotherzq' }
    const source = await sourceOf(feed, [
      [item as object],
      [item as object, other],
      [edited, other],
      [other],
    ])
    const texts = (['rss', 'atom', 'json'] as const).map(
      (format) => rendered([source], { format, profile }).text,
    )
    expect(itemsIn(texts[2] ?? '').length).toBeGreaterThan(1)
    const hidden = marked.filter((field) => !shown.has(field))
    expect(hidden.length).toBeGreaterThan(2)
    for (const field of hidden) {
      expect(texts.join('')).not.toContain(markOf(field))
      const query = `q=${markOf(field)}`
      expect(itemsIn(rendered([source], { profile, query }).text)).toEqual([])
    }
  })
})

test('describes itself even if nothing has changed yet', async () => {
  const { text } = rendered([await sourceOf('calendar', [[drill]])])
  expect(JSON.parse(text)).toMatchObject({
    title: 'Cedar Hollow; Fire, Rescue & EMS: Changes',
    feed_url: 'https://feeds.cedarhollow.example/changes.json',
    items: [],
  })
  const { text: secret } = rendered([await sourceOf('calendar', [[drill]])], { profile: 'members' })
  expect(JSON.parse(secret)).not.toHaveProperty('feed_url')
})

test('combines the calendars that the viewer may read, and nothing else', () => {
  const sources = changes.sourcesFrom(feeds, 'rss', { values: {}, query: '' })
  expect(sources.map(({ id }) => id)).toEqual(['calendar', 'events', 'rental', 'signup'])
})
