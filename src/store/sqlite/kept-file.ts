import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { syncToDisk } from '../private-files.ts'
import { keptRecordFile, openKeptRecord } from '../kept-record.ts'
import { StoreError } from '../store-error.ts'
import type { Store } from '../store.ts'
import { createKeptMarks, type KeptMarks } from './kept-marks.ts'
import {
  inTransaction,
  openSqliteDatabase,
  storeErrorFrom,
  withStoreErrors,
  type OpenOptions,
} from './sqlite-database.ts'
import { sqliteStoreOver } from './sqlite-store.ts'

/*
 * A SQLite file that is deleted or moved while it is open still works, but everything written to it
 * would be gone after a restart. As long as it is open, it contains the site's whole state, which is
 * therefore written to a new file. A record beside the file shows after a restart that the file
 * existed.
 */

/** Returns a path that remains if somebody moves all files whose names begin with the website's host. */
export function fileRecord(file: string): string {
  return join(dirname(file), `_file-${basename(file, '.sqlite')}.kept.json`)
}

const recordInRedis = (file: string) => keptRecordFile(dirname(file), basename(file, '.sqlite'))

type OpenFile = {
  readonly database: DatabaseSync
  readonly store: Store
  readonly marks: KeptMarks
  readonly identity: string | undefined
  readonly logIdentity: string | undefined
}

/** Thrown by a write before it changes anything. */
class FileMoved extends Error {}
class FileOverwritten extends Error {}

/** Opens a store whose loss is noticed, and written back if possible. Throws a `StoreError`. */
export function openKeptFile(file: string, now: () => number, options: OpenOptions): Store {
  const inUse = createFileInUse(file, () => opened(file, now, options))
  const { current, putInPlace, checkContent, save, use } = inUse

  async function recorded<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const result = await use(work)
    // If that fails, `keep` reports it.
    ignoringStoreErrors(save)
    return result
  }

  ignoringStoreErrors(save)
  return {
    isFile: true,
    ...storeUsing(use, recorded),
    version: inUse.version,
    async keep() {
      putInPlace()
      save()
      return inUse.takeWrittenBack()
    },
    lost: () => [...current().marks.lost],
    outdated: (bucket) => current().marks.outdated(bucket),
    otherHosts: (bucket, except) => current().store.otherHosts(bucket, except),
    async *snapshot() {
      putInPlace()
      checkContent()
      yield* current().store.snapshot()
    },
    async replace(items, condition) {
      putInPlace()
      return recorded((store) => store.replace(items, condition))
    },
    async [Symbol.asyncDispose]() {
      // After a deletion in the last two seconds, only the open file has the content.
      if (!inUse.isFaulty()) ignoringStoreErrors(putInPlace)
      current().database.close()
    },
  }
}

/** Opens a file, and writes its content to a new one when it is gone. */
function createFileInUse(file: string, open: () => OpenFile) {
  let current = open()
  let fileCount = 1
  let isWrittenBack = false
  let fault: StoreError | undefined
  let checkedVersion: string | undefined

  function overwritten(): StoreError {
    fault = replacedFault(file)
    return fault
  }

  /** Throws a `StoreError` if somebody has copied an earlier state over the open file. */
  function checkContent(): void {
    const { marks, store } = current
    checkedVersion = store.version()
    if (withStoreErrors(file, marks.haveFallenBack)) throw overwritten()
  }

  function reopen(): void {
    // Another file must not be opened with this one's log, which would damage it.
    const { logIdentity } = current
    const hasOwnLog = logIdentity !== undefined && identityOf(logOf(file)) === logIdentity
    if (hasOwnLog) throw replacedFault(file)
    const next = open()
    if (next.marks.lost.size > 0) {
      next.database.close()
      throw replacedFault(file)
    }
    current.database.close()
    current = next
    fileCount += 1
  }

  /** Uses the file at the path if it contains everything, or writes it there if there is none. */
  function putInPlace(): void {
    if (isInPlace(file, current)) {
      fault = undefined
      return
    }
    try {
      if (writeBack(file, current.database)) isWrittenBack = true
      reopen()
      fault = undefined
    } catch (error) {
      const failure = error instanceof StoreError ? error : goneFault(file, error)
      // Whatever is in the way for a moment is over at the next attempt.
      const isLasting = failure instanceof StoreError && failure.kind !== 'unreachable'
      if (isLasting) fault = failure
      throw failure
    }
  }

  async function use<T>(work: (store: Store) => Promise<T>): Promise<T> {
    if (fault) throw fault
    try {
      return await work(current.store)
    } catch (error) {
      if (error instanceof FileOverwritten) throw overwritten()
      if (!(error instanceof FileMoved)) throw error
      putInPlace()
      return await work(current.store)
    }
  }

  /** Records what has been written. */
  function save(): void {
    checkContent()
    withStoreErrors(file, current.marks.save)
  }

  function version(): string | undefined {
    if (current.store.version() !== checkedVersion) ignoringStoreErrors(checkContent)
    // If there is a fault, the next attempt to read reports it.
    return fault ? undefined : `${fileCount} ${current.store.version()}`
  }

  /** Returns the buckets that have been written back since the last call. */
  function takeWrittenBack(): readonly string[] {
    const names = isWrittenBack ? current.marks.names() : []
    isWrittenBack = false
    return names
  }

  return {
    current: () => current,
    isFaulty: () => fault !== undefined,
    putInPlace,
    checkContent,
    use,
    save,
    version,
    takeWrittenBack,
  }
}

/** Runs work whose faults are reported elsewhere, or by the next start. */
function ignoringStoreErrors(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
  }
}

type Use = <T>(work: (store: Store) => Promise<T>) => Promise<T>

/** Returns the parts of a store that need only the one that is open. */
function storeUsing(use: Use, recorded: Use): Pick<Store, 'documents' | 'windows' | 'leases'> {
  return {
    documents: {
      get: (bucket, id) => use(({ documents }) => documents.get(bucket, id)),
      all: (bucket) => use(({ documents }) => documents.all(bucket)),
      write: (writes, expected) => recorded(({ documents }) => documents.write(writes, expected)),
    },
    windows: {
      take: (name, limits) => use(({ windows }) => windows.take(name, limits)),
      release: (name, id) => use(({ windows }) => windows.release(name, id)),
      add: (name, events) => use(({ windows }) => windows.add(name, events)),
      count: (name, windowMs) => use(({ windows }) => windows.count(name, windowMs)),
    },
    leases: {
      take: (name, holder, ttlMs) => use(({ leases }) => leases.take(name, holder, ttlMs)),
      release: (name, holder) => use(({ leases }) => leases.release(name, holder)),
    },
  }
}

function opened(file: string, now: () => number, options: OpenOptions): OpenFile {
  // The site's data may still be in Redis.
  const other = { file: recordInRedis(file), isFormer: !fs.existsSync(file) }
  const database = openSqliteDatabase(file, options)
  try {
    const identity = identityOf(file)
    const record = openKeptRecord(fileRecord(file), other)
    const marks = withStoreErrors(file, () =>
      inTransaction(database, () => createKeptMarks(database, record, now)),
    )
    const store = sqliteStoreOver(database, file, now, {
      beforeWrite() {
        if (!isInPlace(file, { identity })) throw new FileMoved()
        if (marks.haveFallenBack()) throw new FileOverwritten()
      },
      wrote: marks.wrote,
      replaced: marks.replaced,
    })
    return { database, store, marks, identity, logIdentity: identityOf(logOf(file)) }
  } catch (error) {
    database.close()
    throw error
  }
}

const logOf = (file: string) => `${file}-wal`

/** Returns undefined on Windows, where an open file can be neither moved nor deleted. */
function identityOf(file: string): string | undefined {
  if (process.platform === 'win32') return undefined
  const stats = fs.statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev} ${stats.ino}`
}

function isInPlace(file: string, { identity }: Pick<OpenFile, 'identity'>): boolean {
  return identityOf(file) === identity
}

/**
 * Writes a complete copy of an open database to its path, unless there is a file. Returns false if there
 * is one.
 */
function writeBack(file: string, database: DatabaseSync): boolean {
  const part = `${file}.${randomUUID()}.part`
  try {
    // SQLite fills an existing empty file and keeps its permissions.
    fs.closeSync(fs.openSync(part, 'wx', 0o600))
    const version = versionOf(database)
    database.prepare('VACUUM INTO ?').run(part)
    syncToDisk(part, 'r+')
    // Other processes that have the file open wait, or have finished.
    return inTransaction(database, () => {
      if (fs.existsSync(file)) return false
      if (versionOf(database) !== version) throw changedFault(file)
      // They belong to the file that is gone, and would damage another.
      for (const suffix of ['-wal', '-shm']) fs.rmSync(`${file}${suffix}`, { force: true })
      return placed(part, file)
    })
  } finally {
    fs.rmSync(part, { force: true })
  }
}

/** Changes with every commit of other connections. */
function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA data_version').get()?.['data_version'])
}

/** Returns false if there is a file in the meantime, which is never replaced. */
function placed(part: string, file: string): boolean {
  try {
    fs.linkSync(part, file)
  } catch (error) {
    if (fs.existsSync(file)) return false
    // Not every file system has hard links.
    if (!(error instanceof Error)) throw error
    fs.renameSync(part, file)
  }
  syncToDisk(dirname(file), 'r')
  return true
}

function changedFault(file: string): StoreError {
  return new StoreError('unreachable', `The store ${file} is changing too fast. Try again later.`)
}

function replacedFault(file: string): StoreError {
  return new StoreError(
    'unusable',
    `The store ${file} was replaced by another file, without the latest changes, while Feedhouse was running. Stop Feedhouse, restore a backup or move the right file back, and start it again.`,
  )
}

function goneFault(file: string, error: unknown): unknown {
  const failure = storeErrorFrom(file, error)
  if (!(error instanceof Error) || !(failure instanceof StoreError)) return failure
  if (failure.kind === 'disk full') return failure
  const sentence = `The store ${file} was moved or deleted while Feedhouse was running, and cannot be written back: ${error.message}. Its content is lost when Feedhouse stops, unless you move it back first.`
  return new StoreError(failure.kind, sentence, { cause: error })
}
