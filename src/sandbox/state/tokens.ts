import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'

export type Grant = {
  readonly kind: 'refresh' | 'access'
  readonly projectId: number
  /** Milliseconds since the epoch. */
  readonly issuedAt: number
}

export type Tokens = {
  /** What a token grants, were it still valid. */
  readonly find: (token: string) => Grant | undefined
  /** When a project's refresh token was issued, in milliseconds since the epoch. */
  readonly refreshTokenIssuedAt: (projectId: number) => number | undefined
  readonly issueAccessToken: (projectId: number) => string
  /** Replaces a project's refresh token and revokes all its access tokens. */
  readonly regenerate: (projectId: number) => string
}

/** A token is the part its row is found by and a secret; each has whole base64url characters. */
const lookupBytes = 9
const secretBytes = 24
const lookupLength = (lookupBytes / 3) * 4

/** So long an access token is remembered, to be told that it has expired. */
const accessTokenMemoryMs = 30 * 24 * 60 * 60 * 1000

/** Refresh and access tokens; of their secrets only hashes are kept. */
export function createTokens(
  database: DatabaseSync,
  { now }: { readonly now: () => number },
): Tokens {
  const select = database.prepare('SELECT * FROM tokens WHERE lookup = ?')
  const selectRefresh = database.prepare(
    "SELECT issued_at FROM tokens WHERE project_id = ? AND kind = 'refresh'",
  )
  const insert = database.prepare('INSERT INTO tokens VALUES (?, ?, ?, ?, ?)')
  const deleteAll = database.prepare('DELETE FROM tokens WHERE project_id = ?')
  const deleteOld = database.prepare(
    "DELETE FROM tokens WHERE project_id = ? AND kind = 'access' AND issued_at < ?",
  )

  function issue(kind: Grant['kind'], projectId: number): string {
    const lookup = randomBytes(lookupBytes).toString('base64url')
    const secret = randomBytes(secretBytes).toString('base64url')
    insert.run(lookup, hashOf(secret), kind, projectId, now())
    return lookup + secret
  }

  return {
    find(token) {
      const row = select.get(token.slice(0, lookupLength))
      const expected = row?.['secret_hash']
      if (!row || !(expected instanceof Uint8Array)) return undefined
      if (!timingSafeEqual(hashOf(token.slice(lookupLength)), expected)) return undefined
      const kind = row['kind'] === 'refresh' ? 'refresh' : 'access'
      return { kind, projectId: Number(row['project_id']), issuedAt: Number(row['issued_at']) }
    },
    refreshTokenIssuedAt(projectId) {
      const issuedAt = selectRefresh.get(projectId)?.['issued_at']
      return issuedAt === undefined ? undefined : Number(issuedAt)
    },
    issueAccessToken(projectId) {
      deleteOld.run(projectId, now() - accessTokenMemoryMs)
      return issue('access', projectId)
    },
    regenerate(projectId) {
      database.exec('BEGIN IMMEDIATE')
      try {
        deleteAll.run(projectId)
        const token = issue('refresh', projectId)
        database.exec('COMMIT')
        return token
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      }
    },
  }
}

function hashOf(secret: string): Uint8Array {
  return createHash('sha256').update(secret).digest()
}
