import { countThings } from '../records/known-part.ts'
import { accessTokenFrom, pageFrom, type Page } from './envelope.ts'
import { maxRows, readAllPages, type Pages } from './pages.ts'
import type { Priority } from './throttle.ts'
import type { ThrottledConnection } from './throttled-connection.ts'
import type { AccessToken, TokenSource } from './token-source.ts'
import { UpstreamError } from './upstream-error.ts'

/** A refused access token is replaced once, and a connection that breaks is made once more. */
const maxAttempts = 2

/** All answers of one reading together. */
const maxReadingBytes = 32 * 1024 * 1024
/** Records of one reading, and things within them, of which small ones take most memory. */
const maxReadingThings = 200_000

/** Query parameters of a data endpoint, named as in the specification. */
export type Query = Readonly<Record<string, string>>

/** Rejects with an `UpstreamError` alone. */
export type DataService = {
  /**
   * Every item of an endpoint, unchecked, from all its pages. `knownPart` drops what nobody reads from
   * each page before the next one is read.
   */
  readonly readAll: (
    endpoint: string,
    query: Query,
    priority: () => Priority,
    knownPart?: (page: Page) => Page,
  ) => Promise<Pages>
  /** The page that a query brings, in one call. */
  readonly readPage: (endpoint: string, query: Query, priority: () => Priority) => Promise<Page>
}

/** Trades the refresh token for an access token. */
export async function requestAccessToken(
  connection: ThrottledConnection,
  refreshToken: string,
  admit: () => Promise<void>,
): Promise<AccessToken> {
  const call = { method: 'POST', path: '/apps/api/refresh/', token: refreshToken } as const
  return accessTokenFrom(await connection.request(call, () => 'person', admit))
}

/** What is said of a call by an access token that the service knows, whatever comes of it. */
const knownAccessToken = [
  'token_expired',
  'project_disabled',
  'ip_not_allowed',
  'endpoint_not_allowed',
]

/** Whether a data endpoint knows the token; a refused call is no failed token request. */
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
    return isOfKind(error, knownAccessToken)
  }
}

/** The one reader of the data service; `onPage` sees every page that comes. */
export function createDataService(
  connection: ThrottledConnection,
  tokens: Pick<TokenSource, 'current' | 'discard' | 'blocked'>,
  onPage: (page: Page) => void = () => undefined,
): DataService {
  async function requestPage(endpoint: string, query: Query, priority: () => Priority) {
    const parameters = new URLSearchParams(query).toString()
    const path = `/apps/api/${endpoint}/?${parameters}`
    for (let attempt = 1; ; attempt += 1) {
      const token = await tokens.current()
      try {
        const answer = await connection.request({ method: 'GET', path, token }, priority)
        const page = pageFrom(answer, endpoint)
        onPage(page)
        return { page, bytes: answer.bodyBytes ?? 0 }
      } catch (error) {
        const isRefused = isOfKind(error, ['token_expired', 'token_invalid'])
        if (isRefused) tokens.discard(token)
        if (error instanceof UpstreamError && error.kind === 'too_many_failures') {
          await tokens.blocked(error)
        }
        // A connection that was kept open may have ended just as the call was sent.
        const isWorthAnother = isRefused || isOfKind(error, ['interrupted'])
        if (!isWorthAnother || attempt === maxAttempts) throw error
      }
    }
  }

  return {
    readPage: async (endpoint, query, priority) =>
      (await requestPage(endpoint, query, priority)).page,
    readAll(endpoint, query, priority, knownPart = (page) => page) {
      let admit = createReadingLimit(endpoint)
      return readAllPages(async (startRow) => {
        if (startRow === 1) admit = createReadingLimit(endpoint)
        const rows = { StartRow: String(startRow), MaxRows: String(maxRows) }
        const { page, bytes } = await requestPage(endpoint, { ...query, ...rows }, priority)
        const known = knownPart(page)
        admit(known, bytes)
        return known
      })
    },
  }
}

/** Throws once the pages of a reading are too much to keep. */
function createReadingLimit(endpoint: string): (page: Page, bytes: number) => void {
  let readBytes = 0
  let readThings = 0
  return ({ items }, bytes) => {
    readBytes += bytes
    readThings += countThings(items)
    if (readBytes <= maxReadingBytes && readThings <= maxReadingThings) return
    const message =
      readBytes > maxReadingBytes
        ? `all pages together are larger than ${maxReadingBytes / 1024 / 1024} MiB`
        : `there are more than ${maxReadingThings} records and parts of records`
    throw new UpstreamError('body_too_large', `${endpoint}: ${message}`)
  }
}

function isOfKind(error: unknown, kinds: readonly string[]): boolean {
  return error instanceof UpstreamError && kinds.includes(error.kind)
}
