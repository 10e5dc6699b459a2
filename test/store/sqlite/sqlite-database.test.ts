import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { maxCopies } from '../../../src/store/sqlite/sqlite-database.ts'
import { allMigrations, openSqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import {
  contentOfVersion1,
  fileOfVersion1,
  firstSchema,
  migrate,
  now,
  second,
} from '../../support/older-store.ts'
import { contentOf } from '../../support/stored-items.ts'
import { createReplicas } from '../../../src/store/replicas.ts'
import { testDirectory } from '../../support/service.ts'

const filesBeside = (file: string) =>
  readdirSync(dirname(file))
    .filter((name) => name.startsWith(`${basename(file)}.`))
    .toSorted()

test('opens files from every released version with all their data', async () => {
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

test('never changes the first schema', () => {
  const file = fileOfVersion1()
  const fresh = join(dirname(file), 'fresh.sqlite')
  openSqliteDatabase(fresh, { migrations: allMigrations.slice(0, 1) }).close()
  expect(schemaOf(fresh)).toEqual(schemaOf(file))
})

describe('before a migration', () => {
  test('copies the file and its log, so that only the owner can read the copies', async () => {
    const file = fileOfVersion1()
    // While the database is open, its writes stay in the log, as they do in a running service.
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

  test('does not copy a new or current file', () => {
    const file = fileOfVersion1()
    expect(migrate(file, 1)).toEqual([])
    expect(migrate(join(dirname(file), 'fresh.sqlite'), 2)).toEqual([])
    expect(readdirSync(dirname(file)).filter((name) => name.includes('before'))).toEqual([])
  })

  test('keeps only the latest copies', () => {
    const file = fileOfVersion1()
    for (const version of [2, 3, 4, 5]) migrate(file, version)
    expect(maxCopies).toBe(3)
    const kept = [3, 4, 5].map((version) => `${basename(file)}.before-v${version}`)
    expect(filesBeside(file)).toEqual(kept)
  })
})

test('leaves the file unchanged and reports an error if a migration fails', async () => {
  const file = fileOfVersion1()
  const migrations = [firstSchema, `${second} INSERT INTO nowhere VALUES (1)`]
  const message = `The store ${file} cannot be migrated to this version of Feedhouse: no such table: nowhere. It is unchanged. A copy is at ${file}.before-v2.`
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

describe('rejects a file from a newer version', () => {
  test('and names a copy that can be used instead', () => {
    const file = fileOfVersion1()
    migrate(file, 2)
    migrate(file, 3)
    const before = readFileSync(file)
    const backTo = (version: number) =>
      `${sentenceOf(file)} A copy from before the migration is at ${file}.before-v${version}.`
    expect(() => migrate(file, 1)).toThrow(backTo(2))
    expect(() => migrate(file, 2)).toThrow(backTo(3))
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('and does not name a damaged copy', () => {
    const file = fileOfVersion1()
    migrate(file, 2)
    writeFileSync(`${file}.before-v2`, 'damaged'.repeat(100))
    expect(() => migrate(file, 1)).toThrow(expect.objectContaining({ message: sentenceOf(file) }))
  })

  test('and does not name a copy that is also too new', () => {
    const file = fileOfVersion1()
    for (const version of [2, 3, 4, 5]) migrate(file, version)
    expect(() => migrate(file, 1)).toThrow(
      expect.objectContaining({ kind: 'unusable', message: sentenceOf(file) }),
    )
  })
})

const newer = { migrations: [...allMigrations, 'CREATE TABLE newer (x)'] }

test('does not migrate a file that an older version of Feedhouse is using', async () => {
  const directory = testDirectory()
  const file = join(directory, 'www.example.org.sqlite')
  await using store = openSqliteStore(file, () => now)
  const replicas = createReplicas(store.documents, { id: 'one', now: () => now })
  await replicas.heartbeat()
  const size = statSync(file).size
  expect(() => openSqliteDatabase(file, { ...newer, unlessUsedAt: now })).toThrow(
    `The store ${file} is in use by an older version of Feedhouse that is still running: use that version, or stop it first. A killed process counts as running for a minute.`,
  )
  expect(readdirSync(directory).filter((name) => name.includes('before'))).toEqual([])
  expect(statSync(file).size).toBe(size)
  await store.documents.write([{ bucket: 'notes', id: 'a', value: 'still written' }])
  // The older version and its commands can still open the file.
  openSqliteDatabase(file, { unlessUsedAt: now }).close()
  await replicas.leave()
  openSqliteDatabase(file, { ...newer, unlessUsedAt: now }).close()
  expect(readdirSync(directory)).toContain('www.example.org.sqlite.before-v2')
})

test('migrates an unused file, and one whose process was killed a minute ago', async () => {
  const directory = testDirectory()
  const file = join(directory, 'www.example.org.sqlite')
  openSqliteDatabase(file, { unlessUsedAt: now }).close()
  await using store = openSqliteStore(file, () => now)
  await createReplicas(store.documents, { id: 'one', now: () => now }).heartbeat()
  openSqliteDatabase(file, { ...newer, unlessUsedAt: now + 60_000 }).close()
  expect(readdirSync(directory)).toContain('www.example.org.sqlite.before-v2')
})
