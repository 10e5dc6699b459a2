import type { Page } from './envelope.ts'
import { oversizedItem } from '../records/read-records.ts'
import { createPageSizes, type PageSizes } from './page-sizes.ts'
import { UpstreamError } from './upstream-error.ts'

/** Maximum calls for one attempt, including those whose response is too large. */
const maxPages = 100
const maxReadings = 2

/** Maximum share of rows that are on several pages, accepted if every attempt returns the same ones. */
const repeatedShare = 0.01

/** Some websites count one record more than they have. */
const maxMiscount = 1

export type Pages = {
  readonly items: readonly unknown[]
  /** Envelope of the first page, with `totalCount` and `generated` of the last one. */
  readonly envelope: Page
  readonly calls: number
}

type Reading = Pages & {
  /** True if nothing changed while the pages were read. */
  readonly isSteady: boolean
  /** True if there are at least `totalCount` rows. */
  readonly isWhole: boolean
  /** Number of different rows that are on several pages. */
  readonly repeatedCount: number
}

/**
 * Reads at most `rows` rows, starting at a 1-based row. `share` is the size of the response,
 * relative to the largest possible one.
 */
export type ReadPage = (
  startRow: number,
  rows: number,
) => Promise<{ readonly page: Page; readonly share: number }>

/**
 * Reads all items from a paged endpoint. Requests fewer rows if a response would be too large, and
 * leaves out single records that are too large. If rows shift between pages, reads again and
 * returns the union of both attempts. Rejects if rows are missing.
 */
export async function readAllPages(
  readPage: ReadPage,
  sizes: PageSizes = createPageSizes(),
): Promise<Pages> {
  const readings: Reading[] = []
  while (readings.length < maxReadings) {
    const reading = await readThrough(readPage, sizes)
    if (reading.isSteady) return { ...reading, calls: reading.calls + callsOf(readings) }
    readings.push(reading)
  }
  return unionOf(readings)
}

async function readThrough(readPage: ReadPage, sizes: PageSizes): Promise<Reading> {
  const pages: Page[] = []
  const items: unknown[] = []
  sizes.start()
  for (let calls = 1; calls <= maxPages; calls += 1) {
    const startRow = items.length + 1
    const rows = sizes.rowsFrom(startRow)
    const isOver = items.length >= (pages.at(-1)?.totalCount ?? Infinity)
    try {
      const { page, share } = await readPage(startRow, rows)
      if (page.startRow !== startRow) {
        throw unexpected(`requested row ${startRow}, got row ${page.startRow}`)
      }
      sizes.fits(startRow, page.items.length, share)
      pages.push(page)
      for (const item of page.items) items.push(item)
      // If a page is full, the website may have counted too few.
      const isLast = items.length >= page.totalCount && page.items.length !== rows
      if (isLast || page.items.length === 0) return readingFrom(pages, items, calls)
    } catch (error) {
      if (isOver && isRefusal(error)) return readingFrom(pages, items, calls)
      const omitted = recordInstead(error, startRow, sizes)
      if (omitted) items.push(omitted.item)
    }
  }
  throw unexpected(`more than ${maxPages} pages`)
}

/** Returns true if a website may reject a request for rows beyond its last one. */
function isRefusal(error: unknown): boolean {
  const kinds = ['invalid_parameter', 'not_found', 'server_error']
  return error instanceof UpstreamError && kinds.includes(error.kind)
}

/** Returns the item for a record that is left out because it is too large, if there is one. */
function recordInstead(error: unknown, startRow: number, sizes: PageSizes) {
  if (!(error instanceof UpstreamError) || error.kind !== 'body_too_large') throw error
  const isOversized = sizes.isOversized(startRow)
  if (isOversized === undefined) throw error
  return isOversized ? { item: oversizedItem(startRow, error.recordId) } : undefined
}

function readingFrom(pages: readonly Page[], items: readonly unknown[], calls: number): Reading {
  const [first] = pages
  const last = pages.at(-1)
  if (!first || !last) throw unexpected('no page')
  const isAtEnd = last.items.length === 0 && items.length > 0
  const isWhole = items.length >= last.totalCount - (isAtEnd ? maxMiscount : 0)
  const repeatedCount = repeatedIn(pages, items)
  const isSteady =
    isWhole &&
    pages.every(({ totalCount }) => totalCount === first.totalCount) &&
    repeatedCount === 0
  const { totalCount, generated } = last
  const envelope = { ...first, totalCount, generated }
  return { items, envelope, calls, isSteady, isWhole, repeatedCount }
}

function unionOf(readings: readonly Reading[]): Pages {
  const last = readings.at(-1)
  if (!last) throw unexpected('no page')
  const { envelope } = last
  const calls = callsOf(readings)
  if (isRepeating(readings, last)) return { items: last.items, envelope, calls }
  const items = withoutRepeats(readings.flatMap((reading) => reading.items))
  if (items.length < envelope.totalCount) {
    throw unexpected(`got ${items.length} of ${envelope.totalCount} rows`)
  }
  return { items, envelope, calls }
}

/**
 * Returns true if every attempt got the same rows, and few of them are on several pages, so that
 * the website itself repeats them. Many would mean that it does not start at the requested row.
 */
function isRepeating(readings: readonly Reading[], { items, repeatedCount }: Reading): boolean {
  const all = new Set(readings.map((reading) => reading.items.map(keyOf).join()))
  const isSame = all.size === 1 && readings.every(({ isWhole }) => isWhole)
  const isFew = repeatedCount <= items.length * repeatedShare
  return isSame && isFew && repeatedCount < withoutRepeats(items).length
}

function repeatedIn(pages: readonly Page[], items: readonly unknown[]): number {
  if (pages.length === 1 || haveDistinctIds(items)) return 0
  const seen = new Set<unknown>()
  const repeated = new Set<unknown>()
  for (const { items } of pages) {
    const keys = new Set(items.map(keyOf))
    for (const key of keys) (seen.has(key) ? repeated : seen).add(key)
  }
  return repeated.size
}

/** Returns true for most collections. Much faster than comparing keys, which are longer. */
function haveDistinctIds(items: readonly unknown[]): boolean {
  return new Set(items.map(idOf)).size === items.length
}

/** Returns a row's id, which some websites write as a number in one place and as text in another. */
function idOf(item: unknown): string | undefined {
  const hasId = typeof item === 'object' && item !== null && 'id' in item
  return hasId ? String(item.id) : undefined
}

/** Returns the last item for each key. */
function withoutRepeats(items: readonly unknown[]): readonly unknown[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()]
}

/** Returns what identifies a row. Some websites repeat the id of an event on several days. */
function keyOf(item: unknown): unknown {
  const id = idOf(item)
  if (id === undefined) return item
  const { startDate = '' } = item as { readonly startDate?: unknown }
  return `id ${id} ${String(startDate)}`
}

function callsOf(readings: readonly Reading[]): number {
  return readings.reduce((sum, { calls }) => sum + calls, 0)
}

function unexpected(message: string): UpstreamError {
  return new UpstreamError('unexpected_answer', message, { detail: message })
}
