import type { Page } from './envelope.ts'
import { UpstreamError } from './upstream-error.ts'

/** Maximum value for `MaxRows` in the specification. */
export const maxRows = 1000

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
 * Reads all items from a paged endpoint. `readPage` reads the page that starts at a 1-based row. If
 * rows shift between pages, reads again and returns the union of both attempts. Rejects if rows are
 * missing.
 */
export async function readAllPages(readPage: (startRow: number) => Promise<Page>): Promise<Pages> {
  const readings: Reading[] = []
  while (readings.length < maxReadings) {
    const reading = await readThrough(readPage)
    if (reading.isSteady) return { ...reading, calls: reading.calls + callsOf(readings) }
    readings.push(reading)
  }
  return unionOf(readings)
}

async function readThrough(readPage: (startRow: number) => Promise<Page>): Promise<Reading> {
  const pages: Page[] = []
  const items: unknown[] = []
  while (pages.length < maxPages) {
    const startRow = items.length + 1
    const page = await readPage(startRow)
    if (page.startRow !== startRow) {
      throw unexpected(`requested row ${startRow}, got row ${page.startRow}`)
    }
    pages.push(page)
    for (const item of page.items) items.push(item)
    const isLast = items.length >= page.totalCount || page.items.length === 0
    if (isLast) return readingFrom(pages, items)
  }
  throw unexpected(`more than ${maxPages} pages`)
}

function readingFrom(pages: readonly Page[], items: readonly unknown[]): Reading {
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
  return { items, envelope, calls: pages.length, isSteady, isWhole }
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
