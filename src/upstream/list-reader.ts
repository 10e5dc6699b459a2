import { defaultLimits } from './connection.ts'
import type { Page } from './envelope.ts'
import { createPageSizes } from './page-sizes.ts'
import { readAllPages, type Pages } from './pages.ts'
import { createReadingLimits, maxReadingBytes, type CollectionSizes } from './reading-limits.ts'
import { UpstreamError } from './upstream-error.ts'

export type PageHashes = readonly (string | undefined)[]

/** All pages of a list. */
export type Listing = {
  /**
   * Equal for pages that differ only in the time at which they were generated. Pages that are too
   * large are represented by the id of their first record.
   */
  readonly pageHashes: PageHashes
  readonly calls: number
  /** The website's time in the last page. */
  readonly generated: string
  /** Returns the items. Parses the pages first if none has changed since the previous reading. */
  readonly pages: () => Promise<Pages>
}

export type FetchedPage = {
  readonly bytes: number
  readonly bodyHash: string | undefined
  /** The website's time, if it is known without parsing the page. */
  readonly generated: string | undefined
  readonly page: () => Page
}

/** Requests rows. A page that has the given hash need not be parsed. */
export type FetchPage = (startRow: number, rows: number, knownHash?: string) => Promise<FetchedPage>

export type ListReader = {
  /** `knownPart` drops unknown properties from each page before the next one is read. */
  readonly read: (fetchPage: FetchPage, knownPart: (page: Page) => Page) => Promise<Listing>
}

type ParsedPages = Pages & { readonly pageHashes: PageHashes }

type KnownPage = { readonly startRow: number; readonly rows: number; readonly bodyHash: string }

/**
 * Reads a list repeatedly. Remembers how many rows fit into a page, and the hashes of the pages.
 * `collection` is the name by which `collectionSizes` contains the list.
 */
export function createListReader(
  endpoint: string,
  collection: string = endpoint,
  collectionSizes: CollectionSizes = new Map(),
): ListReader {
  const sizes = createPageSizes()
  /** Pages of the latest reading. Empty if their hashes do not prove that nothing has changed. */
  let known: readonly KnownPage[] = []

  async function parse(
    fetchPage: FetchPage,
    knownPart: (page: Page) => Page,
  ): Promise<ParsedPages> {
    const read: (KnownPage | undefined)[] = []
    const pageHashes: (string | undefined)[] = []
    known = []
    const limits = createReadingLimits(endpoint, collection, collectionSizes)
    const pages = await readAllPages(async (startRow, rows) => {
      if (startRow === 1) limits.restart()
      const fetching = fetchPage(startRow, rows).catch((error: unknown) => {
        if (error instanceof UpstreamError) pageHashes.push(`${error.kind} ${error.recordId}`)
        throw error
      })
      const { bytes, bodyHash, generated = '', page } = await fetching
      const whole = page()
      const part = knownPart(whole)
      limits.add(part, bytes)
      // A record may have a property of this name, whose changes the hash would not cover.
      const knownHash = generated === whole.generated ? bodyHash : undefined
      pageHashes.push(knownHash)
      read.push(knownHash === undefined ? undefined : { startRow, rows, bodyHash: knownHash })
      return { page: part, share: bytes / defaultLimits.maxBodyBytes }
    }, sizes).catch((error: unknown) => {
      limits.end({ isRead: false })
      throw error
    })
    limits.end({ isRead: true })
    const all = read.filter((each) => each !== undefined)
    // Otherwise, rows have shifted between pages, or records were left out.
    const isSimple = all.length === pages.calls && all.filter(isFirst).length === 1
    known = isSimple ? all : []
    return { ...pages, pageHashes }
  }

  return {
    async read(fetchPage, knownPart) {
      // Another reading of the list may end in the meantime.
      const before = known
      const fetched = await fetchAgain(before, fetchPage)
      const fetchOnce: FetchPage = (startRow, rows) =>
        fetched.take(startRow, rows) ?? fetchPage(startRow, rows)
      let parsed: Promise<ParsedPages> | undefined
      const pages = () => (parsed ??= parse(fetchOnce, knownPart))
      if (fetched.last) {
        const { generated = '' } = fetched.last
        const pageHashes = before.map(({ bodyHash }) => bodyHash)
        return { pageHashes, calls: before.length, generated, pages }
      }
      const { pageHashes, calls, envelope } = await pages()
      return { pageHashes, calls, generated: envelope.generated, pages }
    },
  }
}

const isFirst = ({ startRow }: KnownPage) => startRow === 1

/**
 * Requests the known pages until one has changed, or all together are too large. `last` is the last
 * page if none has changed.
 */
async function fetchAgain(known: readonly KnownPage[], fetchPage: FetchPage) {
  const fetched = new Map<string, Promise<FetchedPage>>()
  let last: FetchedPage | undefined
  let heldBytes = 0
  for (const { startRow, rows, bodyHash } of known) {
    const fetching = fetchPage(startRow, rows, bodyHash)
    fetched.set(`${startRow} ${rows}`, fetching)
    // An error is handled when the pages are parsed.
    last = await fetching.catch(() => undefined)
    heldBytes += last?.bytes ?? 0
    if (last?.bodyHash !== bodyHash || heldBytes > maxReadingBytes) {
      last = undefined
      break
    }
  }
  return {
    last,
    take(startRow: number, rows: number): Promise<FetchedPage> | undefined {
      const key = `${startRow} ${rows}`
      const fetching = fetched.get(key)
      fetched.delete(key)
      return fetching
    },
  }
}
