import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, realpath, rm, stat, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import {
  backupLines,
  linesOf,
  readBackupLines,
  type BackupCounts,
  type BackupHead,
} from './backup-format.ts'
import { moveIntoPlace } from '../store/private-files.ts'
import { StoreError } from '../store/store-error.ts'
import type { StoredItem } from '../store/store.ts'

/** Age at which a partial file is assumed to be left over from a killed process. */
const abandonedMs = 60 * 60 * 1000

const chunkBytes = 64 * 1024

type Content = { readonly head: BackupHead; readonly items: AsyncIterable<StoredItem> }

/**
 * Writes a backup that only this user can read. Replaces an existing file once the backup is complete.
 * Resolves a relative `file` against `directory`. Rejects with a `StoreError`.
 */
export async function writeBackupFile(
  file: string,
  content: Content,
  { signal, directory = '.' }: { readonly signal?: AbortSignal; readonly directory?: string } = {},
): Promise<BackupCounts> {
  const path = resolve(directory, file)
  const target = await realpath(path).catch(() => path)
  if (!((await stat(target).catch(() => undefined))?.isFile() ?? true)) {
    throw new StoreError('unusable', `${file} is not a file. Choose a file for the backup.`)
  }
  await removeAbandoned(target, content.head.takenAt)
  const part = `${target}.${randomUUID()}.part`
  try {
    const handle = await open(part, 'wx', 0o600)
    const counts = await write(handle.createWriteStream(), content, { end: true, signal })
    moveIntoPlace(part, target)
    return counts
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined)
    throw writeFault(file, error, `; ${file} is unchanged`)
  }
}

/** Writes a backup to standard output, which stays open. Rejects with a `StoreError`. */
export async function printBackup(
  stdout: Writable,
  content: Content,
  signal: AbortSignal,
): Promise<BackupCounts> {
  try {
    return await write(stdout, content, { end: false, signal })
  } catch (error) {
    throw writeFault('on standard output', error)
  }
}

async function write(
  output: Writable,
  { head, items }: Content,
  { end, signal }: { readonly end: boolean; readonly signal: AbortSignal | undefined },
): Promise<BackupCounts> {
  let counts: BackupCounts = { documents: 0, events: 0 }
  async function* lines() {
    counts = yield* backupLines(head, items)
  }
  const options = { end, ...(signal ? { signal } : {}) }
  await pipeline(Readable.from(lines()), createGzip(), output, options)
  return counts
}

/**
 * Reads and verifies an entire backup, and returns a summary. Rejects with a `StoreError` if the backup is
 * invalid, or with the signal's reason if aborted.
 */
export async function checkBackup(
  ...backup: Parameters<typeof backupItems>
): Promise<BackupHead & BackupCounts> {
  const items = backupItems(...backup)
  for (;;) {
    const { done, value } = await items.next()
    if (done) return value
  }
}

/** Yields a backup's contents. Throws the errors of `checkBackup`, possibly only at the end. */
export async function* backupItems(
  file: string | FileHandle,
  name: string,
  signal?: AbortSignal,
): AsyncGenerator<StoredItem, BackupHead & BackupCounts> {
  const gunzip = createGunzip()
  const source: Readable =
    typeof file === 'string' ? createReadStream(file) : Readable.from(bytesOf(file))
  source.on('error', (error) => gunzip.destroy(error)).pipe(gunzip)
  try {
    return yield* readBackupLines(linesOf(gunzip, name, signal), name)
  } catch (error) {
    throw readFault(name, error)
  } finally {
    source.destroy()
  }
}

/** Reads an open file from the beginning. Unlike a stream, this does not close the file. */
async function* bytesOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ;) {
    const buffer = Buffer.allocUnsafe(chunkBytes)
    const { bytesRead } = await file.read({ buffer, position })
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}

function readFault(name: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (error instanceof Error && 'syscall' in error && error.syscall === 'read') {
    return new StoreError('unusable', `${name} cannot be read (${code}).`, { cause: error })
  }
  if (!code.startsWith('Z_')) return error
  // https://zlib.net/manual.html: Z_BUF_ERROR means that the data ends too early.
  const reason =
    code === 'Z_BUF_ERROR'
      ? 'is incomplete: its end is missing.'
      : 'is not a Feedhouse backup, or it is damaged.'
  return new StoreError('unusable', `${name} ${reason}`, { cause: error })
}

function writeFault(where: string, error: unknown, otherwise = ''): unknown {
  if (error instanceof StoreError || !(error instanceof Error) || !('code' in error)) return error
  if (error.code === 'ABORT_ERR') {
    return new StoreError('unusable', `The backup was stopped${otherwise}.`)
  }
  const kind = error.code === 'ENOSPC' ? 'full' : 'unusable'
  const isForbidden = error.code === 'EACCES' || error.code === 'EPERM'
  const sentence = isForbidden
    ? `The backup ${where} cannot be written: the user with id ${process.getuid?.()} has no permission. Choose a file in another directory, or redirect standard output: backup - > ${where}`
    : `The backup ${where} cannot be written (${String(error.code)}).`
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
