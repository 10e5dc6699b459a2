import { join } from 'node:path'
import { parseFeed } from 'feedsmith'
import { expect, test } from 'vitest'
import { closedSettings, settingsDocument } from '../../../src/config/stored-settings.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { fewRecords } from '../../support/few-records.ts'
import { startTestService, testDirectory } from '../../support/service.ts'

/** Runs services one after another on the same store, which ends with the test. */
function serviceWith() {
  const file = join(testDirectory(), 'store.sqlite')
  const start = async (...publicFeedIds: readonly string[]) => {
    const service = await startTestService({
      publicFeedIds,
      sandbox: fewRecords,
      storeFileIn: () => file,
    })
    await service.readAll()
    const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
      const response = await fetch(`${service.url}/${path}`, { headers })
      return { status: response.status, headers: response.headers, text: await response.text() }
    }
    return { ...service, get }
  }
  return { file, start }
}

const titlesIn = (text: string) => {
  const { feed } = parseFeed(text) as { readonly feed: { readonly [name: string]: unknown } }
  const items = (feed['items'] ?? feed['entries']) as readonly { readonly title: unknown }[]
  // Titles in Atom have a type.
  return items.map(({ title }) =>
    typeof title === 'string' ? title : (title as { readonly value: string }).value,
  )
}

test('tells the readers of a feed made private once, without its content', async () => {
  const { start } = serviceWith()
  const before = await start('events', 'news')
  const { text, headers } = await before.get('news.rss')
  const [story] = titlesIn(text)
  await before[Symbol.asyncDispose]()
  await using after = await start('events')
  await after.clock.advance(1_000)
  for (const path of [
    'news.rss',
    'news.atom',
    'news.json',
    'news.rss?category=1',
    'all.rss?show=news',
  ]) {
    const notice = await after.get(path)
    expect([path, notice.status]).toEqual([path, 200])
    expect(titlesIn(notice.text)).toEqual(['This feed is no longer public'])
    expect(notice.text).toContain('Ask the webmaster for a feed link')
    expect(notice.text).not.toContain(story)
  }
  const seen = { 'If-Modified-Since': headers.get('last-modified') ?? '' }
  expect((await after.get('news.rss', seen)).status).toBe(200)
  const first = await after.get('news.rss')
  const told = { 'If-None-Match': first.headers.get('etag') ?? '' }
  expect((await after.get('news.rss', told)).status).toBe(304)
})

test('keeps everything else private', async () => {
  const { start } = serviceWith()
  const before = await start('events', 'news')
  await before[Symbol.asyncDispose]()
  await using after = await start('news')
  // Calendar apps keep their entries on 403, and never-public feeds have no readers to tell.
  for (const path of ['events.ics', 'announcements.rss', 'my.rss', 'all.rss?show=announcements']) {
    expect([path, (await after.get(path)).status]).toEqual([path, 403])
  }
  expect((await after.get('changes.rss')).text).toContain('This feed is no longer public')
  expect(titlesIn((await after.get('all.rss')).text)[0]).not.toContain('no longer public')
})

test('serves a feed again that is made public again', async () => {
  const { start } = serviceWith()
  for (const ids of [['news'], ['events'], ['news']])
    await (await start(...ids))[Symbol.asyncDispose]()
  await using again = await start('news')
  expect((await again.get('news.rss')).text).not.toContain('no longer public')
})

test('says nothing after a loss, because it is not known what was public', async () => {
  const { file, start } = serviceWith()
  const before = await start('news')
  await before[Symbol.asyncDispose]()
  const store = openSqliteStore(file, before.clock.now)
  await store.documents.write([{ ...settingsDocument, value: closedSettings(undefined) }])
  await store[Symbol.asyncDispose]()
  await using after = await start('news')
  expect((await after.get('news.rss')).status).toBe(403)
})
