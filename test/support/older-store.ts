import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqliteDatabase } from '../../src/store/sqlite/sqlite-database.ts'
import { testDirectory } from './service.ts'

/** Version 1 of the schema. Never change it, because existing files use it. */
export const firstSchema = `CREATE TABLE documents (
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
  ) STRICT, WITHOUT ROWID;`

export const now = Date.parse('2026-03-05T15:00:00Z')

/** Creates a file with version 1 of the schema for one test. Returns its path. */
export function fileOfVersion1() {
  const file = join(testDirectory(), 'www.example.org.sqlite')
  writeFileSync(file, '', { mode: 0o600 })
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA journal_mode = WAL; ${firstSchema}
    INSERT INTO documents VALUES
      ('links', 'abcdefgh', '{"label":"Capt. Reyes"}', 7, NULL),
      ('tokens', 'access', 'secret', 2, ${now + 1});
    INSERT INTO window_events VALUES ('one', 'calls', ${now - 1});
    PRAGMA user_version = 1`)
  database.close()
  return file
}

export const contentOfVersion1 = [
  { bucket: 'links', id: 'abcdefgh', value: '{"label":"Capt. Reyes"}', revision: 7 },
  { bucket: 'tokens', id: 'access', value: 'secret', revision: 2, expiresAt: now + 1 },
  { window: 'calls', id: 'one', at: now - 1 },
]

export const second = `ALTER TABLE documents ADD COLUMN note TEXT NOT NULL DEFAULT 'brought forward';
  CREATE INDEX documents_by_note ON documents (note);`

const migrationsUpTo = (version: number) => [
  firstSchema,
  ...[second, 'CREATE TABLE third (x)', 'CREATE TABLE fourth (x)', 'CREATE TABLE fifth (x)'].slice(
    0,
    version - 1,
  ),
]

/**
 * Migrates a file to the given version. Returns the paths of the copies that the migration created.
 */
export function migrate(file: string, version: number): readonly string[] {
  const copies: string[] = []
  const onMigrated = (copy: string) => void copies.push(copy)
  openSqliteDatabase(file, { migrations: migrationsUpTo(version), onMigrated }).close()
  return copies
}
