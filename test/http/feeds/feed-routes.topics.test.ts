import { parseRssFeed } from 'feedsmith'
import { afterAll, expect, test } from 'vitest'
import { startTestService } from '../../support/service.ts'

const service = await startTestService()
afterAll(() => service[Symbol.asyncDispose]())
const link = await service.addLink({ feedIds: ['forum'], profile: 'members' })

async function itemsAt(path: string) {
  const response = await fetch(`${link}${path}`)
  expect(response.status).toBe(200)
  const feed = parseRssFeed(await response.text())
  return { title: feed.title, items: feed.items ?? [] }
}

const callsUsed = async () => (await service.status()).budget.day.used

/** Returns the id of a topic with replies. */
async function topicWithReplies(): Promise<string> {
  const { items } = await itemsAt('forum.rss')
  const topic = items.find(({ description }) => /^[2-9] replies/.test(description ?? ''))
  return topic?.guid?.value?.split('forum-')[1] ?? ''
}

test('serves the replies to a topic to a link that names the forum, with one call', async () => {
  const id = await topicWithReplies()
  const calls = await callsUsed()
  const { title, items } = await itemsAt(`forum.rss?topic=${id}`)
  expect(title).toContain(': ')
  expect(items.length).toBeGreaterThan(1)
  expect(items.every((item) => item.guid?.value?.includes(':reply-'))).toBe(true)
  for (const format of ['rss', 'atom', 'json']) {
    const response = await fetch(`${link}forum.${format}?topic=${id}`)
    const etag = response.headers.get('etag') ?? ''
    await response.arrayBuffer()
    const again = await fetch(`${link}forum.${format}?topic=${id}`, {
      headers: { 'if-none-match': etag },
    })
    expect(again.status).toBe(304)
  }
  expect(await callsUsed()).toBe(calls + 1)
})

test('has no replies to a topic that the forum does not have, and makes no call for it', async () => {
  await itemsAt('forum.rss')
  const calls = await callsUsed()
  const { items } = await itemsAt('forum.rss?topic=999999')
  expect(items).toEqual([])
  expect(await callsUsed()).toBe(calls)
})

test('neither the public nor a link without the forum can read replies', async () => {
  const all = await service.addLink({ profile: 'full' })
  for (const base of [`${service.url}/`, all]) {
    expect((await fetch(`${base}forum.rss?topic=3`)).status).toBe(403)
  }
})

test('rejects an invalid topic with a sentence', async () => {
  const response = await fetch(`${link}forum.rss?topic=first`)
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('topic must be a whole number')
})
