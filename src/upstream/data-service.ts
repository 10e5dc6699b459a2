import type { Connection } from './connection.ts'
import { accessTokenFrom, pageFrom, type Page } from './envelope.ts'
import { maxRows, readAllPages } from './pages.ts'
import type { AccessToken, TokenSource } from './token-source.ts'
import { UpstreamError } from './upstream-error.ts'

/** Query parameters of a data endpoint, named as in the specification. */
export type Query = Readonly<Record<string, string>>

export type DataService = {
  /** Every item of an endpoint, unchecked, from all its pages. Rejects with an `UpstreamError`. */
  readonly readAll: (
    endpoint: string,
    query: Query,
    signal?: AbortSignal,
  ) => Promise<readonly unknown[]>
}

/** Trades the refresh token for an access token. */
export async function requestAccessToken(
  connection: Connection,
  refreshToken: string,
): Promise<AccessToken> {
  const path = '/apps/api/refresh/'
  return accessTokenFrom(await connection.request({ method: 'POST', path, token: refreshToken }))
}

/** The one reader of the data service. */
export function createDataService(connection: Connection, tokens: TokenSource): DataService {
  async function readPage(endpoint: string, path: string, signal?: AbortSignal): Promise<Page> {
    const ask = async (token: string) =>
      pageFrom(await connection.request({ method: 'GET', path, token }, signal), endpoint)
    const token = await tokens.current()
    try {
      return await ask(token)
    } catch (error) {
      if (!isTokenRefused(error)) throw error
      tokens.discard(token)
      return ask(await tokens.current())
    }
  }

  return {
    readAll: (endpoint, query, signal) =>
      readAllPages((startRow) => {
        const rows = { StartRow: String(startRow), MaxRows: String(maxRows) }
        const parameters = new URLSearchParams({ ...query, ...rows }).toString()
        return readPage(endpoint, `/apps/api/${endpoint}/?${parameters}`, signal)
      }),
  }
}

function isTokenRefused(error: unknown): boolean {
  return (
    error instanceof UpstreamError &&
    (error.kind === 'token_expired' || error.kind === 'token_invalid')
  )
}
