import { chmodSync, closeSync, openSync, readdirSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { diskFullError } from '../data-directory.ts'
import { replicasBucket } from '../replicas.ts'
import { moveIntoPlace } from '../private-files.ts'
import { StoreError, type StoreErrorKind } from '../store-error.ts'

/** Short, because waiting blocks the event loop. Others lock the file for milliseconds. */
const busyTimeoutMs = 5

/**
 * Pages to keep per connection between statements. They add up with hundreds of sites, and the
 * system caches the files anyway.
 */
const cachedPages = 0

/** Retries without blocking, for half a second in total. */
const maxBusyRetries = 25
const busyNapMs = 20

/** Schema migrations, in order. A released migration never changes. */
export const allMigrations: readonly string[] = [
  `CREATE TABLE documents (
    bucket TEXT NOT NULL,
    id TEXT NOT NULL,
    value TEXT NOT NULL,
    revision INTEGER NOT NULL,
    expires_at INTEGER,
    PRIMARY KEY (bucket, id)
  ) STRICT;
  CREATE INDEX documents_that_expire ON documents (expires_at) WHERE expires_at IS NOT NULL;
  CREATE TABLE window_events (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX window_events_by_time ON window_events (name, at);
  CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;`,
]

export type OpenOptions = {
  /** Replaces `allMigrations`. */
  readonly migrations?: readonly string[]
  /** Called after migrating an older file, with the path of its copy. */
  readonly onMigrated?: ((copy: string) => void) | undefined
  /** Set by commands, so that they do not migrate a file in use by a running service. */
  readonly unlessUsedAt?: number | undefined
}

/**
 * Opens the file and migrates it to the current schema. A new file is readable only by this user.
 * Writes survive a process crash. Throws a `StoreError`.
 */
export function openSqliteDatabase(file: string, options: OpenOptions = {}): DatabaseSync {
  return withStoreErrors(file, () => {
    closeSync(openSync(file, 'a', 0o600))
    const database = connectToSqlite(file)
    try {
      return prepared(database, file, options)
    } catch (error) {
      database.close()
      throw error
    }
  })
}

/** Opens an existing file. Throws a `StoreError` if there is none. */
export function connectToSqlite(file: string): DatabaseSync {
  return withStoreErrors(file, () => {
    const url = pathToFileURL(file)
    url.search = '?mode=rw'
    const database = new DatabaseSync(url)
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA cache_size = ${cachedPages}`)
    return database
  })
}

export function withStoreErrors<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw storeErrorFrom(file, error)
  }
}

/** Converts errors from Node or SQLite to `StoreError`s. Returns other errors unchanged. */
export function storeErrorFrom(file: string, error: unknown): unknown {
  if (error instanceof StoreError || !(error instanceof Error) || !('code' in error)) return error
  const kind = kindOf(error)
  if (kind === 'disk full') return diskFullError(dirname(file), { cause: error })
  const sentence = `The store ${file} cannot be used: ${error.message}.`
  return new StoreError(kind, sentence, { cause: error })
}

/** Retries `work` while another process is writing. Rejects with a `StoreError` after half a second. */
export async function retryWhileBusy<T>(work: () => T): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return work()
    } catch (error) {
      const isBusy = error instanceof StoreError && error.kind === 'unreachable'
      if (!isBusy || tries === maxBusyRetries) throw error
    }
    await sleep(busyNapMs)
  }
}

/** Runs `work` in a transaction that excludes other processes. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

function prepared(
  database: DatabaseSync,
  file: string,
  { migrations = allMigrations, onMigrated, unlessUsedAt }: OpenOptions,
): DatabaseSync {
  // Does not wait for the disk. Recent writes survive a killed process, but not a power failure.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  let copy: string | undefined
  inTransaction(database, () => {
    const version = versionOf(database)
    if (version > migrations.length) throw newerFault(file, migrations.length)
    if (version === migrations.length) return
    const isNew = isEmpty(database)
    if (!isNew && unlessUsedAt !== undefined && isUsed(database, unlessUsedAt)) {
      throw usedFault(file)
    }
    // The transaction excludes other writers, so the copy is complete.
    copy = isNew ? undefined : copyBefore(file, migrations.length)
    try {
      for (const migration of migrations.slice(version)) database.exec(migration)
      database.exec(`PRAGMA user_version = ${migrations.length}`)
    } catch (error) {
      throw migrationFault(file, copy, error)
    }
  })
  if (copy !== undefined) onMigrated?.(copy)
  return database
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
}

function isEmpty(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() === undefined
}

function isUsed(database: DatabaseSync, now: number): boolean {
  const select = 'SELECT 1 FROM documents WHERE bucket = ? AND expires_at > ? LIMIT 1'
  return database.prepare(select).get(replicasBucket, now) !== undefined
}

function usedFault(file: string): StoreError {
  return new StoreError(
    'unusable',
    `The store ${file} is in use by an older version of Feedhouse that is still running: use that version, or stop it first. A killed process counts as running for a minute.`,
  )
}

function newerFault(file: string, knownVersion: number): StoreError {
  const copy = usableCopy(file, knownVersion)
  const sentence = `The store ${file} was written by a newer version of Feedhouse; start that version.`
  return new StoreError(
    'unusable',
    copy === undefined ? sentence : `${sentence} A copy from before the migration is at ${copy}.`,
  )
}

function migrationFault(file: string, copy: string | undefined, error: unknown): StoreError {
  const reason = error instanceof Error ? error.message : String(error)
  const kept = copy === undefined ? '' : ` A copy is at ${copy}.`
  const kind = error instanceof Error ? kindOf(error) : 'unusable'
  const sentence = `The store ${file} cannot be migrated to this version of Feedhouse: ${reason}. It is unchanged.${kept}`
  return new StoreError(kind, sentence, { cause: error })
}

/** SQLite's primary result codes, https://sqlite.org/rescode.html. */
const [sqliteBusy, sqliteFull] = [5, 13]

function kindOf(error: Error): StoreErrorKind {
  const code = 'errcode' in error ? Number(error.errcode) & 0xff : 0
  if (code === sqliteFull || ('code' in error && error.code === 'ENOSPC')) return 'disk full'
  return code === sqliteBusy ? 'unreachable' : 'unusable'
}

/** Number of copies to keep, one for each of the latest schema changes. */
export const maxCopies = 3

/** Works while other processes write to the file. Replaces an earlier copy of the same version. */
function copyBefore(file: string, version: number): string {
  const path = `${file}.before-v${version}`
  const part = `${path}.part`
  rmSync(part, { force: true })
  // SQLite fills an existing empty file and keeps its permissions.
  closeSync(openSync(part, 'wx', 0o600))
  using database = new DatabaseSync(file, { readOnly: true })
  database.prepare('VACUUM INTO ?').run(part)
  chmodSync(part, 0o600)
  moveIntoPlace(part, path)
  for (const { path: old } of copiesOf(file).slice(maxCopies)) rmSync(old, { force: true })
  return path
}

/** Returns the latest copy that a Feedhouse release with this schema version can use. */
function usableCopy(file: string, knownVersion: number): string | undefined {
  return copiesOf(file).find(({ path }) => schemaVersionOf(path) <= knownVersion)?.path
}

/** Returns the copies, latest first, each made right before the migration to its version. */
function copiesOf(file: string): readonly { readonly path: string; readonly version: number }[] {
  const prefix = `${basename(file)}.before-v`
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => ({
      path: join(dirname(file), name),
      version: Number(name.slice(prefix.length)),
    }))
    .sort((a, b) => b.version - a.version)
}

function schemaVersionOf(path: string): number {
  try {
    using database = new DatabaseSync(path, { readOnly: true })
    return versionOf(database)
  } catch {
    // A damaged copy must not hide why the store cannot be opened.
    return Infinity
  }
}
