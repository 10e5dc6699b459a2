import { describe, expect, test } from 'vitest'
import { createPageSizes } from '../../src/upstream/page-sizes.ts'
import { readAllPages } from '../../src/upstream/pages.ts'
import { UpstreamError } from '../../src/upstream/upstream-error.ts'

function pageOf(items: readonly unknown[], totalCount: number, startRow = 1) {
  const common = { endpoint: 'news', domain: '', generated: '' }
  return { ...common, startRow, totalCount, items: [...items] }
}

const rowsOf = (...ids: readonly number[]) => ids.map((id) => ({ id }))

const ofFour = (startRow: number, ...ids: readonly number[]) => pageOf(rowsOf(...ids), 4, startRow)

const thousands = Array.from({ length: 2500 }, (_, index) => ({ id: index + 1 }))

type Page = ReturnType<typeof pageOf>

const readPages = (pageAt: (startRow: number) => Promise<Page>) =>
  readAllPages(async (startRow) => ({ page: await pageAt(startRow), share: 1 }))

/** Serves the given pages in order, and ignores which row was requested. */
function scripted(...pages: readonly Page[]) {
  const asked: number[] = []
  const reading = readPages(async (startRow) => {
    const page = pages[asked.length]
    asked.push(startRow)
    if (!page) throw new Error(`unexpected request for row ${startRow}`)
    return page
  })
  return { asked, reading }
}

test('reads pages until the rows reach the total count', async () => {
  const asked: number[] = []
  const { items, calls } = await readPages(async (startRow) => {
    asked.push(startRow)
    return pageOf(thousands.slice(startRow - 1, startRow + 999), thousands.length, startRow)
  })
  expect(asked).toEqual([1, 1001, 2001])
  expect(items).toEqual(thousands)
  expect(calls).toBe(3)
})

test('continues after a page with fewer rows than requested', async () => {
  const { asked, reading } = scripted(...[1, 2, 3].map((row) => pageOf(rowsOf(row), 3, row)))
  expect((await reading).items).toEqual(rowsOf(1, 2, 3))
  expect(asked).toEqual([1, 2, 3])
})

test.for([
  { name: 'no rows', rows: [], total: 0 },
  { name: 'more rows than the total count', rows: rowsOf(1, 2, 3), total: 2 },
  { name: 'duplicate ids', rows: rowsOf(1, 1), total: 2 },
  { name: 'very many rows', rows: Array.from({ length: 3e5 }, (_, id) => ({ id })), total: 3e5 },
])('reads a single page with $name', async ({ rows, total }) => {
  const { items } = await readPages(async () => pageOf(rows, total))
  expect(items).toHaveLength(rows.length)
})

test('returns the first page’s endpoint-specific properties', async () => {
  const { envelope } = await readPages(async () => ({ ...pageOf([], 0), sheet: { id: 7 } }))
  expect(envelope.sheet).toEqual({ id: 7 })
})

describe('rows that shift from page to page', () => {
  test('are read again until all pages are consistent', async () => {
    const [first, second] = [ofFour(1, 1, 2), ofFour(3, 2, 3)]
    const { asked, reading } = scripted(first, second, ofFour(1, 0, 1), second)
    expect(await reading).toMatchObject({ items: rowsOf(0, 1, 2, 3), calls: 4 })
    expect(asked).toEqual([1, 3, 1, 3])
  })

  test('are read again if a row’s id is a number on one page and text on another', async () => {
    const shifted = pageOf([{ id: '2' }, { id: 3 }], 4, 3)
    const second = ofFour(3, 3, 4)
    const { reading } = scripted(ofFour(1, 1, 2), shifted, ofFour(1, 1, 2), second)
    expect(await reading).toMatchObject({ items: rowsOf(1, 2, 3, 4), calls: 4 })
  })

  test('are combined from both attempts if they shift again', async () => {
    const later = pageOf([{ id: 3, isLater: true }, ...rowsOf(4)], 4, 3)
    const pages = [ofFour(1, 1, 2), pageOf(rowsOf(3), 3, 3), ofFour(1, 1, 3), later]
    const { reading } = scripted(...pages)
    const { items, calls } = await reading
    expect(items).toEqual([{ id: 1 }, { id: 2 }, { id: 3, isLater: true }, { id: 4 }])
    expect(calls).toBe(4)
  })

  test('are rejected if some rows never appear', async () => {
    const pages = [ofFour(1, 1, 2), ofFour(3, 2, 3)]
    const error = { kind: 'unexpected_answer', message: 'got 3 of 4 rows' }
    await expect(scripted(...pages, ...pages).reading).rejects.toMatchObject(error)
  })
})

test('accepts ids that are duplicated on the website itself', async () => {
  const rows = [...thousands.slice(0, 1499), { id: 7 }]
  const { items, calls } = await readPages(async (startRow) =>
    pageOf(rows.slice(startRow - 1, startRow + 999), rows.length, startRow),
  )
  expect(items).toHaveLength(1500)
  expect(calls).toBe(4)
})

test('accepts an id that the website repeats a thousand times', async () => {
  const drills = Array.from({ length: 1000 }, () => ({ id: 7, startDate: '2026-03-05' }))
  const rows = [...thousands.slice(0, 700), ...drills, ...thousands.slice(700)]
  const { items } = await readPages(async (startRow) =>
    pageOf(rows.slice(startRow - 1, startRow + 999), rows.length, startRow),
  )
  expect(items).toEqual(rows)
})

test('reads an id on different days as different rows', async () => {
  const rows = thousands.map(({ id }) => ({ id: 7, startDate: String(id) }))
  const { items, calls } = await readPages(async (startRow) =>
    pageOf(rows.slice(startRow - 1, startRow + 999), rows.length, startRow),
  )
  expect(items).toEqual(rows)
  expect(calls).toBe(3)
})

const readRows = (rows: readonly unknown[], total: number, beyond?: UpstreamError) => {
  const asked: number[] = []
  const read = readPages(async (startRow) => {
    asked.push(startRow)
    if (beyond && startRow > rows.length) throw beyond
    return pageOf(rows.slice(startRow - 1, startRow + 999), total, startRow)
  })
  return { read, asked }
}

describe('a website that miscounts', () => {
  test.for<[name: string, rows: number, total: number, asked: readonly number[]]>([
    ['one more than it has', 999, 1000, [1, 1000]],
    ['one more than a full page', 1000, 1001, [1, 1001]],
    ['one less than it has', 1001, 1000, [1, 1001]],
    ['the rows of full pages', 1000, 1000, [1, 1001]],
    ['only the first page', 2500, 1000, [1, 1001, 2001]],
  ])('may count %s', async ([, count, total, expected]) => {
    const { read, asked } = readRows(thousands.slice(0, count), total)
    expect((await read).items).toHaveLength(count)
    expect(asked).toEqual(expected)
  })

  test.for(['invalid_parameter', 'not_found', 'server_error'] as const)(
    'may answer %s beyond its last row',
    async (kind) => {
      const refusal = new UpstreamError(kind, '')
      const { read } = readRows(thousands.slice(0, 1000), 1000, refusal)
      expect((await read).items).toHaveLength(1000)
      // These rows are missing.
      await expect(readRows(thousands.slice(0, 1000), 1001, refusal).read).rejects.toBe(refusal)
    },
  )

  test('may not have two records less, or none instead of one', async () => {
    const message = 'got 998 of 1000 rows'
    const two = readRows(thousands.slice(0, 998), 1000).read
    await expect(two).rejects.toMatchObject({ message, detail: message })
    await expect(readRows([], 1).read).rejects.toMatchObject({ detail: 'got 0 of 1 rows' })
  })
})

const mebibyte = 1024 * 1024

/** Serves records of the given sizes, and refuses responses above 8 MiB, like the connection. */
function websiteOf(sizes: number[]) {
  const requested: string[] = []
  const pageSizes = createPageSizes()
  const read = async () => {
    requested.length = 0
    return readAllPages(async (startRow, rows) => {
      requested.push(`${startRow}+${rows}`)
      const sent = sizes.slice(startRow - 1, startRow - 1 + rows)
      const bytes = sent.reduce((sum, size) => sum + size, 0)
      if (bytes > 8 * mebibyte) {
        throw new UpstreamError('body_too_large', '', { recordId: String(startRow) })
      }
      const items = sent.map((_size, index) => ({ id: startRow + index }))
      return { page: pageOf(items, sizes.length, startRow), share: bytes / (8 * mebibyte) }
    }, pageSizes)
  }
  return { read, requested }
}

const kilobytes = (count: number, size: number) => Array<number>(count).fill(size * 1024)

const oversized = (id: number) => ({ id: String(id), isOversized: true })

describe('responses that are too large', () => {
  test('are requested with fewer rows, which is remembered', async () => {
    const website = websiteOf(kilobytes(900, 9.5))
    const { items, calls } = await website.read()
    expect(items).toEqual(thousands.slice(0, 900))
    expect(website.requested).toEqual(['1+1000', '1+500', '501+500'])
    expect(calls).toBe(3)
    await website.read()
    expect(website.requested).toEqual(['1+500', '501+500'])
  })

  test('have more rows again once the records are small', async () => {
    const sizes = kilobytes(900, 9.5)
    const website = websiteOf(sizes)
    await website.read()
    sizes.fill(10)
    await website.read()
    await website.read()
    expect(website.requested).toEqual(['1+1000'])
  })

  test('leave out a single record that is too large alone, which is remembered', async () => {
    const sizes = kilobytes(1500, 1)
    sizes[499] = 9 * mebibyte
    const website = websiteOf(sizes)
    const { items, calls } = await website.read()
    expect(items).toEqual(
      thousands.slice(0, 1500).map(({ id }) => (id === 500 ? oversized(500) : { id })),
    )
    expect(calls).toBe(20)
    await website.read()
    expect(website.requested).toEqual(['1+499', '500+1', '501+1', '502+1000'])
    sizes[499] = 10
    expect((await website.read()).items[499]).toEqual({ id: 500 })
    await website.read()
    expect(website.requested).toEqual(['1+1000', '1001+1000'])
  })

  test.for([
    { name: 'first', rows: [0] },
    { name: 'last', rows: [4] },
    { name: 'first, middle and last', rows: [0, 2, 4] },
    { name: 'every', rows: [0, 1, 2, 3, 4] },
  ])('leave out the $name record', async ({ rows }) => {
    const website = websiteOf(
      [1, 2, 3, 4, 5].map((_, row) => (rows.includes(row) ? 9 : 1) * mebibyte),
    )
    const { items } = await website.read()
    expect(items).toEqual(
      [0, 1, 2, 3, 4].map((row) => (rows.includes(row) ? oversized(row + 1) : { id: row + 1 })),
    )
  })

  test('end a reading that never gets small enough', async () => {
    let calls = 0
    const pageSizes = createPageSizes()
    const read = () =>
      readAllPages(async () => {
        calls += 1
        throw new UpstreamError('body_too_large', 'too large')
      }, pageSizes)
    await expect(read()).rejects.toMatchObject({ kind: 'body_too_large' })
    expect(calls).toBe(16)
    await expect(read()).rejects.toMatchObject({ kind: 'body_too_large' })
    expect(calls).toBe(16 + 6)
  })
})

describe('rejects', () => {
  test.for<[name: string, pageAt: (row: number) => Page, message?: string]>([
    ['an empty page before the total count', (row) => pageOf(row === 1 ? rowsOf(1) : [], 5, row)],
    ['a page at another row', () => pageOf(['a'], 3), 'requested row 2, got row 1'],
    ['the same page for every row', (row) => pageOf(rowsOf(1, 2), 6, row), 'got 2 of 6 rows'],
  ])('%s', async ([, pageAt, message = expect.any(String)]) => {
    const reading = readPages(async (row) => pageAt(row))
    await expect(reading).rejects.toMatchObject({ kind: 'unexpected_answer', message })
  })

  test('a collection that never ends', async () => {
    let calls = 0
    const reading = readPages(async (row) => {
      calls += 1
      return pageOf([{ id: row }], 1e9, row)
    })
    await expect(reading).rejects.toMatchObject({ kind: 'unexpected_answer' })
    expect(calls).toBe(100)
  })
})
