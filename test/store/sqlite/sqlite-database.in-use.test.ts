import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createReplicas } from '../../../src/store/replicas.ts'
import { openSqliteDatabase, allMigrations } from '../../../src/store/sqlite/sqlite-database.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { testDirectory } from '../../support/service.ts'

const now = Date.parse('2026-03-05T15:00:00Z')
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
