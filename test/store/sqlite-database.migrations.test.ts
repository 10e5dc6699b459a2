import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { maxCopies } from '../../src/store/sqlite-copies.ts'
import { openSqliteDatabase, presentMigrations } from '../../src/store/sqlite-database.ts'
import { openSqliteStore } from '../../src/store/sqlite-store.ts'
import { commandsOf, documentOf } from '../support/documentation.ts'
import { temporaryDirectory } from '../support/service.ts'
import { contentOf } from '../support/stored-items.ts'

/*
 * A file as version 1 of the schema writes it. It stays as it is: whatever comes later, files like
 * this are in the world and must open.
 */
const firstSchema = `CREATE TABLE documents (
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
  ) STRICT, WITHOUT ROWID;`

const now = Date.parse('2026-03-05T15:00:00Z')

function fileOfVersion1() {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const file = join(directory.path, 'www.example.org.sqlite')
  writeFileSync(file, '', { mode: 0o600 })
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA journal_mode = WAL; ${firstSchema}
    INSERT INTO documents VALUES
      ('links', 'abcdefgh', '{"label":"Capt. Reyes"}', 7, NULL),
      ('tokens', 'access', 'secret', 2, ${now + 1});
    INSERT INTO happenings VALUES ('one', 'calls', ${now - 1});
    PRAGMA user_version = 1`)
  database.close()
  return file
}

const contentOfVersion1 = [
  { bucket: 'links', id: 'abcdefgh', value: '{"label":"Capt. Reyes"}', revision: 7 },
  { bucket: 'tokens', id: 'access', value: 'secret', revision: 2, expiresAt: now + 1 },
  { window: 'calls', id: 'one', at: now - 1 },
]

const second = `ALTER TABLE documents ADD COLUMN note TEXT NOT NULL DEFAULT 'brought forward';
  CREATE INDEX documents_by_note ON documents (note);`

const migrationsUpTo = (version: number) => [
  firstSchema,
  ...[second, 'CREATE TABLE third (x)', 'CREATE TABLE fourth (x)', 'CREATE TABLE fifth (x)'].slice(
    0,
    version - 1,
  ),
]

const filesBeside = (file: string) =>
  readdirSync(dirname(file))
    .filter((name) => name.startsWith(`${basename(file)}.`))
    .toSorted()

function migrate(file: string, version: number): readonly string[] {
  const copies: string[] = []
  const onMigrated = (copy: string) => void copies.push(copy)
  openSqliteDatabase(file, { migrations: migrationsUpTo(version), onMigrated }).close()
  return copies
}

test('the file of every version that ever was opens, with all it holds', async () => {
  const file = fileOfVersion1()
  await using store = openSqliteStore(file, () => now)
  expect(await contentOf(store)).toEqual(contentOfVersion1)
})

function schemaOf(file: string) {
  const database = new DatabaseSync(file)
  const rows = database.prepare('SELECT name, sql FROM sqlite_master ORDER BY name').all()
  database.close()
  return rows
}

test('the first schema is what it was', () => {
  const file = fileOfVersion1()
  const fresh = join(dirname(file), 'fresh.sqlite')
  openSqliteDatabase(fresh, { migrations: presentMigrations.slice(0, 1) }).close()
  expect(schemaOf(fresh)).toEqual(schemaOf(file))
})

describe('before an older file is brought forward', () => {
  test('it is copied as it is, for this user alone, also what lies in its log', async () => {
    const file = fileOfVersion1()
    // Holds back what it has written, as a service does that still runs.
    const writer = new DatabaseSync(file)
    writer.exec(`INSERT INTO documents VALUES ('notes', 'a', 'in the log', 1, NULL)`)
    const copy = `${file}.before-v2`
    expect(migrate(file, 2)).toEqual([copy])
    writer.close()
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    const after = new DatabaseSync(file)
    expect(after.prepare('SELECT note FROM documents WHERE id = ?').get('abcdefgh')).toEqual({
      note: 'brought forward',
    })
    after.close()
    await using before = openSqliteStore(copy, () => now)
    expect(await contentOf(before)).toEqual([
      ...contentOfVersion1.slice(0, 1),
      { bucket: 'notes', id: 'a', value: 'in the log', revision: 1 },
      ...contentOfVersion1.slice(1),
    ])
  })

  test('nothing is copied where there is nothing, or nothing to do', () => {
    const file = fileOfVersion1()
    expect(migrate(file, 1)).toEqual([])
    expect(migrate(join(dirname(file), 'fresh.sqlite'), 2)).toEqual([])
    expect(readdirSync(dirname(file)).filter((name) => name.includes('before'))).toEqual([])
  })

  test('the commands of docs/backup.md put it back', async () => {
    const file = fileOfVersion1()
    migrate(file, 2)
    using directory = temporaryDirectory()
    symlinkSync(dirname(file), join(directory.path, 'data'))
    const commands = commandsOf(documentOf('docs/backup.md')).join('\n')
    const [rollBack = ''] = /^cd data\nmkdir .*\ncp .*$/m.exec(commands) ?? []
    execFileSync('sh', ['-ec', rollBack], { cwd: directory.path })
    expect(migrate(file, 1)).toEqual([])
    await using store = openSqliteStore(file, () => now)
    expect(await contentOf(store)).toEqual(contentOfVersion1)
  })

  test('only the latest copies are kept', () => {
    const file = fileOfVersion1()
    for (const version of [2, 3, 4, 5]) migrate(file, version)
    expect(maxCopies).toBe(3)
    const kept = [3, 4, 5].map((version) => `${basename(file)}.before-v${version}`)
    expect(filesBeside(file)).toEqual(kept)
  })
})

test('when bringing forward fails, file and copy are as the file was, and the sentence says so', async () => {
  const file = fileOfVersion1()
  const migrations = [firstSchema, `${second} INSERT INTO nowhere VALUES (1)`]
  const message = `The store ${file} cannot be brought forward to this version of Feedhouse: no such table: nowhere. It is as it was. A copy of it is ${file}.before-v2.`
  for (const _ of ['first', 'again']) {
    expect(() => openSqliteDatabase(file, { migrations })).toThrow(
      expect.objectContaining({ name: 'StoreError', kind: 'unusable', message }),
    )
    expect(filesBeside(file)).toEqual([`${basename(file)}.before-v2`])
  }
  for (const path of [file, `${file}.before-v2`]) {
    await using store = openSqliteStore(path, () => now)
    expect(await contentOf(store)).toEqual(contentOfVersion1)
  }
})

const sentenceOf = (file: string) =>
  `The store ${file} was written by a newer version of Feedhouse; start that version.`

describe('a file of a newer version is refused', () => {
  test('naming the copy to go back to', () => {
    const file = fileOfVersion1()
    migrate(file, 2)
    migrate(file, 3)
    const before = readFileSync(file)
    const backTo = (version: number) =>
      `${sentenceOf(file)} The file as it was before that version is kept as ${file}.before-v${version}.`
    expect(() => migrate(file, 1)).toThrow(backTo(2))
    expect(() => migrate(file, 2)).toThrow(backTo(3))
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('and no copy that is too new as well', () => {
    const file = fileOfVersion1()
    for (const version of [2, 3, 4, 5]) migrate(file, version)
    expect(() => migrate(file, 1)).toThrow(
      expect.objectContaining({ kind: 'unusable', message: sentenceOf(file) }),
    )
  })
})
