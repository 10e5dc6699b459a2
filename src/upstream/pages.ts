import type { Page } from './envelope.ts'
import { oversizedItem } from '../records/read-records.ts'
import { createPageSizes, type PageSizes } from './page-sizes.ts'
import { UpstreamError } from './upstream-error.ts'

/** Maximum calls for one attempt, including those whose response is too large. */
const maxPages = 100
const maxReadings = 2

/** Maximum share of rows with duplicate ids, accepted if every attempt returns the same ones. */
const repeatedShare = 0.01

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
    try {
      const { page, share } = await readPage(startRow, sizes.rowsFrom(startRow))
      if (page.startRow !== startRow) {
        throw unexpected(`requested row ${startRow}, got row ${page.startRow}`)
      }
      sizes.fits(startRow, page.items.length, share)
      pages.push(page)
      for (const item of page.items) items.push(item)
      if (page.items.length === 0) return readingFrom(pages, items, calls)
    } catch (error) {
      const omitted = recordInstead(error, startRow, sizes)
      if (omitted) items.push(omitted.item)
    }
    const isLast = items.length >= (pages.at(-1)?.totalCount ?? Infinity)
    if (isLast) return readingFrom(pages, items, calls)
  }
  throw unexpected(`more than ${maxPages} pages`)
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
  const isWhole = items.length >= last.totalCount
  const isSteady =
    isWhole &&
    pages.every(({ totalCount }) => totalCount === first.totalCount) &&
    (pages.length === 1 || withoutRepeats(items).length === items.length)
  const { totalCount, generated } = last
  const envelope = { ...first, totalCount, generated }
  return { items, envelope, calls, isSteady, isWhole }
}

function unionOf(readings: readonly Reading[]): Pages {
  const items = withoutRepeats(readings.flatMap((reading) => reading.items))
  const last = readings.at(-1)
  const total = last?.envelope.totalCount ?? 0
  const tolerated = isRepeating(readings) ? total * repeatedShare : 0
  if (!last || total - items.length > tolerated) {
    throw unexpected(`got ${items.length} of ${total} rows`)
  }
  return { items, envelope: last.envelope, calls: callsOf(readings) }
}

/**
 * Returns true if every attempt got all rows with the same ids, so the duplicates are the website's
 * own.
 */
function isRepeating(readings: readonly Reading[]): boolean {
  const all = new Set(readings.map(({ items }) => items.map(idOf).join()))
  return all.size === 1 && readings.every(({ isWhole }) => isWhole)
}

/** Returns the last item for each id, and all items without an id. */
function withoutRepeats(items: readonly unknown[]): readonly unknown[] {
  return [...new Map(items.map((item) => [idOf(item) ?? item, item])).values()]
}

function idOf(item: unknown): string | undefined {
  const hasId = typeof item === 'object' && item !== null && 'id' in item
  return hasId ? `id ${String(item.id)}` : undefined
}

function callsOf(readings: readonly Reading[]): number {
  return readings.reduce((sum, { calls }) => sum + calls, 0)
}

function unexpected(message: string): UpstreamError {
  return new UpstreamError('unexpected_answer', message)
}
