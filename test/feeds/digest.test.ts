import fc from 'fast-check'
import { parseJsonFeed } from 'feedsmith'
import { expect, test } from 'vitest'
import { atOnce } from '../../src/steps.ts'
import { noneChosen } from '../../src/options/option.ts'
import { digest } from '../../src/feeds/digest.ts'
import { createRenderers, type ShownSource } from '../../src/feeds/feed.ts'
import type { FeedFormat } from '../../src/feeds/formats.ts'
import { duplicatesIn } from '../../src/feeds/duplicates.ts'
import { siteIn } from '../../src/feeds/site.ts'
import { instantFromSiteTime } from '../../src/records/site-time.ts'
import { collectionAfter, feedWith } from '../support/feed-text.ts'
import { goldenItems } from '../support/golden-feed.ts'
import { hostileText } from '../support/hostile-text.ts'
import { testSite } from '../support/site.ts'
import { assertWellFormed } from '../support/well-formed.ts'

const at = (time: string, timeZone = testSite.timeZone) => instantFromSiteTime(time, timeZone)

/** The Sunday on which the item for March 2 to 8 appears. */
const sunday = at('2026-03-01T08:00:00')
const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const weekMs = 7 * dayMs

/** Returns a feed with the records after these readings, an hour apart. */
async function sourceOf(
  id: string,
  readings: readonly (readonly object[])[],
  start = sunday - 2 * dayMs,
): Promise<ShownSource> {
  const feed = feedWith(id)
  return { feed, source: await collectionAfter(feed.resource, readings, start) }
}

type Options = {
  readonly format?: FeedFormat
  readonly now?: number
  readonly site?: typeof testSite
  readonly profile?: 'public' | 'full'
}

function rendered(
  sources: readonly ShownSource[],
  { format = 'json', now = sunday, site = testSite, profile = 'public' }: Options = {},
) {
  const duplicates = () => atOnce(duplicatesIn(sources, { site, profile }))
  const request = { format, profile, now, chosen: noneChosen(digest.options(format)), duplicates }
  const { body, ...rest } = atOnce(digest.render(sources, request, createRenderers(site)))
  return { text: body.toString(), ...rest }
}

const itemsIn = (text: string) => parseJsonFeed(JSON.parse(text)).items ?? []
const itemsAt = (sources: readonly ShownSource[], options?: Options) =>
  itemsIn(rendered(sources, options).text)
const weeksOf = (items: ReturnType<typeof itemsIn>) => items.map(({ id }) => id?.slice(-8))

const drill = {
  id: 1,
  title: 'Drill &lt;A&gt; & B',
  status: 2,
  calendarId: 3,
  calendar: 'Drills',
  location: 'Station 1',
  startDate: '2026-03-03',
  startTime: '19:00:00',
  endTime: '21:00:00',
}
const dinner = { ...drill, id: 2, title: 'Dinner', startDate: '2026-03-06', startTime: '' }
const camp = { ...dinner, id: 3, title: 'Camp', startDate: '2026-02-27', endDate: '2026-03-02' }
const meeting = { ...drill, id: 4, title: 'Meeting', startDate: '2026-03-08' }
const later = { ...drill, id: 5, title: 'Later', startDate: '2026-03-09' }
const story = {
  id: 7,
  headline: 'Pancakes raise $2,000',
  date: '2026-02-25 10:00:00',
  deployed: 1,
  text: '<p>Thank you all! The money pays for hoses.</p>',
}

const sampleSources = () =>
  Promise.all([
    sourceOf('calendar', [
      [drill, dinner, { ...camp, location: 'Park' }, meeting, later],
      [drill, camp, meeting, later],
    ]),
    sourceOf('news', [[story, { ...story, id: 8, headline: 'Old', date: '2026-02-01 10:00:00' }]]),
  ])

test.for(['rss', 'atom', 'json'] as const)(
  'renders the same digest.%s as before',
  async (format) => {
    const { text } = rendered(await sampleSources(), { format })
    expect(goldenItems('digest', format, text)).toHaveLength(2)
  },
)

test('lists the coming week by day, then changes and news of the last week', async () => {
  const [item] = itemsAt(await sampleSources())
  expect(item).toMatchObject({
    id: expect.stringMatching(/^tag:.*,2026:digest-2026-W10$/),
    title: 'Mar 2 – 8, 2026: Camp, Drill <A> & B and 2 more',
  })
  const lines = item?.content_html?.split(/\n|<br>/).map((line) => line.replaceAll(/<[^>]*>/g, ''))
  expect(lines?.filter((line) => line !== '')).toEqual([
    'Coming up',
    'Monday, March 2, 2026',
    'Feb 27 – Mar 2, 2026 Camp, Station 1',
    'Tuesday, March 3, 2026',
    '7 – 9 PM Drill &lt;A&gt; &amp; B, Station 1',
    'Friday, March 6, 2026',
    'All day Canceled: Dinner, Station 1',
    'Sunday, March 8, 2026',
    '7 – 9 PM Meeting, Station 1',
    'Changes',
    'Canceled: Dinner, Fri, Mar 6',
    'New place: Camp, Fri, Feb 27 – Mon, Mar 2, now Station 1 (was Park)',
    'News',
    'Pancakes raise $2,000',
    'Thank you all!',
  ])
})

test('has no item for a week without entries, changes or news', async () => {
  const sources = [
    await sourceOf('calendar', [[drill, { ...drill, id: 9, startDate: '2026-03-17' }]]),
  ]
  const now = sunday + 3 * weekMs
  expect(weeksOf(itemsAt(sources, { now }))).toEqual(['2026-W12', '2026-W10'])
  expect(itemsAt(sources, { now: sunday - 5 * weekMs })).toEqual([])
})

test('publishes an item on Sunday at 8, and removes it after four weeks', async () => {
  const sources = [await sourceOf('calendar', [[drill]])]
  expect(weeksOf(itemsAt(sources, { now: sunday - 1 }))).toEqual([])
  expect(rendered(sources, { now: sunday - 1 }).validUntil).toBe(sunday)
  expect(weeksOf(itemsAt(sources))).toEqual(['2026-W10'])
  const end = at('2026-03-29T08:00:00')
  expect(weeksOf(itemsAt(sources, { now: end - 1 }))).toEqual(['2026-W10'])
  expect(weeksOf(itemsAt(sources, { now: end }))).toEqual([])
})

test.for([
  ['America/New_York', '2026-03-08', 7 * 24 - 1],
  ['America/New_York', '2026-11-01', 7 * 24 + 1],
  ['Europe/Berlin', '2026-03-29', 7 * 24 - 1],
  ['Australia/Lord_Howe', '2026-04-05', 7 * 24 + 0.5],
] as const)(
  'keeps the time of day when clocks in %s change on %s',
  async ([timeZone, day, hours]) => {
    const site = { ...testSite, timeZone }
    const now = at(`${day}T08:00:00`, timeZone)
    const sources = [
      await sourceOf(
        'news',
        [
          [
            { ...story, date: `${day} 07:59:59` },
            { ...story, id: 8, date: `${day} 08:00:00` },
          ],
        ],
        now - weekMs,
      ),
    ]
    const { validFrom, validUntil } = rendered(sources, { site, now: now - 1 })
    expect(validUntil).toBe(now)
    expect((validUntil - validFrom) / hourMs).toBe(hours)
    const [item] = itemsAt(sources, { site, now })
    expect(item?.date_published).toBe(new Date(now).toISOString())
    expect(item?.content_html?.match(/<li>/g)).toHaveLength(1)
  },
)

test('has the same bytes at every time between two publications', async () => {
  const sources = await sampleSources()
  fc.assert(
    fc.property(
      fc.integer({ min: -6, max: 8 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (week, part) => {
        const { text, validFrom, validUntil } = rendered(sources, { now: sunday + week * weekMs })
        const now = Math.min(
          validUntil - 1,
          Math.floor(validFrom + part * (validUntil - validFrom)),
        )
        expect(rendered(sources, { now }).text).toBe(text)
      },
    ),
  )
})

test('keeps id, date and news of an item when entries are added, moved or canceled later', async () => {
  const [before, after] = [
    [drill, dinner, meeting],
    [
      { ...drill, location: 'Station 2' },
      { ...meeting, startDate: '2026-03-10' },
      { ...later, startDate: '2026-03-04' },
      { ...drill, id: 6, title: 'New' },
    ],
  ]
  const withLater = [...before, later]
  const first = await sourceOf('calendar', [withLater], sunday - hourMs)
  const second = await sourceOf('calendar', [withLater, withLater, after], sunday - hourMs)
  const [item] = itemsAt([first])
  const [edited] = itemsAt([second], { now: sunday + dayMs })
  const { id, date_published, date_modified, url } = item ?? {}
  expect(edited).toMatchObject({ id, date_published, url })
  expect(edited?.date_modified).toEqual(date_modified)
  expect(item?.title).toMatch(/: Drill <A> & B, Dinner, Meeting$/)
  expect(edited?.title).toMatch(/: Drill <A> & B$/)
  expect(edited?.content_html).toContain('Station 2')
  expect(edited?.content_html).toContain('Canceled: Dinner')
  const [next] = itemsAt([second], { now: sunday + weekMs })
  expect(next?.content_html).toContain('New: New')
})

test('shows news that was put online late in the next item', async () => {
  const late = { ...story, id: 9, headline: 'Late', date: '2026-02-28 09:00:00' }
  const old = { ...story, id: 10, headline: 'Old', date: '2026-02-02 09:00:00' }
  const sources = [await sourceOf('news', [[story], [story], [story, late, old]], sunday - hourMs)]
  const items = itemsAt(sources, { now: sunday + weekMs })
  expect(items.map(({ title }) => title)).toEqual([
    'Mar 9 – 15, 2026: Late',
    'Mar 2 – 8, 2026: Pancakes raise $2,000',
  ])
})

const drillsIn = (sources: readonly ShownSource[]) =>
  itemsAt(sources)[0]?.content_html?.match(/<li><b>[^\n]*Drill/g)

test('shows an event of several calendars once, unless all copies are canceled', async () => {
  const [calendar, events, canceled] = await Promise.all([
    sourceOf('calendar', [[drill]]),
    sourceOf('events', [[drill, dinner]]),
    sourceOf('events', [[drill, dinner], [dinner]]),
  ])
  expect(drillsIn([calendar, events])).toHaveLength(1)
  expect(drillsIn([calendar, canceled])?.join()).not.toContain('Canceled')
  expect(drillsIn([canceled])?.join()).toContain('Canceled')
})

test('has only public content, whatever the profile', async () => {
  const sources = await Promise.all([
    sourceOf('calendar', [[drill, { ...dinner, status: 1 }]]),
    sourceOf('news', [[{ ...story, deployed: 0 }]]),
  ])
  const { text } = rendered(sources, { profile: 'full' })
  expect(itemsIn(text)).toHaveLength(1)
  expect(text).not.toMatch(/Dinner|Pancakes/)
})

test.for([
  ['es', 'Próximamente', 'Cancelado: Dinner'],
  ['fr', 'À venir', 'Annulé'],
  ['de', 'Demnächst', 'Abgesagt: Dinner'],
] as const)('is in another language: %s', async ([language, heading, canceled]) => {
  const sources = await sampleSources()
  const [item] = itemsAt(sources, { site: siteIn(testSite, language) })
  expect(item?.id).toBe(itemsAt(sources)[0]?.id)
  expect(item?.content_html).toContain(`<h2>${heading}</h2>`)
  expect(item?.content_html).toContain(canceled)
  expect(item?.url).toContain(`/?lang=${language}#digest-2026-W10`)
})

test('links canceled entries on a static host only if they have a page', async () => {
  const [item] = itemsAt(await sampleSources(), { site: { ...testSite, isStatic: true } })
  expect(item?.content_html).toContain('<b>All day</b> Canceled: Dinner, Station 1')
  expect(item?.content_html).toContain('<li>Canceled: Dinner, Fri, Mar 6</li>')
})

test('escapes hostile text', async () => {
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      const sources = await Promise.all([
        sourceOf('calendar', [[{ ...drill, title: text, location: text }]]),
        sourceOf('news', [[{ ...story, headline: text, text }]]),
      ])
      expect(assertWellFormed(rendered(sources, { format: 'rss' }).text) ?? []).toEqual([])
      const [item] = itemsAt(sources)
      expect(item?.content_html).not.toMatch(/<(?!\/?(?:h2|h3|ul|li|b|a|p|br)\b)/)
    }),
    { numRuns: 50 },
  )
})

test('lists at most 100 entries a week', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => ({ ...drill, id: index + 1 }))
  const [item] = itemsAt([await sourceOf('calendar', [many])])
  expect(item?.content_html?.match(/<li>/g)).toHaveLength(100)
  expect(item?.content_html).toContain('and 9900 more')
  expect(item?.content_html?.length).toBeLessThan(50_000)
})
