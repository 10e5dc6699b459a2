import { afterAll, describe, expect, test } from 'vitest'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import type { BoardItem } from '../../src/signage/board-item.ts'
import { readCalendar } from '../support/read-calendar.ts'
import { startTestService } from '../support/service.ts'

const sample = sampleDatasetOn('2026-03-05')

const service = await startTestService()
afterAll(() => service[Symbol.asyncDispose]())
await service.readAll()

const ask = async (path: string) => {
  const response = await fetch(`${service.url}${path}`)
  return { status: response.status, text: await response.text() }
}

async function boardItems(query: string): Promise<readonly BoardItem[]> {
  const { status, text } = await ask(`/board.json?${query}`)
  expect(status).toBe(200)
  return JSON.parse(text) as readonly BoardItem[]
}

/** Returns the ids of the records in an embedded list. */
async function embeddedIds(feed: string, query: string): Promise<readonly number[]> {
  const { status, text } = await ask(`/embed/${feed}?limit=30&${query}`)
  expect(status).toBe(200)
  const links = text.matchAll(new RegExp(`<a class="[^"]+" href="[^"]*/${feed}/(\\d+)"`, 'g'))
  return [...links].map(([, id]) => Number(id))
}

async function feedIds(feed: string, query: string): Promise<readonly number[]> {
  const { events } = readCalendar((await ask(`/${feed}.ics?${query}`)).text)
  return events.map(({ uid }) => Number(/-(\d+)@/.exec(uid)?.[1]))
}

const idsOf = (items: readonly BoardItem[], kind: string) =>
  items.filter((item) => item.kind === kind).map(({ id }) => Number(id.split('-').at(-1)))

describe('embedded lists and boards can be filtered by', () => {
  test.for([
    ['calendar', 'calendar=2', sample.calendar.filter((event) => event.calendarId === 2)],
    ['rental', 'type=2', sample.rental.filter(({ typeId }) => typeId === 2)],
    ['news', 'category=2', sample.news.filter(({ categoryId }) => categoryId === 2)],
    ['news', 'category=3,2', sample.news.filter(({ categoryId }) => [2, 3].includes(categoryId))],
    ['news', 'featured=1', sample.news.filter(({ featured }) => featured === 1)],
  ] as const)('%s?%s', async ([feed, query, records]) => {
    const chosen: readonly { readonly id: number }[] = records
    const known = new Set(chosen.map(({ id }) => id))
    const shown = [await embeddedIds(feed, query), idsOf(await boardItems(query), feed)]
    const all = [await embeddedIds(feed, ''), idsOf(await boardItems(''), feed)]
    for (const [index, ids] of shown.entries()) {
      expect(ids.length).toBeGreaterThan(0)
      expect(ids).not.toEqual(all[index])
      expect(ids.filter((id) => !known.has(id))).toEqual([])
    }
  })

  test('a window of days', async () => {
    const days = await feedIds('events', 'past=0&future=9')
    expect(days.length).toBeGreaterThan(0)
    expect(new Set(await embeddedIds('events', 'past=0&future=9'))).toEqual(new Set(days))
    expect(new Set(idsOf(await boardItems('past=0&future=9'), 'events'))).toEqual(new Set(days))
    const lately = await embeddedIds('events', 'past=20&future=0')
    expect(new Set(lately)).toEqual(new Set(await feedIds('events', 'past=20&future=0')))
    expect(lately.filter((id) => !days.includes(id)).length).toBeGreaterThan(0)
  })

  test('a number of items', async () => {
    const items = await boardItems('limit=2')
    for (const kind of ['events', 'calendar', 'rental', 'news']) {
      expect(idsOf(items, kind)).toHaveLength(2)
    }
  })

  test('feed options in RSS, in Concerto’s format, and on the page', async () => {
    const [shown] = await boardItems('show=news&category=2')
    const hidden = (await boardItems('show=news')).find(
      ({ category }) => category !== shown?.category,
    )
    expect(hidden).toBeDefined()
    for (const path of ['/board', '/board.rss', '/board/concerto.json']) {
      const { text } = await ask(`${path}?show=news&category=2`)
      expect(text).toContain(shown?.title)
      expect(text).not.toContain(hidden?.title)
    }
  })
})

const hasNoEffect = (query: string) =>
  `${query.split('=')[0]} has no effect on boards and lists. Leave it out.`

const notNumbers = (name: string) =>
  `${name} must be 1 to 20 comma-separated numbers, like ${name}=2,5.`

const impossible = [
  ['calendar=x', notNumbers('calendar')],
  ['past=yesterday', 'past must be a whole number from 0 to 3650.'],
  ['future=-1', 'future must be a whole number from 0 to 3650.'],
  ...['alarm=60', 'busy=1', 'cancelled=mark', 'color=b22222', 'alarm=soon'].map(
    (query) => [query, hasNoEffect(query)] as const,
  ),
  ['limit=31', 'limit must be a whole number from 1 to 30.'],
] as const

test.for([
  ...impossible.map(([query, sentence]) => ['/embed/calendar', query, sentence] as const),
  ['/embed/rental', 'type=', notNumbers('type')],
  ['/embed/news', 'category=0', notNumbers('category')],
  ['/embed/news', 'featured=yes', 'featured must be 0 or 1.'],
  ['/embed/events', 'content=summary', hasNoEffect('content')],
  ...['/board', '/board.json', '/board.rss', '/board/concerto.json'].flatMap((path) => [
    ...impossible.map(([query, sentence]) => [path, query, sentence] as const),
    [path, 'show=news&type=x', notNumbers('type')] as const,
    [path, 'category=x', notNumbers('category')] as const,
    [path, 'content=summary', hasNoEffect('content')] as const,
  ]),
] as const)('rejects %s?%s with 400 and an explanation', async ([path, query, sentence]) => {
  expect(await ask(`${path}?${query}`)).toEqual({ status: 400, text: `${sentence}\n` })
})

test('ignores unknown parameters', async () => {
  const { text } = await ask('/embed/news?limit=3')
  expect(text).toBe((await ask('/embed/news?limit=3&calendar=x&utm_source=y')).text)
})

test('limits how many different lists each client can request', async () => {
  await using other = await startTestService()
  await other.readAll()
  const status = async (path: string) => (await fetch(`${other.url}${path}`)).status
  for (let day = 0; day < 30; day += 1) {
    expect(await status(`/embed/events?past=${day}`)).toBe(200)
  }
  expect(await status('/embed/events?past=30')).toBe(429)
  expect(await status('/embed/events?past=29')).toBe(200)
  expect(await status('/embed/events?past=29&utm_source=x')).toBe(200)
  expect(await status('/embed/events')).toBe(200)
})
