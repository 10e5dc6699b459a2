import { describe, expect, test } from 'vitest'
import { feeds } from '../../src/feeds/catalog.ts'
import { calendar } from '../../src/feeds/catalog/calendar-feeds.ts'
import { prepareSearch } from '../../src/feeds/prepare-search.ts'
import { languages } from '../../src/records/messages.ts'
import { profiles } from '../../src/records/profile.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { emptySearch, readSearch } from '../../src/search/search.ts'
import { chosenOptions } from '../support/chosen-options.ts'
import { renderCombined } from '../support/combined-calendar.ts'
import { collectionAfter, renderFeed } from '../support/feed-text.ts'
import { markedRecord, markOf } from '../support/marked-record.ts'
import { readCalendar } from '../support/read-calendar.ts'
import { testSite } from '../support/site.ts'

const now = Date.parse('2026-03-05T15:00:00Z')

const entries = [
  { id: 1, title: 'Café night', location: 'Social Hall, 14 Mill Road', text: 'Bring <b>pie</b>' },
  { id: 2, title: 'Drill', location: 'Station 1', text: 'Ladder &amp; hose <!-- secret -->' },
  { id: 3, title: 'EMS drill', location: 'Station 12', calendar: 'Medical' },
  { id: 4, title: 'Meeting', location: 'Social hall (kitchen)', text: 'Drills of <i>la</i>dders' },
  { id: 5, title: 'Hidden drill', status: 0, location: 'Station 1' },
].map((entry) => ({
  status: 2,
  calendarId: 3,
  calendar: 'Company',
  startDate: '2026-03-07',
  allDay: 1,
  ...entry,
}))

const collection = await collectionAfter('calendar', [entries], now)

const ascending = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)

const idsIn = (text: string) =>
  ascending([...text.matchAll(/^UID:[a-z]+-(\d+)@/gm)].map(([, id]) => Number(id)))

const eventIn = (text: string) => /BEGIN:VEVENT\r\nUID:calendar-2@[^]*?END:VEVENT/.exec(text)?.[0]

const itemCount = (text: string) =>
  text.split(/BEGIN:VEVENT|<item>|<entry>|"date_published"/).length

test.for<[query: string, ids: readonly number[]]>([
  ['q=drill', [2, 3, 4]],
  ['q=DRILL+-ems', [2, 4]],
  ['q=cafe', [1]],
  ['q=ladder+hose', [2]],
  ['q=ladders', [4]],
  ['q=%22hose+ladder%22', []],
  ['q=%22ladder+%26+hose%22', [2]],
  ['q=pie', [1]],
  ['q=medical', [3]],
  ['q=mill', [1]],
  ['q=secret', []],
  ['q=hidden', []],
  ['q=', [1, 2, 3, 4]],
  ['place=Social+Hall', [1, 4]],
  ['place=station+1', [2]],
  ['place=Station', []],
  ['place=social+hall&q=pie', [1]],
  ['place=social+hall&calendar=4', []],
])('filters a calendar with %s', ([query, ids]) => {
  const { text } = renderFeed('calendar', collection, { now, query })
  expect(idsIn(text)).toEqual(ids)
  const chosen = chosenOptions(calendar, 'ics', query)
  const { board } = calendar.overview(collection, {
    site: testSite,
    profile: 'public',
    now,
    chosen,
  })
  expect(ascending(board.map(({ id }) => Number(id.split('-')[1])))).toEqual(ids)
  const range = { from: '2026-03-01', to: '2026-03-31', parts: [], ...chosen.values }
  const listed = calendar.listed?.(collection, range, { site: testSite, profile: 'public', now })
  expect(ascending([...(listed?.map(({ recordId }) => recordId) ?? [])])).toEqual(ids)
})

test('keeps entries unchanged in a filtered calendar, and adds the search to its title', () => {
  const searched = renderFeed('calendar', collection, { now, query: 'q=hose&place=Station+1' })
  expect(eventIn(searched.text)).toBe(eventIn(renderFeed('calendar', collection, { now }).text))
  expect(searched.title).toMatch(/ \(hose, station 1\)$/)
  expect(searched.text.replaceAll('\r\n ', '')).toContain('?q=hose&place=station%201\r\n')
})

test('finds canceled entries by their last text', async () => {
  const others = entries.slice(0, 3)
  const after = await collectionAfter('calendar', [entries, others], now)
  const query = 'q=ladders&cancelled=mark'
  const { events } = readCalendar(renderFeed('calendar', after, { now, query }).text)
  expect(events.map(({ summary }) => summary)).toEqual(['Canceled: Meeting'])
})

describe('an entry of several feeds', async () => {
  const openHouse = { ...entries[0], title: 'Open house', startDate: '2026-03-09' }
  const collections = [
    await collectionAfter('calendar', [[openHouse]], now),
    await collectionAfter('events', [[{ ...openHouse, text: 'For everyone' }]], now),
  ]

  test.for(['q=pie', 'q=everyone', 'q=house'])('is complete with %s', (query) => {
    const [all, searched] = ['', query].map((each) =>
      renderCombined(collections, { now, query: each }),
    )
    expect(searched?.events).toHaveLength(1)
    expect(searched?.events).toEqual(all?.events)
  })

  test('is found by words from all of them', () => {
    expect(renderCombined(collections, { now, query: 'q=pie+everyone' }).events).toHaveLength(1)
  })

  test.for(['q=bingo', 'q=-pie', 'q=-everyone'])('is left out with %s', (query) => {
    expect(renderCombined(collections, { now, query }).events).toEqual([])
  })
})

const stories = [
  {
    id: 1,
    headline: 'Fire on Mill Road',
    text: '<p>Two <b>en</b>gines &lt;went&gt;</p><p>Out</p>',
  },
  { id: 2, headline: 'New engine', author: 'Jordan Reyes', category: 'Apparatus', text: 'Müller' },
  { id: 3, headline: 'Hidden engine', deployed: 0, text: '' },
].map((story) => ({ deployed: 1, categoryId: 2, date: '2026-03-01 10:00:00', ...story }))

const news = await collectionAfter('news', [stories], now)

test.for<[query: string, ids: readonly string[]]>([
  ['q=engine', ['2', '1']],
  ['q=engine+-new', ['1']],
  ['q=%22%3Cwent%3E+out%22', ['1']],
  ['q=wentout', []],
  ['q=muller', ['2']],
  ['q=reyes', ['2']],
  ['q=apparatus', ['2']],
  ['q=hidden', []],
  ['q=strong', []],
])('filters a news feed with %s', ([query, ids]) => {
  for (const format of ['rss', 'atom', 'json'] as const) {
    const { text } = renderFeed('news', news, { now, format, query })
    const found = [...text.matchAll(/tag:[^<"]*:news-(\d+)/g)].map(([, id]) => id)
    expect([...new Set(found)]).toEqual(ids)
  }
})

test('handles texts of 1 MB', async () => {
  const text = `<p>${'ß '.repeat(500_000)}</p><p>needle</p>`
  const long = await collectionAfter('calendar', [[{ ...entries[1], text }]], now)
  expect(idsIn(renderFeed('calendar', long, { now, query: 'q=ss' }).text)).toEqual([2])
})

/** The profile that sees the most comes first, so that its cached texts would be found by the others. */
const fullFirst = profiles.toReversed()

test.for(feeds)('finds only what readers of $id see', async (feed) => {
  expect(fullFirst[0]).toBe('full')
  const { item, marked } = markedRecord(feed.resource)
  const source = await collectionAfter(feed.resource, [[item]], now)
  for (const { profile, format } of fullFirst.flatMap((profile) =>
    feed.formats.map((format) => ({ profile, format })),
  )) {
    const plain = renderFeed(feed.id, source, { now, format, profile, query: '' })
    const visible = plain.text.replaceAll(/\r\n[ \t]/g, '').toLowerCase()
    const found = marked.filter((field) => {
      const query = `q=${markOf(field)}`
      const { text } = renderFeed(feed.id, source, { now, format, profile, query })
      return itemCount(text) === itemCount(plain.text) && itemCount(text) > 1
    })
    // Only entries that are listed can be found.
    expect(found.length > 0).toBe(itemCount(plain.text) > 1)
    expect(found.filter((field) => !visible.includes(markOf(field).toLowerCase()))).toEqual([])
  }
})

test('finds labels only in the language of the feed', async () => {
  const event = { ...entries[0], deployed: 1, contact: 'Pat' }
  const source = await collectionAfter('events', [[event]], now)
  const found = (language: string, format: 'ics' | 'rss', query: string) =>
    itemCount(
      renderFeed('events', source, { now, format, query, site: { ...testSite, language } }).text,
    ) - 1
  for (const format of ['ics', 'rss'] as const) {
    const counts = ['de', 'en'].map((language) => found(language, format, 'q=kontakt'))
    expect(counts).toEqual([1, 0])
  }
})

test('treats an empty search as no search', () => {
  expect(readSearch(' "" - ')).toEqual(emptySearch)
})

test('needs at most twice as many characters as the records for the texts of all readers', async () => {
  const dataset: Readonly<Record<string, readonly unknown[]>> = sampleDatasetOn('2026-03-05')
  let [recorded, folded] = [0, 0]
  for (const feed of feeds) {
    const source = await collectionAfter(feed.resource, [dataset[feed.resource] ?? []], now)
    const texts = new Set<readonly string[]>()
    for (const profile of profiles) {
      for (const language of languages) {
        const site = { ...testSite, language }
        for (const item of await prepareSearch(feed, source, { site, profile, now })) {
          texts.add(item.texts)
        }
      }
    }
    recorded += JSON.stringify(source.records).length
    folded += [...texts].flat().join('').length
  }
  expect(folded).toBeGreaterThan(recorded / 4)
  expect(folded).toBeLessThan(2 * recorded)
})
