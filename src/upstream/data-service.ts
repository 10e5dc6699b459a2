import { LRUCache } from 'lru-cache'
import {
  databaseFieldsFrom,
  databaseItem,
  type DatabaseSample,
} from '../records/custom-database.ts'
import { knownPart } from '../records/known-part.ts'
import { readRecords, type RecordOf } from '../records/read-records.ts'
import { accessTokenFrom, pageFrom, type Page } from './envelope.ts'
import {
  createListReader,
  type FetchedPage,
  type FetchPage,
  type Listing,
  type ListReader,
} from './list-reader.ts'
import { maxRows } from './page-sizes.ts'
import type { CollectionSizes } from './reading-limits.ts'
import type { Pages } from './pages.ts'
import type { Priority, ThrottledConnection } from './throttle.ts'
import type { AccessToken, AccessTokens } from './token-source.ts'
import { UpstreamError } from './upstream-error.ts'

/** Calls are retried once, either with a new access token or after an interruption. */
const maxAttempts = 2

/** Maximum number of lists whose page sizes and hashes are remembered. */
const maxReaders = 100

/** Number of records needed to recognize the date fields of a custom database. */
const sampleSize = 20

/** Query parameters of a data endpoint, named as in the specification. */
export type Query = Readonly<Record<string, string>>

export type PageReader = {
  readonly readPage: (endpoint: string, query: Query, priority: () => Priority) => Promise<Page>
}

export type DataService = PageReader & {
  /**
   * Reads all pages of a collection that is kept. Parses them only if they have changed since the
   * previous reading, or when their items are needed.
   */
  readonly readListing: (
    endpoint: string,
    query: Query,
    priority: () => Priority,
    knownPart: (page: Page) => Page,
  ) => Promise<Listing>
  /**
   * Reads all pages of an endpoint and returns their unvalidated items. `knownPart` drops unknown
   * properties from each page before the next one is read.
   */
  readonly readAll: (
    endpoint: string,
    query: Query,
    priority: () => Priority,
    knownPart?: (page: Page) => Page,
  ) => Promise<Pages>
}

export async function requestAccessToken(
  connection: ThrottledConnection,
  refreshToken: string,
  admit: () => Promise<void>,
): Promise<AccessToken> {
  const call = { method: 'POST', path: '/apps/api/refresh/', token: refreshToken } as const
  return accessTokenFrom(await connection.request(call, () => 'person', admit))
}

/** Error codes that prove the service accepted the access token. */
const accepted = ['token_expired', 'project_disabled', 'ip_not_allowed', 'endpoint_not_allowed']

/** Returns true if a data endpoint accepts the token. Failures do not count as token requests. */
export async function isTakenAsAccessToken(
  connection: ThrottledConnection,
  token: string,
): Promise<boolean> {
  const call = { method: 'GET', path: '/apps/api/events/?MaxRows=1', token } as const
  try {
    pageFrom(await connection.request(call, () => 'person'), 'events')
    return true
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return isOfKind(error, accepted)
  }
}

/** Creates a client that calls `onPage` for every page. Promises reject only with an `UpstreamError`. */
export function createDataService(
  connection: ThrottledConnection,
  tokens: AccessTokens,
  onPage: (page: Page) => void = () => undefined,
): DataService {
  const readers = new LRUCache<string, ListReader>({ max: maxReaders })
  const collectionSizes: CollectionSizes = new Map()

  async function fetchPageOf(
    endpoint: string,
    query: Query,
    priority: () => Priority,
    knownHash?: string,
  ): Promise<FetchedPage> {
    const parameters = new URLSearchParams(query).toString()
    const path = `/apps/api/${endpoint}/?${parameters}`
    for (let attempt = 1; ; attempt += 1) {
      const token = await tokens.current()
      try {
        const call = { method: 'GET', path, token, knownHash } as const
        const response = await connection.request(call, priority)
        const { bodyBytes: bytes = 0, bodyHash, generated } = response
        if (response.isKnown === true) {
          return { bytes, bodyHash, generated, page: () => pageFrom(response, endpoint) }
        }
        const page = pageFrom(response, endpoint)
        onPage(page)
        return { bytes, bodyHash, generated, page: () => page }
      } catch (error) {
        const isRejected = isOfKind(error, ['token_expired', 'token_invalid'])
        if (isRejected) tokens.discard(token)
        const isBlocked = error instanceof UpstreamError && error.kind === 'too_many_failures'
        if (isBlocked) await tokens.blocked(error)
        // The server may have closed an idle connection just as the call was sent.
        const isRetryable = isRejected || isOfKind(error, ['interrupted'])
        if (!isRetryable || attempt === maxAttempts) throw error
      }
    }
  }

  /** `collection` is the name of a kept collection, or undefined for other lists. */
  function read(
    endpoint: string,
    query: Query,
    priority: () => Priority,
    knownPart: (page: Page) => Page,
    collection?: string,
  ): Promise<Listing> {
    const list = `${collection} ${endpoint}?${new URLSearchParams(query).toString()}`
    const sizes = collection === undefined ? undefined : collectionSizes
    const reader = readers.get(list) ?? createListReader(endpoint, collection, sizes)
    readers.set(list, reader)
    const fetchPage: FetchPage = (startRow, rows, knownHash) => {
      const asked = { ...query, StartRow: String(startRow), MaxRows: String(rows) }
      return fetchPageOf(endpoint, asked, priority, knownHash)
    }
    return reader.read(fetchPage, knownPart)
  }

  return {
    readPage: async (endpoint, query, priority) =>
      (await fetchPageOf(endpoint, query, priority)).page(),
    readListing(endpoint, query, priority, knownPart) {
      // Dates in the query change daily, but the collection stays the same.
      const { DatabaseID = '' } = query
      return read(endpoint, query, priority, knownPart, `${endpoint} ${DatabaseID}`)
    },
    async readAll(endpoint, query, priority, knownPart = (page) => page) {
      return (await read(endpoint, query, priority, knownPart)).pages()
    },
  }
}

/** Reads the list of the website's custom databases in one call. Rejects with an `UpstreamError`. */
export async function listDatabases(client: PageReader): Promise<readonly RecordOf['databases'][]> {
  const rows = { MaxRows: String(maxRows) }
  const { items } = await client.readPage('databases', rows, () => 'person')
  const known = items.map((item) => knownPart('databases', item))
  return readRecords('databases', known).records
}

/** Reads a few records of a custom database in one call. Rejects with an `UpstreamError`. */
export async function readDatabaseSample(
  client: PageReader,
  { id, title }: RecordOf['databases'],
): Promise<DatabaseSample> {
  const query = { DatabaseID: String(id), MaxRows: String(sampleSize) }
  const page = await client.readPage('databases', query, () => 'person')
  const fields = databaseFieldsFrom(page.fields)
  const items = page.items.map((item) => databaseItem(item, fields))
  const { records } = readRecords('databases/records', items)
  return { id, title, recordCount: page.totalCount, fields, records }
}

function isOfKind(error: unknown, kinds: readonly string[]): boolean {
  return error instanceof UpstreamError && kinds.includes(error.kind)
}
