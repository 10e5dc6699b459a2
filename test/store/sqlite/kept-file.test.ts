import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { addLink, storedLinks } from '../../../src/links/stored-links.ts'
import { revokeLink } from '../../../src/links/link-edits.ts'
import { acceptance } from '../../../src/store/losses.ts'
import { keptRecordFile } from '../../../src/store/kept-record.ts'
import { fileRecord, openKeptFile } from '../../../src/store/sqlite/kept-file.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { testDirectory } from '../../support/service.ts'

const saved = (value: string) => [{ bucket: 'settings', id: 'site', value }]
const settingsIn = async ({ documents }: Store) => (await documents.get('settings', 'site'))?.value
const change = () => ({ now: Date.now(), random: randomBytes })
const link = { label: 'Chief', feedIds: undefined, profile: 'full', expiresAt: undefined } as const

const emptyPlace = () => join(testDirectory(), 'www.example.org.sqlite')
const openAt = (file: string) => openKeptFile(file, Date.now, {})
const close = (store: Store) => store[Symbol.asyncDispose]()

async function* backedUp() {
  yield { bucket: 'settings', id: 'site', value: 'restored', revision: 1 }
}

/** Deletes a file, with the log beside it. */
function remove(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
}

/** Creates a file with settings, and returns its path. */
async function usedFile(value = 'private') {
  const file = emptyPlace()
  await using store = openAt(file)
  await store.documents.write(saved(value))
  return file
}

test('a first start, a restart and a file of an earlier version lose nothing', async () => {
  const file = emptyPlace()
  await using earlier = openSqliteStore(file, Date.now)
  await earlier.documents.write(saved('private'))
  for (const path of [emptyPlace(), file, file]) {
    await using store = openAt(path)
    expect(store.lost?.()).toEqual([])
    expect(await store.keep?.()).toEqual([])
  }
  expect(statSync(fileRecord(file)).mode & 0o777).toBe(0o600)
  remove(file)
  await using after = openAt(file)
  expect(after.lost?.()).toEqual(['settings'])
})

test('a file that is gone is lost until what is left is accepted', async () => {
  const file = await usedFile()
  remove(file)
  for (let start = 1; start <= 2; start += 1) {
    await using store = openAt(file)
    expect(store.lost?.()).toEqual(['settings'])
    // A command's write is not the lost settings.
    for (const value of ['a', 'b', 'c']) await store.documents.write(saved(value))
    expect(store.lost?.()).toEqual(['settings'])
  }
  const accepting = openAt(file)
  await accepting.documents.write([acceptance('settings'), ...saved('closed')])
  expect(accepting.lost?.()).toEqual([])
  await close(accepting)
  await using accepted = openAt(file)
  expect(accepted.lost?.()).toEqual([])
})

test('restoring a backup to a missing file ends the loss', async () => {
  const file = await usedFile()
  remove(file)
  const restoring = openAt(file)
  expect(await restoring.replace(backedUp(), { emptyBucket: undefined })).toBe(true)
  await close(restoring)
  await using store = openAt(file)
  expect(store.lost?.()).toEqual([])
  expect(await settingsIn(store)).toBe('restored')
})

test('an earlier copy of the file is lost settings and links', async () => {
  const file = await usedFile('public')
  const before = openAt(file)
  const added = await addLink(before.documents, link, change())
  await close(before)
  copyFileSync(file, `${file}.copy`)
  const later = openAt(file)
  await later.documents.write(saved('private'))
  await revokeLink(later.documents, added.ok ? added.link.id : '', change())
  await close(later)
  remove(file)
  renameSync(`${file}.copy`, file)
  await using store = openAt(file)
  expect(store.lost?.()).toEqual(['settings', 'links'])
  const [stored] = await storedLinks(store.documents)
  expect(store.outdated?.('links')).toEqual([stored?.id])
})

test.for(['deleted', 'moved', 'deleted without its log'])(
  'a file that is %s while it is open is written back with everything',
  async (how) => {
    const file = await usedFile()
    const moved = join(testDirectory(), 'elsewhere.sqlite')
    const store = openAt(file)
    const other = openAt(file)
    await store.documents.write([{ bucket: 'links', id: 'a', value: 'open' }])
    if (how === 'deleted') remove(file)
    else if (how === 'moved') renameSync(file, moved)
    else rmSync(file)
    await other.documents.write([{ bucket: 'links', id: 'a', value: 'revoked' }])
    await store.documents.write(saved('more private'))
    await store.windows.take('calls', [])
    expect(await other.keep?.()).toContain('links')
    expect(await other.keep?.()).toEqual([])
    expect(await store.keep?.()).toEqual([])
    for (const each of [store, other]) await close(each)
    await using after = openAt(file)
    expect(after.lost?.()).toEqual([])
    expect(await settingsIn(after)).toBe('more private')
    expect((await after.documents.get('links', 'a'))?.value).toBe('revoked')
    expect(await after.windows.count('calls', 60_000)).toBe(1)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(dirname(file)).filter((name) => name.endsWith('.part'))).toEqual([])
  },
)

test.for(['with', 'without'])(
  'nothing is changed while another file, %s the log, is in the place of the open one',
  async (log) => {
    const file = await usedFile('public')
    const copy = `${file}.copy`
    copyFileSync(file, copy)
    await using store = openAt(file)
    await store.documents.write(saved('private'))
    const own = `${file}.own`
    renameSync(file, own)
    if (log === 'without') remove(file)
    renameSync(copy, file)
    const message = `The store ${file} was replaced by another file`
    await expect(store.documents.write(saved('lost'))).rejects.toThrow(message)
    await expect(store.documents.get('settings', 'site')).rejects.toThrow(message)
    await expect(store.keep?.()).rejects.toThrow(message)
    renameSync(own, file)
    await store.keep?.()
    expect(await settingsIn(store)).toBe('private')
  },
)

test('nothing is changed while the directory is gone', async () => {
  const file = join(testDirectory(), 'data', 'www.example.org.sqlite')
  const directory = dirname(file)
  mkdirSync(directory)
  await using store = openAt(file)
  await store.documents.write(saved('private'))
  renameSync(directory, `${directory}-away`)
  const message = `The store ${file} was moved or deleted while Feedhouse was running, and cannot be written back`
  await expect(store.documents.write(saved('lost'))).rejects.toThrow(message)
  await expect(store.keep?.()).rejects.toThrow(message)
  renameSync(`${directory}-away`, directory)
  await store.keep?.()
  expect(await settingsIn(store)).toBe('private')
})

test('an earlier state that is copied over the open file changes nothing, and is not recorded', async () => {
  const file = await usedFile('public')
  const earlier = fs.readFileSync(file)
  const before = openAt(file)
  await before.documents.write(saved('private'))
  await close(before)
  const store = openAt(file)
  fs.writeFileSync(file, earlier)
  for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
  const message = `The store ${file} was replaced by another file`
  await expect(store.keep?.()).rejects.toThrow(message)
  expect(store.version()).toBeUndefined()
  await expect(store.documents.get('settings', 'site')).rejects.toThrow(message)
  await expect(store.documents.write(saved('public'))).rejects.toThrow(message)
  await close(store)
  await using after = openAt(file)
  expect(after.lost?.()).toEqual(['settings'])
})

test('earlier settings beside the latest mark are lost until they are accepted', async () => {
  const file = await usedFile('public')
  const later = openAt(file)
  await later.documents.write(saved('private'))
  await close(later)
  // An older file copied beside the latest log can have both.
  const raw = new DatabaseSync(file)
  raw.exec("UPDATE documents SET value = 'public', revision = 1 WHERE bucket = 'settings'")
  raw.close()
  for (let start = 1; start <= 2; start += 1) {
    await using store = openAt(file)
    expect(store.lost?.()).toEqual(['settings'])
    await store.documents.write(saved('of a command'))
  }
  const accepting = openAt(file)
  await accepting.documents.write([acceptance('settings'), ...saved('closed')])
  await close(accepting)
  await using accepted = openAt(file)
  expect(accepted.lost?.()).toEqual([])
})

test.for([
  ['empty', ''],
  ['no JSON', '{'],
  ['of other values', '{"settings":1}'],
  ['without a readable mark', '{"links":"x"}'],
  ['without readable revisions', '{"revisions of links":"x"}'],
] as const)('a record that is %s is damaged', async ([, text]) => {
  const file = await usedFile()
  fs.writeFileSync(fileRecord(file), text)
  expect(() => openAt(file)).toThrow(`The record ${fileRecord(file)}, which`)
  rmSync(fileRecord(file))
  await close(openAt(file))
})

test('a record that is a link to nothing is damaged', async () => {
  const file = await usedFile()
  rmSync(fileRecord(file))
  fs.symlinkSync('elsewhere', fileRecord(file))
  expect(() => openAt(file)).toThrow('is damaged')
})

test('a record that is deleted while the file is open is written again', async () => {
  const file = await usedFile()
  await using store = openAt(file)
  const before = fs.readFileSync(fileRecord(file), 'utf8')
  rmSync(fileRecord(file))
  await store.keep?.()
  expect(fs.readFileSync(fileRecord(file), 'utf8')).toBe(before)
})

test('a new file has lost what the site had in Redis', async () => {
  const file = emptyPlace()
  const inRedis = keptRecordFile(dirname(file), 'www.example.org')
  fs.writeFileSync(inRedis, '{"settings":"5::00000000000001-a","followers":"","other":""}')
  for (let start = 1; start <= 2; start += 1) {
    await using store = openAt(file)
    expect(store.lost?.()).toEqual(['settings', 'followers'])
    await store.documents.write([{ bucket: 'links', id: 'a', value: 'open' }])
  }
  const accepting = openAt(file)
  await accepting.documents.write([acceptance('settings'), acceptance('followers')])
  await close(accepting)
  await using accepted = openAt(file)
  expect(accepted.lost?.()).toEqual([])
})
