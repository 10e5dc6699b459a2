import { expect, test } from 'vitest'
import { createItemReader } from '../../../src/collections/copy/item-reader.ts'
import type { FeedResource } from '../../../src/records/resources.ts'
import { createDataService } from '../../../src/upstream/data-service.ts'

const tokens = {
  current: async () => 'token',
  discard: () => undefined,
  blocked: async () => undefined,
}

/** A website with one page of items. */
function websiteOf(resource: FeedResource, items: readonly object[]) {
  const website = { items, fields: undefined as unknown, status: 200 }
  const connection = {
    request: async () => ({
      status: website.status,
      retryAfterMs: undefined,
      body: {
        endpoint: resource.split('/')[0],
        generated: `2026-03-05 10:00:${String(count++).padStart(2, '0')}`,
        startRow: 1,
        totalCount: website.items.length,
        fields: website.fields,
        // As new objects, as if they had been parsed.
        items: structuredClone(website.items),
      },
    }),
  }
  let count = 0
  const days = { pastDays: 30, futureDays: 365 }
  const reader = createItemReader(createDataService(connection, tokens), days)
  const read = async () => {
    const options = { siteNow: '2026-03-05 10:00:00', priority: () => 'scheduled' as const }
    return (await reader.read(resource, options)).items
  }
  return { website, reader, read }
}

const story = { id: 1, headline: 'Story', status: 2, unknown: 'property' }

test('returns the same objects for a page that has not changed', async () => {
  const { read } = websiteOf('news', [story])
  const first = await read()
  expect(first).toEqual([expect.not.objectContaining({ unknown: 'property' })])
  expect((await read())[0]).toBe(first[0])
})

test('returns new objects for a page that has changed', async () => {
  const { website, read } = websiteOf('news', [story])
  await read()
  website.items = [{ ...story, headline: 'Changed' }]
  expect(await read()).toMatchObject([{ headline: 'Changed' }])
})

test('keeps the objects while a reading fails, until they are forgotten', async () => {
  const { website, reader, read } = websiteOf('news', [story])
  const [first] = await read()
  website.status = 500
  await expect(read()).rejects.toMatchObject({ kind: 'unavailable' })
  website.status = 200
  expect((await read())[0]).toBe(first)
  reader.forget(() => true)
  expect((await read())[0]).toBe(first)
  reader.forget(() => false)
  const [again] = await read()
  expect(again).toEqual(first)
  expect(again).not.toBe(first)
})

test('drops the details that a listing of sign-up sheets claims to have', async () => {
  const { read } = websiteOf('signup', [{ id: 1, title: 'Sheet', details: { groups: [] } }])
  expect(await read()).toEqual([{ id: 1, title: 'Sheet' }])
})
