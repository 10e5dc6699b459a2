import { expect, test } from 'vitest'
import { createListReader, type FetchPage } from '../../src/upstream/list-reader.ts'
import { UpstreamError } from '../../src/upstream/upstream-error.ts'

type Rows = readonly (readonly number[])[]

/** A website with the given ids on its pages. Counts the pages that are parsed. */
function websiteOf(initial: Rows) {
  const website = {
    pages: initial,
    parsed: 0,
    calls: 0,
    generated: 'noon',
    /** The time that is found without parsing a page. */
    seems: undefined as string | undefined,
    failsAt: 0,
    bytesPerPage: 10,
    tooLarge: [] as readonly number[],
  }
  const fetchPage: FetchPage = async (startRow, _rows, knownHash) => {
    website.calls += 1
    if (website.calls === website.failsAt) throw new UpstreamError('interrupted', 'closed')
    const totalCount = website.pages.flat().length
    const before = (index: number) => website.pages.slice(0, index).flat().length
    const ids = website.pages.find((_page, index) => before(index) === startRow - 1) ?? []
    const large = ids.find((id) => website.tooLarge.includes(id))
    if (large !== undefined) {
      throw new UpstreamError('body_too_large', 'too large', { recordId: String(large) })
    }
    const bodyHash = JSON.stringify([ids, totalCount, startRow])
    const { generated } = website
    const page = () => {
      website.parsed += 1
      const items = ids.map((id) => ({ id }))
      return { endpoint: 'news', domain: '', generated, startRow, totalCount, items }
    }
    const whole = bodyHash === knownHash ? undefined : page()
    return {
      bytes: website.bytesPerPage,
      bodyHash,
      generated: website.seems ?? generated,
      page: () => whole ?? page(),
    }
  }
  const reader = createListReader('news')
  /** Reads all pages. The one at row `waitsAtRow` arrives late. */
  const read = async (delay?: { readonly waitsAtRow: number; readonly for: Promise<void> }) => {
    website.parsed = 0
    website.calls = 0
    const fetchDelayed: FetchPage = async (startRow, rows, knownHash) => {
      const page = await fetchPage(startRow, rows, knownHash)
      if (startRow === delay?.waitsAtRow) await delay.for
      return page
    }
    return reader.read(fetchDelayed, (page) => page)
  }
  return { website, read }
}

const idsOf = (items: readonly unknown[]) => items.map((item) => (item as { id: number }).id)

test('parses pages that have not changed only when their items are needed', async () => {
  const { website, read } = websiteOf([[1, 2], [3, 4], [5]])
  const first = await read()
  expect(website).toMatchObject({ calls: 3, parsed: 3 })
  website.generated = 'one'
  const again = await read()
  expect(website).toMatchObject({ calls: 3, parsed: 0 })
  expect(again).toMatchObject({ pageHashes: first.pageHashes, calls: 3, generated: 'one' })
  const { items, envelope } = await again.pages()
  expect(website).toMatchObject({ calls: 3, parsed: 3 })
  expect(idsOf(items)).toEqual([1, 2, 3, 4, 5])
  expect(envelope.generated).toBe('one')
})

test('requests and parses no page again if the items are needed again', async () => {
  const { website, read } = websiteOf([[1, 2], [3]])
  await read()
  const { pages } = await read()
  await pages()
  // The copy in the store has changed in the meantime, so the reading is applied again.
  website.pages = [[4]]
  expect(idsOf((await pages()).items)).toEqual([1, 2, 3])
  expect(website).toMatchObject({ calls: 2, parsed: 2 })
})

test.for([
  { name: 'the first', pages: [[1, 9], [3, 4], [5]] },
  { name: 'the last', pages: [[1, 2], [3, 4], [9]] },
])('requests no page twice if $name one has changed', async ({ pages }) => {
  const { website, read } = websiteOf([[1, 2], [3, 4], [5]])
  await read()
  website.pages = pages
  const listing = await read()
  expect(website).toMatchObject({ calls: 3, parsed: 3 })
  expect(idsOf((await listing.pages()).items)).toEqual(pages.flat())
})

test.for([1, 2])('reports the error of call %i, and then compares again', async (failsAt) => {
  const { website, read } = websiteOf([[1, 2], [3]])
  await read()
  website.failsAt = failsAt
  await expect(read()).rejects.toMatchObject({ kind: 'interrupted' })
  expect(website.calls).toBe(failsAt)
  website.failsAt = 0
  await read()
  await read()
  expect(website).toMatchObject({ calls: 2, parsed: 0 })
})

test('always parses pages if a row is on two of them', async () => {
  const { website, read } = websiteOf([
    [1, 2],
    [2, 3],
  ])
  for (const _ of [1, 2, 3]) await read().catch(() => undefined)
  expect(website.parsed).toBeGreaterThan(0)
})

test('always parses a page if the time found without parsing it is wrong', async () => {
  const { website, read } = websiteOf([[1]])
  website.seems = 'night'
  for (const _ of [1, 2, 3]) {
    const { pageHashes } = await read()
    expect(website.parsed).toBe(1)
    expect(pageHashes).toEqual([undefined])
  }
})

test('returns the hashes of its own pages, even if another reading ends at the same time', async () => {
  const { website, read } = websiteOf([[1], [2]])
  const first = await read()
  const slow = Promise.withResolvers<void>()
  const reading = read({ waitsAtRow: 2, for: slow.promise })
  website.pages = [[9], [2]]
  const other = await read()
  slow.resolve()
  const { pageHashes, calls, pages } = await reading
  expect(pageHashes).toEqual(first.pageHashes)
  expect(pageHashes).not.toEqual(other.pageHashes)
  expect(calls).toBe(2)
  expect(idsOf((await pages()).items)).toEqual([1, 2])
})

test('does not hold pages that together are too large, even if their records have not changed', async () => {
  const { website, read } = websiteOf(Array.from({ length: 20 }, (_, index) => [index]))
  await read()
  website.bytesPerPage = 7 * 1024 * 1024
  await expect(read()).rejects.toThrow('all pages together are larger than 32 MiB')
  expect(website.calls).toBe(5)
})

test('returns different hashes if a record that is too large is replaced by another one', async () => {
  const { website, read } = websiteOf([[1], [2], [3]])
  website.tooLarge = [2, 9]
  await read()
  const before = await read()
  expect((await read()).pageHashes).toEqual(before.pageHashes)
  website.pages = [[1], [9], [3]]
  const after = await read()
  expect(after.pageHashes).not.toEqual(before.pageHashes)
  expect((await after.pages()).items).toContainEqual({ id: '9', isOversized: true })
})
