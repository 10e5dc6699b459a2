import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { replicasBucket } from '../replicas.ts'
import { copyBefore, usableCopy } from './sqlite-copies.ts'
import { StoreError, type StoreErrorKind } from '../store-error.ts'

/** Waiting here holds up everything; another process on the same file writes for milliseconds. */
const busyTimeoutMs = 5

/** So often it is tried again in between, without holding anything up: for half a second. */
const maxBusyRetries = 25
const busyNapMs = 20

/** Each brings the schema one version further; what has landed is never changed. */
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
  CREATE TABLE happenings (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX happenings_by_time ON happenings (name, at);
  CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;`,
]

export type OpenOptions = {
  /** Instead of those of this version. */
  readonly migrations?: readonly string[]
  /** Called with the path of the copy, once an older file was brought forward. */
  readonly onMigrated?: ((copy: string) => void) | undefined
  /** Of a command: an older file on which Feedhouse runs at that time is left as it is. */
  readonly unlessUsedAt?: number | undefined
}

/**
 * Opens the file, made for this user alone when there is none, with the present schema. What was
 * written outlives the process, however it ends. Throws a `StoreError`.
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

/** A connection to a file as it is. */
export function connectToSqlite(file: string): DatabaseSync {
  return withStoreErrors(file, () => {
    const database = new DatabaseSync(file)
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
    return database
  })
}

/** Turns what goes wrong with the file into `StoreError`s. */
export function withStoreErrors<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw storeErrorFrom(file, error)
  }
}

/** The error itself where it is not of the file. */
export function storeErrorFrom(file: string, error: unknown): unknown {
  if (error instanceof StoreError || !(error instanceof Error) || !('code' in error)) return error
  const sentence = `The store ${file} cannot be used: ${error.message}.`
  return new StoreError(kindOf(error), sentence, { cause: error })
}

/** Does it once no other process writes. Rejects with a `StoreError` when that takes too long. */
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

/** All of it or nothing, alone among processes. */
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
  // Without waiting for the disk: a killed process loses nothing, a power cut the last moments.
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
    // Nobody else can write from here on, so that the copy lacks nothing.
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
    `The store ${file} is of an older version of Feedhouse, which is running on it: use that version, or stop it first. One that was killed counts as running for a minute.`,
  )
}

function newerFault(file: string, knownVersion: number): StoreError {
  const copy = usableCopy(file, knownVersion)
  const sentence = `The store ${file} was written by a newer version of Feedhouse; start that version.`
  return new StoreError(
    'unusable',
    copy === undefined
      ? sentence
      : `${sentence} The file as it was before that version is kept as ${copy}.`,
  )
}

function migrationFault(file: string, copy: string | undefined, error: unknown): StoreError {
  const reason = error instanceof Error ? error.message : String(error)
  const kept = copy === undefined ? '' : ` A copy of it is ${copy}.`
  const kind = error instanceof Error ? kindOf(error) : 'unusable'
  const sentence = `The store ${file} cannot be brought forward to this version of Feedhouse: ${reason}. It is as it was.${kept}`
  return new StoreError(kind, sentence, { cause: error })
}

/** Primary result codes of SQLite, https://sqlite.org/rescode.html. */
const [sqliteBusy, sqliteFull] = [5, 13]

function kindOf(error: Error): StoreErrorKind {
  const code = 'errcode' in error ? Number(error.errcode) & 0xff : 0
  if (code === sqliteFull || ('code' in error && error.code === 'ENOSPC')) return 'full'
  return code === sqliteBusy ? 'unreachable' : 'unusable'
}
