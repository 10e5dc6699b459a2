import { expect, test } from 'vitest'
import { atOnce } from '../../src/steps.ts'
import { readDepartment } from '../../src/feeds/county.ts'
import { createRenderers } from '../../src/feeds/feed.ts'
import { published } from '../../src/feeds/published.ts'
import { noneChosen } from '../../src/options/option.ts'
import { collectionAfter, feedWith } from '../support/feed-text.ts'
import { expectGolden } from '../support/golden.ts'
import { testSite } from '../support/site.ts'

const now = Date.parse('2026-03-05T15:00:00Z')

const drill = {
  id: 1,
  title: 'Drill &lt;A&gt; & B',
  status: 2,
  calendarId: 3,
  calendar: 'Drills',
  location: 'Station 1',
  startDate: '2026-03-07',
  startTime: '19:00:00',
  endTime: '21:00:00',
}

const story = {
  id: 7,
  headline: 'Pancakes raise $2,000',
  date: '2026-02-25 10:00:00',
  deployed: 1,
  text: '<p>Thank you all! The money pays for hoses.</p>',
}

/** Renders the feed with these records, the first of which is private. */
async function rendered() {
  const read = async (id: string, records: readonly object[]) => {
    const feed = feedWith(id)
    return { feed, source: await collectionAfter(feed.resource, [records], now) }
  }
  const sources = [
    await read('calendar', [{ ...drill, id: 2, title: 'Private', status: 1 }, drill]),
    await read('news', [story]),
  ]
  const request = { format: 'json', profile: 'public', now, chosen: noneChosen({}) } as const
  return atOnce(published.render(sources, request, createRenderers(testSite)))
}

test('has the same form as before, which other versions read', async () => {
  const { body } = await rendered()
  expectGolden('published.json', `${JSON.stringify(JSON.parse(body.toString()), undefined, 2)}\n`)
})

test('is read by the county page', async () => {
  const { body, validUntil } = await rendered()
  const { name, feedIds, calendar, news, items } = readDepartment(body.toString(), 'https://a/')
  expect([name, feedIds]).toEqual([testSite.name, ['calendar', 'news']])
  expect(calendar?.events.map(({ uid }) => uid)).toEqual([`calendar-1@${testSite.idHost}`])
  expect(news.map(({ title }) => title)).toEqual([story.headline])
  expect(items.map(({ id }) => id)).toEqual(['calendar-1'])
  expect(validUntil).toBeLessThanOrEqual(now + 24 * 60 * 60 * 1000)
})

test.for([
  ['#b3261e', '#b3261e'],
  ['red; } body { display: none', undefined],
  [5, undefined],
])('the county page uses only colors that are safe in a style sheet: %o', async ([color, used]) => {
  const { body } = await rendered()
  const text = JSON.stringify({ ...JSON.parse(body.toString()), color })
  expect(readDepartment(text, 'https://a/').color).toBe(used)
})
