import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { withStoreErrors } from '../../../src/store/sqlite/sqlite-database.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { killWithTest } from '../../support/command-line.ts'
import { createFakeClock, oneTurn } from '../../support/fake-clock.ts'
import { testDirectory } from '../../support/service.ts'

const writer = resolve(import.meta.dirname, '../../support/store-writer.ts')

/** Longer than the test takes on a busy machine. */
const hourMs = 60 * 60_000

const emptyPlace = () => join(testDirectory(), 'store.sqlite')

/**
 * Starts a process that writes to the store, and kills it at a random moment after it has printed
 * the given number of lines.
 */
async function writeAndKill(file: string, lines: number): Promise<number> {
  const child = spawn(process.execPath, [writer, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  killWithTest(child)
  const exited = once(child, 'exit')
  let told = 0
  let count = 0
  for await (const line of createInterface(child.stdout)) {
    told = Number(line)
    count += 1
    // Kills the process during the next write, which takes about a millisecond.
    if (count === lines) setTimeout(() => child.kill('SIGKILL'), Math.random() * 2)
  }
  await exited
  return told
}

test('keeps all completed writes if the process is killed at any moment', async () => {
  const file = emptyPlace()
  for (let round = 0; round < 12; round += 1) {
    const told = await writeAndKill(file, 1 + Math.floor(Math.random() * 20))
    const store = openSqliteStore(file, Date.now)
    const state = await store.documents.get('states', 'news')
    const version = Number(state?.value)
    expect(version).toBeGreaterThanOrEqual(told)
    expect(version).toBeLessThanOrEqual(told + 1)
    expect(state?.revision).toBe(version)
    const items = await store.documents.get('items', 'news')
    const ledger = await store.documents.get('ledgers', 'news')
    expect(items?.value === `${version} `.repeat(20_000)).toBe(true)
    expect(ledger?.value === `${version} `.repeat(2_000)).toBe(true)
    expect(await store.windows.count('calls', hourMs)).toBeGreaterThanOrEqual(told - round - 1)
    await store[Symbol.asyncDispose]()
    const database = new DatabaseSync(file)
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    database.close()
  }
})

describe('reports an unusable file and leaves it unchanged', () => {
  test('that is not a database', () => {
    const file = emptyPlace()
    writeFileSync(file, 'not a database, but long enough to be looked at as one '.repeat(100))
    const before = readFileSync(file)
    expect(() => openSqliteStore(file, Date.now)).toThrow(
      expect.objectContaining({
        name: 'StoreError',
        kind: 'unusable',
        message: `The store ${file} cannot be used: file is not a database.`,
      }),
    )
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('that cannot grow, because the disk is full', () => {
    const file = emptyPlace()
    const database = new DatabaseSync(file)
    database.exec('PRAGMA max_page_count = 2; CREATE TABLE notes (text)')
    const write = () => database.prepare('INSERT INTO notes VALUES (zeroblob(9999))').run()
    expect(() => withStoreErrors(file, write)).toThrow(
      expect.objectContaining({
        kind: 'disk full',
        message: expect.stringContaining(`data directory ${dirname(file)} is full. Delete`),
      }),
    )
    database.close()
  })

  test('that is in a missing directory', () => {
    const file = join(emptyPlace(), 'nowhere', 'store.sqlite')
    expect(() => openSqliteStore(file, Date.now)).toThrow(
      expect.objectContaining({ name: 'StoreError', kind: 'unusable' }),
    )
  })
})

test('creates a file that only its owner can access', async () => {
  const file = emptyPlace()
  await using store = openSqliteStore(file, Date.now)
  await store.documents.write([{ bucket: 'tokens', id: 'access', value: 'secret' }])
  for (const suffix of ['', '-wal', '-shm']) {
    expect(statSync(`${file}${suffix}`).mode & 0o077).toBe(0)
  }
})

test('migrates an earlier schema and leaves the current one unchanged', async () => {
  const file = emptyPlace()
  // Versions from before the first migration left behind a file without tables.
  new DatabaseSync(file).close()
  for (const revision of [1, 2]) {
    await using store = openSqliteStore(file, Date.now)
    await store.documents.write([{ bucket: 'notes', id: 'a', value: 'x' }])
    expect(await store.documents.get('notes', 'a')).toEqual({ value: 'x', revision })
  }
})

test('reports that the store is unreachable during a long write by another process', async () => {
  const file = emptyPlace()
  await using store = openSqliteStore(file, Date.now)
  const other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')
  const note = { bucket: 'notes', id: 'a', value: 'x' }
  await expect(store.documents.write([note])).rejects.toMatchObject({ kind: 'unreachable' })
  other.exec('ROLLBACK')
  other.close()
  expect(await store.documents.write([note])).toBe(true)
})

test('does not block the event loop while another process writes', async () => {
  const file = emptyPlace()
  await using store = openSqliteStore(file, Date.now)
  const other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')
  const writing = store.documents.write([{ bucket: 'notes', id: 'a', value: 'x' }])
  await oneTurn()
  other.exec('COMMIT')
  other.close()
  expect(await writing).toBe(true)
})

test('includes a store that cannot be read, since its site may have subscribers', async () => {
  const file = emptyPlace()
  const beside = (host: string) => join(dirname(file), `${host}.sqlite`)
  await using store = openSqliteStore(file, Date.now)
  writeFileSync(beside('damaged.example'), 'not a database '.repeat(100))
  await openSqliteStore(beside('empty.example'), Date.now)[Symbol.asyncDispose]()
  expect(await store.otherHosts('states')).toEqual(['damaged.example'])
  expect(await store.otherHosts('states', new Set(['damaged.example']))).toEqual([])
})

test('has another version whenever a document gets another value, and the same one otherwise', async () => {
  const file = emptyPlace()
  await using store = openSqliteStore(file, Date.now)
  await using other = openSqliteStore(file, Date.now)
  const versions = [store.version()]
  for (const [index, writer] of [store, other, store].entries()) {
    await writer.documents.write([{ bucket: 'notes', id: 'a', value: String(index) }])
    versions.push(store.version())
  }
  expect(new Set(versions).size).toBe(4)
  await store.documents.write([
    { bucket: 'notes', id: 'a', value: '2', expiresAt: Date.now() + 1000 },
  ])
  await store.documents.write([{ bucket: 'notes', id: 'b', value: undefined }])
  await store.leases.take('news', 'me', 1000)
  await store.windows.take('calls', [{ windowMs: 1000, max: 1 }])
  await store.documents.get('notes', 'a')
  expect(store.version()).toBe(versions.at(-1))
})

test('has no version once the file cannot be read, so that reading documents reports why', async () => {
  const store = openSqliteStore(emptyPlace(), Date.now)
  await store[Symbol.asyncDispose]()
  expect(store.version()).toBeUndefined()
})

test('deletes counted events after a day, so the file does not grow', async () => {
  const file = emptyPlace()
  const clock = createFakeClock()
  await using store = openSqliteStore(file, clock.now)
  const limits = [{ windowMs: hourMs, max: 10 }]
  for (const _ of [1, 2, 3]) await store.windows.take('calls', limits)
  await clock.advance(24 * hourMs)
  await store.windows.take('calls', limits)
  using database = new DatabaseSync(file)
  expect(database.prepare('SELECT count(*) AS rows FROM window_events').get()).toEqual({ rows: 1 })
})

test('deletes the events of windows that are no longer used, at most once an hour', async () => {
  const file = emptyPlace()
  const clock = createFakeClock()
  await using store = openSqliteStore(file, clock.now)
  const limits = [{ windowMs: hourMs, max: 10 }]
  for (const name of ['client a', 'client b']) await store.windows.take(name, limits)
  using database = new DatabaseSync(file)
  const names = () =>
    database
      .prepare('SELECT name FROM window_events ORDER BY name')
      .all()
      .map(({ name }) => name)
  await clock.advance(24 * hourMs - 1)
  await store.windows.take('client c', limits)
  expect(names()).toEqual(['client a', 'client b', 'client c'])
  await clock.advance(hourMs)
  await store.windows.take('client d', limits)
  expect(names()).toEqual(['client c', 'client d'])
})
