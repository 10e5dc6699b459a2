import type { DatabaseSync } from 'node:sqlite'
import {
  connectToSqlite,
  storeErrorFrom,
  retryWhileBusy,
  withStoreErrors,
} from './sqlite-database.ts'
import { isDocument, maxWindowMs, type ReplaceCondition, type StoredItem } from '../store.ts'

/** Condition whose parameter is the current time. */
export const isAlive = '(expires_at IS NULL OR expires_at > ?)'

/** Reads in a transaction on a separate connection, which does not block writers in WAL mode. */
export async function* sqliteSnapshot(file: string, now: number): AsyncGenerator<StoredItem> {
  using database = connectToSqlite(file)
  try {
    database.exec('BEGIN')
    yield* documentsIn(database, now)
    yield* eventsIn(database, now)
  } catch (error) {
    throw storeErrorFrom(file, error)
  }
}

function* documentsIn(database: DatabaseSync, now: number): Generator<StoredItem> {
  const select = database.prepare(
    `SELECT bucket, id, value, revision, expires_at FROM documents WHERE ${isAlive}
     ORDER BY bucket, id`,
  )
  for (const row of select.iterate(now)) {
    const { bucket, id, value, revision, expires_at: expiresAt } = row
    yield {
      bucket: String(bucket),
      id: String(id),
      value: String(value),
      revision: Number(revision),
      ...(expiresAt === null ? {} : { expiresAt: Number(expiresAt) }),
    }
  }
}

function* eventsIn(database: DatabaseSync, now: number): Generator<StoredItem> {
  const select = database.prepare(
    'SELECT name, id, at FROM happenings WHERE at > ? ORDER BY name, at, id',
  )
  for (const { name, id, at } of select.iterate(now - maxWindowMs)) {
    yield { window: String(name), id: String(id), at: Number(at) }
  }
}

/** Writes in a transaction on a separate connection. */
export async function replaceInSqlite(
  file: string,
  items: AsyncIterable<StoredItem>,
  options: ReplaceCondition & { readonly now: number },
): Promise<boolean> {
  using database = connectToSqlite(file)
  try {
    // Wait for the disk, since the new data must survive a power failure.
    database.exec('PRAGMA synchronous = FULL')
    await retryWhileBusy(() => withStoreErrors(file, () => database.exec('BEGIN IMMEDIATE')))
    const isRight = meets(database, options)
    if (isRight) await write(database, items)
    database.exec(isRight ? 'COMMIT' : 'ROLLBACK')
    return isRight
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw storeErrorFrom(file, error)
  }
}

function meets(
  database: DatabaseSync,
  { emptyBucket, expected, now }: ReplaceCondition & { readonly now: number },
): boolean {
  const found = database
    .prepare(`SELECT 1 FROM documents WHERE bucket = ifnull(?, bucket) AND ${isAlive} LIMIT 1`)
    .get(emptyBucket ?? null, now)
  if (found || !expected) return !found
  const row = database
    .prepare(`SELECT revision FROM documents WHERE bucket = ? AND id = ? AND ${isAlive}`)
    .get(expected.bucket, expected.id, now)
  return Number(row?.['revision'] ?? 0) === expected.revision
}

async function write(database: DatabaseSync, items: AsyncIterable<StoredItem>): Promise<void> {
  const addDocument = database.prepare('INSERT INTO documents VALUES (?, ?, ?, ?, ?)')
  const addHappening = database.prepare(
    'INSERT OR IGNORE INTO happenings (name, id, at) VALUES (?, ?, ?)',
  )
  database.exec('DELETE FROM documents')
  for await (const item of items) {
    if (isDocument(item)) {
      const { bucket, id, value, revision, expiresAt } = item
      addDocument.run(bucket, id, value, revision, expiresAt ?? null)
    } else addHappening.run(item.window, item.id, Math.floor(item.at))
  }
}
