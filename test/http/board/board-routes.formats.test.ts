import FeedMe from 'feedme'
import { parseRssFeed } from 'feedsmith'
import ical from 'node-ical'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BoardItem } from '../../../src/signage/board-item.ts'
import type { ConcertoContent } from '../../../src/signage/concerto.ts'
import { exchange, requestText } from '../../support/raw-http.ts'
import { startTestService } from '../../support/service.ts'
import { assertWellFormed } from '../../support/well-formed.ts'

let service: Awaited<ReturnType<typeof startTestService>>

beforeAll(async () => {
  service = await startTestService()
  await service.readAll()
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

const ask = (path: string, origin = service.url) => exchange(origin, requestText(path))

test('serves /board.rss with plain text and at most one picture per item', async () => {
  const { body, headers } = await ask('/board.rss')
  expect(headers['content-type']).toMatch(/^application\/rss\+xml/)
  const text = body.toString()
  assertWellFormed(text)
  expect(text).not.toContain('content:encoded')
  const { items = [] } = parseRssFeed(text)
  const now = service.clock.now()
  expect(items.length).toBeGreaterThan(50)
  for (const item of items) {
    expect(`${item.title}${item.description}`).not.toMatch(/<\w+[^>]*>|&\w+;/)
    expect(Date.parse(String(item.pubDate))).toBeLessThanOrEqual(now)
    expect(item.enclosures?.length ?? 0).toBeLessThanOrEqual(1)
    const pictures = [item.enclosures ?? [], item.media?.contents ?? []]
    const [enclosed, media] = pictures.map((all) => all.map(({ url }) => url))
    expect(media).toEqual(enclosed)
  }
  const dates = items.map(({ pubDate }) => String(pubDate))
  expect(dates[0]).toBe('Thu, 05 Mar 2026 05:00:00 GMT')
  expect(new Set(items.map(({ link }) => link)).size).toBeGreaterThan(50)
  const [pictured] = items.flatMap(({ enclosures }) => enclosures ?? [])
  const picture = await fetch(String(pictured?.url))
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, pictured?.type])
})

test('serves /board/concerto.json in Concerto’s remote feed format', async () => {
  const { body } = await ask('/board/concerto.json')
  const contents = JSON.parse(body.toString()) as readonly ConcertoContent[]
  expect(new Set(contents.map(({ type, name }) => `${type} ${name}`)).size).toBe(contents.length)
  for (const content of contents) {
    expect(content.duration).toBeGreaterThan(0)
    expect(content.type === 'Graphic' ? content.url : content.text).not.toBe('')
    const end = Date.parse(content.end_time ?? '2100-01-01')
    expect(end).toBeGreaterThan(service.clock.now())
  }
  expect(contents.some(({ type }) => type === 'Graphic')).toBe(true)
})

test("serves feeds that MagicMirror's calendar and news parsers read like board.json", async () => {
  const { body } = await ask('/events.ics')
  const entries = Object.values(ical.sync.parseICS(body.toString())).filter(
    (entry) => entry?.type === 'VEVENT',
  )
  expect(entries.length).toBeGreaterThan(20)
  const starts = new Set(
    entries.map(({ summary, start }) => JSON.stringify([summary, start.getTime()])),
  )
  const list = (await ask('/board.json?show=events')).body.toString()
  const items = (JSON.parse(list) as readonly BoardItem[]).filter(({ startAt }) => startAt !== null)
  expect(items.length).toBeGreaterThan(10)
  const isListed = ({ title, startAt }: BoardItem) =>
    starts.has(JSON.stringify([title, Date.parse(startAt ?? '')]))
  expect(items.filter((item) => !isListed(item))).toEqual([])
  for (const path of ['/board.rss', '/news.rss', '/events.rss']) {
    const parser = new FeedMe()
    const seen: { readonly title?: string; readonly pubdate?: string }[] = []
    parser.on('item', (item) => void seen.push(item))
    parser.end((await ask(path)).body.toString())
    expect(seen.length).toBeGreaterThan(5)
    expect(seen.filter(({ title, pubdate }) => !title || !pubdate)).toEqual([])
  }
})
