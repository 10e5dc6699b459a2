import type { Page } from './envelope.ts'
import { UpstreamError } from './upstream-error.ts'

/** The specification's maximum of `MaxRows`. */
export const maxRows = 1000

const maxPages = 100
const maxReadings = 2

/** So few rows may have an id that another has too, if they do so each time. */
const repeatedShare = 0.01

/** Everything behind a paged answer. */
export type Pages = {
  readonly items: readonly unknown[]
  /** The properties that the endpoint adds to the envelope, of the first page. */
  readonly envelope: Page
  /** How many calls it took. */
  readonly calls: number
}

type Reading = Pages & {
  /** Whether nothing moved while it was read. */
  readonly isSteady: boolean
  /** Whether as many rows came as there are said to be. */
  readonly isWhole: boolean
}

/**
 * All items behind a paged answer; `readPage` reads the page that starts at a 1-based row. Rows that
 * shift from page to page are read again once, and what was seen in either reading counts. Rejects
 * rather than take a part for the whole.
 */
export async function readAllPages(readPage: (startRow: number) => Promise<Page>): Promise<Pages> {
  const readings: Reading[] = []
  while (readings.length < maxReadings) {
    const reading = await readThrough(readPage)
    if (reading.isSteady) {
      return { ...reading, calls: reading.calls + callsOf(readings) }
    }
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
      throw unexpected(`row ${startRow} asked, row ${page.startRow} came`)
    }
    pages.push(page)
    for (const item of page.items) items.push(item)
    if (items.length >= page.totalCount || page.items.length === 0) {
      return readingFrom(pages, items)
    }
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
  const envelope = { ...first, totalCount: last.totalCount }
  return { items, envelope, calls: pages.length, isSteady, isWhole }
}

function unionOf(readings: readonly Reading[]): Pages {
  const items = withoutRepeats(readings.flatMap((reading) => reading.items))
  const last = readings.at(-1)
  const total = last?.envelope.totalCount ?? 0
  const tolerated = isRepeating(readings) ? total * repeatedShare : 0
  if (!last || total - items.length > tolerated) {
    throw unexpected(`${items.length} rows came, of ${total}`)
  }
  return { items, envelope: last.envelope, calls: callsOf(readings) }
}

/** Whether the website itself has ids twice: whole readings brought the same each time. */
function isRepeating(readings: readonly Reading[]): boolean {
  const all = new Set(readings.map(({ items }) => items.map(idOf).join()))
  return all.size === 1 && readings.every(({ isWhole }) => isWhole)
}

/** One item of each id, as it was seen last; those without an id are kept. */
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
