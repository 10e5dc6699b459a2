import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from './transaction.ts'

const failuresToBlock = 10
const failureWindowMs = 10 * 60_000

export type Lockout = {
  readonly isBlocked: (address: string) => boolean
  /** Counts a failed token request. */
  readonly countFailure: (address: string) => void
}

/** Blocks an IP address after ten failed token requests within ten minutes. */
export function createLockout(
  database: DatabaseSync,
  options: { readonly lockoutSeconds: number; readonly now: () => number },
): Lockout {
  const { lockoutSeconds, now } = options
  const selectBlock = database.prepare('SELECT until FROM blocked_addresses WHERE address = ?')
  const block = database.prepare('INSERT INTO blocked_addresses VALUES (?, ?)')
  const unblock = database.prepare('DELETE FROM blocked_addresses WHERE until <= ?')
  const insert = database.prepare('INSERT INTO failed_token_requests VALUES (?, ?)')
  const count = database.prepare(
    'SELECT count(*) AS failures FROM failed_token_requests WHERE address = ?',
  )
  const forgetAddress = database.prepare('DELETE FROM failed_token_requests WHERE address = ?')
  const forgetOld = database.prepare('DELETE FROM failed_token_requests WHERE at <= ?')

  return {
    isBlocked: (address) => now() < Number(selectBlock.get(address)?.['until'] ?? 0),
    countFailure: (address) =>
      inTransaction(database, () => {
        forgetOld.run(now() - failureWindowMs)
        insert.run(address, now())
        if (Number(count.get(address)?.['failures']) < failuresToBlock) return
        forgetAddress.run(address)
        unblock.run(now())
        block.run(address, now() + lockoutSeconds * 1000)
      }),
  }
}
