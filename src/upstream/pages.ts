import type { Page } from './envelope.ts'
import { UpstreamError } from './upstream-error.ts'

/** The specification's maximum of `MaxRows`. */
export const maxRows = 1000

const maxPages = 100

/**
 * All items behind a paged answer; `readPage` reads the page that starts at a 1-based row. Rejects
 * rather than take a part for the whole.
 */
export async function readAllPages(
  readPage: (startRow: number) => Promise<Page>,
): Promise<readonly unknown[]> {
  const items: unknown[] = []
  for (let pages = 0; pages < maxPages; pages += 1) {
    const startRow = items.length + 1
    const page = await readPage(startRow)
    if (page.startRow !== startRow) {
      throw new UpstreamError(
        'unexpected_answer',
        `row ${startRow} asked, row ${page.startRow} came`,
      )
    }
    items.push(...page.items)
    if (items.length >= page.totalCount) return items
    if (page.items.length === 0) {
      throw new UpstreamError('unexpected_answer', `no rows from ${startRow} of ${page.totalCount}`)
    }
  }
  throw new UpstreamError('unexpected_answer', `more than ${maxPages} pages`)
}
