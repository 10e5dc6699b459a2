import { expect, test } from 'vitest'
import { readItems } from '../../../src/collections/copy/collection-sync.ts'
import type { FeedResource } from '../../../src/records/resources.ts'
import { createDataService } from '../../../src/upstream/data-service.ts'

const tokens = {
  current: async () => 'token',
  discard: () => undefined,
  blocked: async () => undefined,
}

type Served = { readonly items: readonly object[]; readonly fields?: unknown }

/** Reads from a website whose pages have hashes like those of the connection. */
async function read(resource: FeedResource, pages: readonly Served[]) {
  const totalCount = pages.flatMap(({ items }) => items).length
  const left = [...pages]
  let startRow = 1
  const connection = {
    async request() {
      const page = left.shift() ?? { items: [] }
      const body = { endpoint: resource.split('/')[0], startRow, totalCount, ...page }
      startRow += page.items.length
      const bodyHash = JSON.stringify(body)
      return { status: 200, retryAfterMs: undefined, bodyHash, body: JSON.parse(bodyHash) }
    },
  }
  return readItems(createDataService(connection, tokens), resource, {
    siteNow: '2026-03-05 10:00:00',
    window: { pastDays: 30, futureDays: 365 },
    priority: () => 'scheduled',
  })
}

const story = { id: 1, headline: 'Story', unknown: 'property' }

test('has the same hashes for pages that have not changed', async () => {
  const served = [{ items: [story] }, { items: [{ ...story, id: 2 }] }]
  const first = await read('news', served)
  expect(await first.items()).toEqual([
    { id: 1, headline: 'Story' },
    expect.objectContaining({ id: 2 }),
  ])
  const changed = [served[0] ?? { items: [] }, { items: [{ id: 2, headline: 'Changed' }] }]
  const { pageHashes: [same, other] = [] } = await read('news', changed)
  expect([same, other]).toEqual([first.pageHashes?.[0], expect.any(String)])
  expect(other).not.toBe(first.pageHashes?.[1])
})

const fieldsOf = (name: string) => [{ id: 1, name, type: 'date' }]

test('reads the records of a database again when its fields have changed', async () => {
  const items = [{ id: 1, field1: '2026-03-05' }]
  const first = await read('databases/7', [{ items, fields: fieldsOf('Retire on') }])
  const renamed = [{ items, fields: fieldsOf('Replace on') }]
  const second = await read('databases/7', renamed)
  expect(await second.items()).not.toEqual(await first.items())
  expect(second.pageHashes).not.toEqual(first.pageHashes)
})

test('drops the details that a listing of sign-up sheets claims to have', async () => {
  const { items } = await read('signup', [{ items: [{ id: 1, title: 'Sheet', details: {} }] }])
  expect(await items()).toEqual([{ id: 1, title: 'Sheet' }])
})
