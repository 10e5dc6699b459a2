import { expect, test } from 'vitest'
import { createDataService } from '../../src/upstream/data-service.ts'
import type { Page } from '../../src/upstream/envelope.ts'
import type { ThrottledConnection } from '../../src/upstream/throttle.ts'

const mebibyte = 1024 * 1024

/** Creates a client for a website with the given number of rows and bytes per page. */
function websiteOf(pages: Readonly<Record<'rows' | 'bytes' | 'total', number>>) {
  let calls = 0
  const tokens = {
    current: () => Promise.resolve('token'),
    discard: () => undefined,
    blocked: () => Promise.resolve(),
  }
  const connection: ThrottledConnection = {
    async request({ path }) {
      calls += 1
      const startRow = Number(new URL(path, 'https://site.example').searchParams.get('StartRow'))
      const items = Array.from({ length: pages.rows }, (_, row) => ({ id: startRow + row, a: [] }))
      const body = { endpoint: 'news', startRow, totalCount: pages.total, items }
      return { status: 200, body, bodyBytes: pages.bytes, retryAfterMs: undefined }
    },
  }
  const service = createDataService(connection, tokens)
  const read = (knownPart?: (page: Page) => Page) =>
    service.readAll('news', {}, () => 'person', knownPart)
  return { read, calls: () => calls }
}

test('rejects a collection whose pages exceed 32 MiB in total', async () => {
  const { read, calls } = websiteOf({ rows: 10, bytes: 7 * mebibyte, total: 100 })
  await expect(read()).rejects.toMatchObject({
    kind: 'body_too_large',
    message: 'news: all pages together are larger than 32 MiB',
  })
  expect(calls()).toBe(5)
})

test('accepts a collection whose pages are exactly 32 MiB in total', async () => {
  const { read } = websiteOf({ rows: 10, bytes: 8 * mebibyte, total: 40 })
  expect((await read()).items).toHaveLength(40)
})

test('rejects a collection of more than 200,000 records', async () => {
  const { read } = websiteOf({ rows: 100_001, bytes: 1, total: 200_002 })
  await expect(read()).rejects.toMatchObject({
    kind: 'body_too_large',
    message: 'news: all pages together have more than 200000 records and nested objects',
  })
})

test('keeps only the known part of each page', async () => {
  const { read } = websiteOf({ rows: 2, bytes: 1, total: 2 })
  const { items } = await read((page) => ({ ...page, items: page.items.map(() => 'known') }))
  expect(items).toEqual(['known', 'known'])
})
