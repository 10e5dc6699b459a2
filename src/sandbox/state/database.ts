import { accessSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SandboxFault } from '../sandbox-fault.ts'

const fileName = 'sandbox.sqlite'
const schemaVersion = 1

/**
 * Maximum wait for a lock. No calls are handled during that time. Commands hold locks only for
 * milliseconds.
 */
const busyTimeoutMs = 500

const schema = `
CREATE TABLE IF NOT EXISTS projects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  endpoints TEXT,
  ips TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS tokens (
  lookup TEXT PRIMARY KEY,
  secret_hash BLOB NOT NULL,
  kind TEXT NOT NULL,
  project_id INTEGER NOT NULL REFERENCES projects (id),
  issued_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS tokens_of_project ON tokens (project_id, kind, issued_at);
CREATE TABLE IF NOT EXISTS throttled_calls (
  project_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (project_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS throttled_calls_by_time ON throttled_calls (at);
CREATE TABLE IF NOT EXISTS failed_token_requests (
  address TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS failures_of_address ON failed_token_requests (address, at);
CREATE TABLE IF NOT EXISTS blocked_addresses (
  address TEXT PRIMARY KEY,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS calls (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  day TEXT NOT NULL,
  project_id INTEGER,
  endpoint TEXT NOT NULL,
  status INTEGER NOT NULL,
  code TEXT NOT NULL,
  address TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS calls_of_project ON calls (project_id, day, endpoint, code);
CREATE INDEX IF NOT EXISTS calls_by_time ON calls (at);
`

/**
 * Opens the sandbox's state in memory or in a directory, which is created if missing. Data in a directory
 * survives a crash of the process. Throws a `SandboxFault`.
 */
export function openDatabase(directory: string | undefined): DatabaseSync {
  if (directory === undefined) return prepared(new DatabaseSync(':memory:'))
  const file = join(directory, fileName)
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    return prepared(new DatabaseSync(file))
  } catch (error) {
    if (error instanceof SandboxFault) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new SandboxFault([`The sandbox's state ${file} cannot be used: ${reason}.`], {
      cause: error,
    })
  }
}

/** Throws a `SandboxFault` if the directory does not contain a sandbox's state. */
export function requireDatabase(directory: string): void {
  try {
    accessSync(join(directory, fileName))
  } catch (error) {
    const isForbidden = error instanceof Error && 'code' in error && error.code === 'EACCES'
    throw new SandboxFault([
      isForbidden
        ? `${directory} cannot be read: permission denied for the user with id ${process.getuid?.()}.`
        : `${directory} is not the data directory of a sandbox.`,
    ])
  }
}

function prepared(database: DatabaseSync): DatabaseSync {
  database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
  if (version > schemaVersion) {
    database.close()
    throw new SandboxFault(["The sandbox's state was written by a newer version of Feedhouse."])
  }
  // Does not wait for the disk. A crash loses no data, but a power failure can lose the latest
  // writes.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON')
  database.exec(`BEGIN IMMEDIATE; ${schema} PRAGMA user_version = ${schemaVersion}; COMMIT`)
  return database
}
