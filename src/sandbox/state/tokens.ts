import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from './transaction.ts'

export type Grant = {
  readonly kind: 'refresh' | 'access'
  readonly projectId: number
  /** Milliseconds since the epoch. */
  readonly issuedAt: number
  readonly isRevoked: boolean
}

export type Tokens = {
  /** Returns the current or former grant of a token. */
  readonly find: (token: string) => Grant | undefined
  /** Returns when a project's refresh token was issued, in milliseconds since the epoch. */
  readonly refreshTokenIssuedAt: (projectId: number) => number | undefined
  readonly issueAccessToken: (projectId: number) => string
  /** Replaces a project's refresh token and revokes all its access tokens. */
  readonly regenerate: (projectId: number) => string
}

/** Lifetimes from the specification. */
export const tokenLifetimes = {
  accessTokenSeconds: 24 * 60 * 60,
  refreshTokenSeconds: 365 * 24 * 60 * 60,
}

/** Sizes of a token's two parts, a row key and a secret. Multiples of 3 need no base64url padding. */
const lookupBytes = 9
const secretBytes = 24
const lookupLength = (lookupBytes / 3) * 4

/** How long to remember which project an invalid token belonged to. */
const memoryMs = 90 * 24 * 60 * 60 * 1000

/** Manages refresh and access tokens. Stores only hashes of their secrets. */
export function createTokens(
  database: DatabaseSync,
  options: { readonly accessTokenSeconds: number; readonly now: () => number },
): Tokens {
  const { now } = options
  const select = database.prepare('SELECT * FROM tokens WHERE lookup = ?')
  const selectRefresh = database.prepare(
    `SELECT issued_at FROM tokens
     WHERE project_id = ? AND kind = 'refresh' AND revoked_at IS NULL`,
  )
  const insert = database.prepare(
    'INSERT INTO tokens (lookup, secret_hash, kind, project_id, issued_at) VALUES (?, ?, ?, ?, ?)',
  )
  const revokeAll = database.prepare(
    'UPDATE tokens SET revoked_at = ? WHERE project_id = ? AND revoked_at IS NULL',
  )
  const forget = database.prepare(
    `DELETE FROM tokens
     WHERE project_id = ? AND (revoked_at < ? OR (kind = 'access' AND issued_at < ?))`,
  )

  function issue(kind: Grant['kind'], projectId: number): string {
    const expiredMs = options.accessTokenSeconds * 1000 + memoryMs
    forget.run(projectId, now() - memoryMs, now() - expiredMs)
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
      return {
        kind: row['kind'] === 'refresh' ? 'refresh' : 'access',
        projectId: Number(row['project_id']),
        issuedAt: Number(row['issued_at']),
        isRevoked: row['revoked_at'] !== null,
      }
    },
    refreshTokenIssuedAt(projectId) {
      const issuedAt = selectRefresh.get(projectId)?.['issued_at']
      return issuedAt === undefined ? undefined : Number(issuedAt)
    },
    issueAccessToken: (projectId) => issue('access', projectId),
    regenerate: (projectId) =>
      inTransaction(database, () => {
        revokeAll.run(now(), projectId)
        return issue('refresh', projectId)
      }),
  }
}

function hashOf(secret: string): Uint8Array {
  return createHash('sha256').update(secret).digest()
}
