import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import {
  backupLines,
  linesOf,
  readBackupLines,
  type BackupCounts,
  type BackupEntry,
  type BackupHead,
} from './backup-format.ts'
import { StoreError } from './store-error.ts'
import type { StoredItem } from './store.ts'

/** What is written to for so long no more was left by somebody who was killed. */
const abandonedMs = 60 * 60 * 1000

type Content = { readonly head: BackupHead; readonly items: AsyncIterable<StoredItem> }

/**
 * Writes a backup that only this user may read. Until it is whole, the file is as it was before.
 * Rejects with a `StoreError`.
 */
export async function writeBackupFile(
  file: string,
  content: Content,
  signal?: AbortSignal,
): Promise<BackupCounts> {
  const target = await realpath(file).catch(() => file)
  if (!((await stat(target).catch(() => undefined))?.isFile() ?? true)) {
    throw new StoreError('unusable', `${file} is no file to write a backup to.`)
  }
  await removeAbandoned(target, content.head.takenAt)
  const part = `${target}.${randomUUID()}.part`
  try {
    const handle = await open(part, 'wx', 0o600)
    const counts = await writeBackup(handle.createWriteStream({ flush: true }), content, signal)
    await rename(part, target)
    await syncDirectory(dirname(target))
    return counts
  } catch (error) {
    await rm(part, { force: true })
    throw writeFault(file, error)
  }
}

/** Writes a backup to where it goes on from there, like standard output. */
export async function writeBackup(
  output: Writable,
  { head, items }: Content,
  signal?: AbortSignal,
): Promise<BackupCounts> {
  let counts: BackupCounts = { documents: 0, happenings: 0 }
  async function* lines() {
    counts = yield* backupLines(head, items)
  }
  const isFile = output !== process.stdout
  const options = { end: isFile, ...(signal ? { signal } : {}) }
  await pipeline(Readable.from(lines()), createGzip(), output, options)
  return counts
}

/** Reads a whole backup and says what it holds. Rejects with a `StoreError` when it is not sound. */
export async function checkBackup(file: string, name: string): Promise<BackupHead & BackupCounts> {
  let head: BackupHead | undefined
  let counts: BackupCounts | undefined
  for await (const entry of entriesOf(file, name)) {
    if (entry.kind === 'head') head = entry.head
    if (entry.kind === 'end') counts = entry.counts
  }
  if (!head || !counts) throw new TypeError('a backup was read without its head or end')
  return { ...head, ...counts }
}

/** What a backup holds. Throws a `StoreError` at the end when it is not sound. */
export async function* backupItems(file: string, name: string): AsyncGenerator<StoredItem> {
  for await (const entry of entriesOf(file, name)) if (entry.kind === 'item') yield entry.item
}

async function* entriesOf(file: string, name: string): AsyncGenerator<BackupEntry> {
  const gunzip = createGunzip()
  const source = createReadStream(file)
  source.on('error', (error) => gunzip.destroy(error)).pipe(gunzip)
  try {
    yield* readBackupLines(linesOf(gunzip, { name }), name)
  } catch (error) {
    throw readFault(name, error)
  } finally {
    source.destroy()
  }
}

function readFault(name: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!code.startsWith('Z_')) return error
  // https://zlib.net/manual.html: the data ends where more must come.
  const reason =
    code === 'Z_BUF_ERROR'
      ? 'is cut off: its end is missing.'
      : 'is no backup of Feedhouse, or is damaged.'
  return new StoreError('unusable', `${name} ${reason}`, { cause: error })
}

function writeFault(file: string, error: unknown): unknown {
  if (error instanceof StoreError || !(error instanceof Error) || !('code' in error)) return error
  if (error.code === 'ABORT_ERR') {
    return new StoreError('unusable', `The backup was stopped; ${file} is as it was before.`)
  }
  const kind = error.code === 'ENOSPC' ? 'full' : 'unusable'
  const sentence = `The backup ${file} cannot be written (${String(error.code)}).`
  return new StoreError(kind, sentence, { cause: error })
}

async function removeAbandoned(target: string, now: number): Promise<void> {
  const directory = dirname(target)
  const names = await readdir(directory).catch(() => [])
  for (const name of names) {
    if (!name.startsWith(`${basename(target)}.`) || !/\.[0-9a-f-]{36}\.part$/.test(name)) continue
    const path = join(directory, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }))
    if (mtimeMs < now - abandonedMs) await rm(path, { force: true })
  }
}

/** So that the new name outlasts a power cut. */
async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
