import type { Connection } from './connection.ts'
import { accessTokenFrom, pageFrom, type Page } from './envelope.ts'
import { maxRows, readAllPages } from './pages.ts'
import type { AccessToken, TokenSource } from './token-source.ts'
import { UpstreamError } from './upstream-error.ts'

/** A refused access token is replaced once. */
const maxAttempts = 2

/** Query parameters of a data endpoint, named as in the specification. */
export type Query = Readonly<Record<string, string>>

export type DataService = {
  /** Every item of an endpoint, unchecked, from all its pages. Rejects with an `UpstreamError`. */
  readonly readAll: (endpoint: string, query: Query) => Promise<readonly unknown[]>
}

/** Trades the refresh token for an access token. */
export async function requestAccessToken(
  connection: Pick<Connection, 'request'>,
  refreshToken: string,
): Promise<AccessToken> {
  const path = '/apps/api/refresh/'
  return accessTokenFrom(await connection.request({ method: 'POST', path, token: refreshToken }))
}

/** The one reader of the data service. */
export function createDataService(
  connection: Pick<Connection, 'request'>,
  tokens: TokenSource,
): DataService {
  async function readPage(endpoint: string, path: string): Promise<Page> {
    for (let attempt = 1; ; attempt += 1) {
      const token = await tokens.current()
      try {
        return pageFrom(await connection.request({ method: 'GET', path, token }), endpoint)
      } catch (error) {
        if (!isTokenRefused(error)) throw error
        tokens.discard(token)
        if (attempt === maxAttempts) throw error
      }
    }
  }

  return {
    readAll: (endpoint, query) =>
      readAllPages((startRow) => {
        const rows = { StartRow: String(startRow), MaxRows: String(maxRows) }
        const parameters = new URLSearchParams({ ...query, ...rows }).toString()
        return readPage(endpoint, `/apps/api/${endpoint}/?${parameters}`)
      }),
  }
}

function isTokenRefused(error: unknown): boolean {
  return (
    error instanceof UpstreamError &&
    (error.kind === 'token_expired' || error.kind === 'token_invalid')
  )
}
