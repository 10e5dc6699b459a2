import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { hourMs } from '../../clock.ts'
import {
  connectToSqlite,
  inTransaction,
  openSqliteDatabase,
  retryWhileBusy,
  storeErrorFrom,
  withStoreErrors,
  type OpenOptions,
} from './sqlite-database.ts'
import {
  isDocument,
  maxWindowMs,
  type Document,
  type Limit,
  type ReplaceCondition,
  type Store,
  type StoredItem,
  type Write,
} from '../store.ts'

const removeAllMs = hourMs

/** Condition whose parameter is the current time. */
const isAlive = '(expires_at IS NULL OR expires_at > ?)'

/** Called within a transaction that excludes other writers. */
export type WriteHooks = {
  /** Called before each write. May throw to prevent it. */
  readonly beforeWrite: () => void
  readonly wrote: (writes: readonly Write[]) => void
  /** Called with the connection that has replaced all documents. */
  readonly replaced: (database: DatabaseSync) => void
}

/** Opens a store in a file, for one replica and commands on the same machine. Throws a `StoreError`. */
export function openSqliteStore(file: string, now: () => number, options: OpenOptions = {}): Store {
  return sqliteStoreOver(openSqliteDatabase(file, options), file, now)
}

/** Returns a store that closes the database when it is disposed. */
export function sqliteStoreOver(
  database: DatabaseSync,
  file: string,
  now: () => number,
  hooks?: WriteHooks,
): Store {
  const open: OpenFile = {
    database,
    now,
    hooks,
    reading: async (work) => retryWhileBusy(() => withStoreErrors(file, work)),
    inOrder: (work) =>
      open.reading(() =>
        inTransaction(database, () => {
          hooks?.beforeWrite()
          return work()
        }),
      ),
  }
  const { documents, changeCount } = documentsIn(open)
  // Changes with every commit of other connections.
  const selectVersion = database.prepare('PRAGMA data_version')
  return {
    documents,
    version() {
      try {
        return `${Number(selectVersion.get()?.['data_version'])} ${changeCount()}`
      } catch {
        // The next attempt to read a document reports the error.
        return undefined
      }
    },
    windows: windowsIn(open),
    leases: leasesIn(open),
    otherHosts: async (bucket, except) => hostsBeside(file, bucket, except),
    snapshot: () => sqliteSnapshot(file, now()),
    replace: (items, condition) =>
      replaceInSqlite(file, items, { ...condition, now: now(), hooks }),
    async [Symbol.asyncDispose]() {
      database.close()
    },
  }
}

/**
 * Returns the hosts of the other stores in this file's directory, from their file names. Skips
 * names that start with an underscore, which hosts never do.
 */
function hostsBeside(
  file: string,
  bucket: string,
  except: ReadonlySet<string> = new Set(),
): readonly string[] {
  const directory = dirname(file)
  return readdirSync(directory)
    .filter((name) => /^[^_].*\.sqlite$/.test(name) && name !== basename(file))
    .filter((name) => !except.has(hostOf(name)) && mayHold(join(directory, name), bucket))
    .map(hostOf)
    .sort()
}

function hostOf(name: string): string {
  return name.slice(0, -'.sqlite'.length).replaceAll('_', ':')
}

/** Returns false only if the file is a store without documents in the bucket. */
function mayHold(file: string, bucket: string): boolean {
  try {
    // Do not open the file read-only, since SQLite would then leave its -shm and -wal files behind.
    using database = connectToSqlite(file)
    const select = 'SELECT 1 FROM documents WHERE bucket = ? LIMIT 1'
    return database.prepare(select).get(bucket) !== undefined
  } catch {
    // Include a locked or damaged file, since its site may have subscribers.
    return true
  }
}

type OpenFile = {
  readonly database: DatabaseSync
  readonly now: () => number
  readonly hooks: WriteHooks | undefined
  readonly reading: <T>(work: () => T) => Promise<T>
  /** Runs `work` in a transaction that excludes other writers. */
  readonly inOrder: <T>(work: () => T) => Promise<T>
}

function documentsIn({ database, now, hooks, inOrder, reading }: OpenFile) {
  const select = database.prepare(
    `SELECT value, revision FROM documents WHERE bucket = ? AND id = ? AND ${isAlive}`,
  )
  const selectAll = database.prepare(
    `SELECT id, value, revision FROM documents WHERE bucket = ? AND ${isAlive}`,
  )
  const upsert = database.prepare(
    `INSERT INTO documents VALUES (?, ?, ?, 1, ?) ON CONFLICT DO UPDATE
     SET value = excluded.value, revision = revision + 1, expires_at = excluded.expires_at`,
  )
  const remove = database.prepare('DELETE FROM documents WHERE bucket = ? AND id = ?')
  const removeExpired = database.prepare('DELETE FROM documents WHERE expires_at <= ?')
  let changes = 0

  const find = (bucket: string, id: string): Document | undefined => {
    const row = select.get(bucket, id, now())
    return row && documentFrom(row)
  }

  function writeOne({ bucket, id, value, expiresAt }: Write): void {
    if (find(bucket, id)?.value !== value) changes += 1
    if (value === undefined) remove.run(bucket, id)
    else upsert.run(bucket, id, value, expiresAt ?? null)
  }

  const documents: Store['documents'] = {
    get: (bucket, id) => reading(() => find(bucket, id)),
    all: (bucket) =>
      reading(() => {
        const rows = selectAll.all(bucket, now())
        return new Map(rows.map((row) => [String(row['id']), documentFrom(row)]))
      }),
    write: (writes, expected) =>
      inOrder(() => {
        removeExpired.run(now())
        const isExpected =
          !expected || (find(expected.bucket, expected.id)?.revision ?? 0) === expected.revision
        if (!isExpected) return false
        writes.forEach(writeOne)
        hooks?.wrote(writes)
        return true
      }),
  }
  return { documents, changeCount: () => changes }
}

function documentFrom({ value, revision }: Record<string, SQLOutputValue>): Document {
  return { value: String(value), revision: Number(revision) }
}

function windowsIn({ database, now, inOrder, reading }: OpenFile): Store['windows'] {
  const insert = database.prepare(
    'INSERT OR IGNORE INTO window_events (id, name, at) VALUES (?, ?, ?)',
  )
  const remove = database.prepare('DELETE FROM window_events WHERE name = ? AND id = ?')
  const removeOld = database.prepare('DELETE FROM window_events WHERE name = ? AND at <= ?')
  const removeAllOld = database.prepare('DELETE FROM window_events WHERE at <= ?')
  // Moves future events to now, so that they do not block calls after a fast clock is corrected.
  const pullBack = database.prepare('UPDATE window_events SET at = ? WHERE name = ? AND at > ?')
  const selectCount = database.prepare(
    'SELECT count(*) AS used FROM window_events WHERE name = ? AND at > ?',
  )
  const selectFromLast = database.prepare(
    'SELECT at FROM window_events WHERE name = ? ORDER BY at DESC LIMIT 1 OFFSET ?',
  )

  let removedAllAt = now()

  /** Also deletes the events of windows that are no longer used, but rarely, because it reads all. */
  function deleteOld(name: string): void {
    const oldest = now() - maxWindowMs
    removeOld.run(name, oldest)
    if (Math.abs(now() - removedAllAt) < removeAllMs) return
    removedAllAt = now()
    removeAllOld.run(oldest)
  }

  const countOf = (name: string, windowMs: number) =>
    Number(selectCount.get(name, now() - windowMs)?.['used'])

  function waitMsFor(name: string, { windowMs, max }: Limit, used: number): number {
    if (used < max) return 0
    if (max === 0) return windowMs
    const blocking = Number(selectFromLast.get(name, max - 1)?.['at'])
    return blocking + windowMs - now()
  }

  return {
    take: (name, limits) =>
      inOrder(() => {
        deleteOld(name)
        pullBack.run(now(), name, now())
        // Counting thousands of events takes a millisecond.
        const before = limits.map((limit) => ({ limit, used: countOf(name, limit.windowMs) }))
        const waits = before.map(({ limit, used }) => waitMsFor(name, limit, used))
        const retryAfterMs = Math.max(...waits)
        if (retryAfterMs > 0) return { ok: false, retryAfterMs }
        const id = randomUUID()
        insert.run(id, name, now())
        return { ok: true, id, used: before.map(({ used }) => used + 1) }
      }),
    release: (name, id) => inOrder(() => void remove.run(name, id)),
    add: (name, events) =>
      inOrder(() => {
        for (const [id, at] of events) insert.run(id, name, Math.floor(at))
      }),
    count: (name, windowMs) => reading(() => countOf(name, windowMs)),
  }
}

function leasesIn({ database, now, reading }: OpenFile): Store['leases'] {
  // The second half of the condition ignores leases set by a clock that was ahead.
  const take = database.prepare(
    `INSERT INTO leases VALUES (:name, :holder, :now + :ttl) ON CONFLICT DO UPDATE
     SET holder = excluded.holder, until = excluded.until
     WHERE holder = :holder OR until <= :now OR until > :now + :ttl`,
  )
  const release = database.prepare('DELETE FROM leases WHERE name = ? AND holder = ?')
  return {
    take: (name, holder, ttlMs) =>
      reading(() => take.run({ name, holder, now: now(), ttl: ttlMs }).changes > 0),
    release: (name, holder) => reading(() => void release.run(name, holder)),
  }
}

/** Reads in a transaction on a separate connection, which does not block writers in WAL mode. */
async function* sqliteSnapshot(file: string, now: number): AsyncGenerator<StoredItem> {
  using database = connectToSqlite(file)
  try {
    database.exec('BEGIN')
    yield* allDocuments(database, now)
    yield* allEvents(database, now)
  } catch (error) {
    throw storeErrorFrom(file, error)
  }
}

function* allDocuments(database: DatabaseSync, now: number): Generator<StoredItem> {
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

function* allEvents(database: DatabaseSync, now: number): Generator<StoredItem> {
  const select = database.prepare(
    'SELECT name, id, at FROM window_events WHERE at > ? ORDER BY name, at, id',
  )
  for (const { name, id, at } of select.iterate(now - maxWindowMs)) {
    yield { window: String(name), id: String(id), at: Number(at) }
  }
}

/** Writes in a transaction on a separate connection. */
async function replaceInSqlite(
  file: string,
  items: AsyncIterable<StoredItem>,
  options: ReplaceCondition & { readonly now: number; readonly hooks: WriteHooks | undefined },
): Promise<boolean> {
  using database = connectToSqlite(file)
  try {
    // Wait for the disk, since the new data must survive a power failure.
    database.exec('PRAGMA synchronous = FULL')
    await retryWhileBusy(() => withStoreErrors(file, () => database.exec('BEGIN IMMEDIATE')))
    const isRight = meets(database, options)
    if (isRight) {
      await fill(database, items)
      options.hooks?.replaced(database)
    }
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

async function fill(database: DatabaseSync, items: AsyncIterable<StoredItem>): Promise<void> {
  const addDocument = database.prepare('INSERT INTO documents VALUES (?, ?, ?, ?, ?)')
  const addEvent = database.prepare(
    'INSERT OR IGNORE INTO window_events (name, id, at) VALUES (?, ?, ?)',
  )
  database.exec('DELETE FROM documents')
  for await (const item of items) {
    if (isDocument(item)) {
      const { bucket, id, value, revision, expiresAt } = item
      addDocument.run(bucket, id, value, revision, expiresAt ?? null)
    } else addEvent.run(item.window, item.id, Math.floor(item.at))
  }
}
