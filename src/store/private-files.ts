import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { hourMs } from '../clock.ts'

/** Permission bits for the group and others. */
const notOwner = 0o077
const others = 0o007

/** Matches SQLite files, their journals and copies, backups, records of stores, and `mail.key`. */
const dataFile = /\.sqlite(?:-wal|-shm|-journal)?$|\.before-v\d+$|\.gz$|\.kept\.json$|^mail\.key$/

/** Matches new versions of stores and records, which a killed process has not moved into place. */
const partFile = /\.(?:sqlite|kept\.json)\.[\da-f-]{36}\.part(?:-journal)?$/

/** Other processes may still be writing files that are younger. */
const abandonedMs = hourMs

/** Containers mount secrets read-only in this directory. The host protects them. */
const containerSecrets = '/run/secrets/'

/** Removes files that killed processes have left unfinished. */
export function removeAbandonedFiles(directory: string, now: number): void {
  for (const name of fs.readdirSync(directory).filter((each) => partFile.test(each))) {
    const file = join(directory, name)
    const { mtimeMs = now } = fs.statSync(file, { throwIfNoEntry: false }) ?? {}
    if (mtimeMs < now - abandonedMs) removeIfAllowed(file)
  }
}

/** A file of another user takes space, but is no reason not to start. */
function removeIfAllowed(file: string): void {
  try {
    fs.rmSync(file, { force: true })
  } catch (error) {
    if (!(error instanceof Error)) throw error
  }
}

/** Restricts data files to their owner. Returns the files that others can still access. */
export function restrictDataFiles(directory: string): readonly string[] {
  const names = fs.readdirSync(directory).filter((name) => dataFile.test(name))
  const files = names.map((name) => join(directory, name))
  return files.filter((file) => isFile(file) && !isRestricted(file, notOwner))
}

/**
 * Restricts secret files to their owner and group, since Feedhouse may run with that group. Returns
 * the files that others can still access.
 */
export function restrictSecretFiles(files: readonly string[]): readonly string[] {
  const own = files.filter((file) => !file.startsWith(containerSecrets) && isFile(file))
  return own.filter((file) => !isRestricted(file, others))
}

/** Returns false on Windows, which does not have such permission bits. */
function isFile(file: string): boolean {
  if (process.platform === 'win32') return false
  try {
    return fs.lstatSync(file).isFile()
  } catch {
    // SQLite may have just deleted this file (a journal), or the directory is unreadable.
    return false
  }
}

/** Clears the given bits in a file's mode. Returns false if that fails. */
function isRestricted(file: string, bits: number): boolean {
  try {
    const { mode } = fs.statSync(file)
    if ((mode & bits) !== 0) fs.chmodSync(file, mode & 0o777 & ~bits)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}

/** Replaces a file with a complete one, in a single step that survives a power failure. */
export function moveIntoPlace(part: string, target: string): void {
  syncToDisk(part, 'r+')
  fs.renameSync(part, target)
  // Windows does not allow this for directories.
  if (process.platform !== 'win32') syncToDisk(dirname(target), 'r')
}

export function syncToDisk(path: string, flags: string): void {
  const handle = fs.openSync(path, flags)
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}
