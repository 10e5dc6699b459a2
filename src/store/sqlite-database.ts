import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StoreError, type StoreErrorKind } from './store-error.ts'

/** Waiting holds up everything; another process on the same file writes for milliseconds. */
const busyTimeoutMs = 500

/** Each brings the schema one version further; what has landed is never changed. */
const migrations = [
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

/**
 * Opens the file, made for this user alone when there is none, with the present schema. What was
 * written outlives the process, however it ends. Throws a `StoreError`.
 */
export function openSqliteDatabase(file: string): DatabaseSync {
  return withStoreErrors(file, () => {
    closeSync(openSync(file, 'a', 0o600))
    const database = new DatabaseSync(file)
    try {
      return prepared(database, file)
    } catch (error) {
      database.close()
      throw error
    }
  })
}

/** Turns what goes wrong with the file into `StoreError`s. */
export function withStoreErrors<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof StoreError || !(error instanceof Error) || !('code' in error)) throw error
    throw new StoreError(kindOf(error), `The store ${file} cannot be used: ${error.message}.`, {
      cause: error,
    })
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

function prepared(database: DatabaseSync, file: string): DatabaseSync {
  database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
  // Without waiting for the disk: a killed process loses nothing, a power cut the last moments.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  inTransaction(database, () => {
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
    if (version > migrations.length) {
      throw new StoreError(
        'unusable',
        `The store ${file} was written by a newer version of Feedhouse; start that version.`,
      )
    }
    for (const migration of migrations.slice(version)) database.exec(migration)
    database.exec(`PRAGMA user_version = ${migrations.length}`)
  })
  return database
}

/** Primary result codes of SQLite, https://sqlite.org/rescode.html. */
const [sqliteBusy, sqliteFull] = [5, 13]

function kindOf(error: Error): StoreErrorKind {
  const code = 'errcode' in error ? Number(error.errcode) & 0xff : 0
  if (code === sqliteFull || ('code' in error && error.code === 'ENOSPC')) return 'full'
  return code === sqliteBusy ? 'unreachable' : 'unusable'
}
