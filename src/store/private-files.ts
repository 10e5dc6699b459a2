import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Group and others. */
const notOwner = 0o077
const others = 0o007

/** Stores with what SQLite puts beside them, copies of them, and backups. */
const dataFile = /\.sqlite(?:-wal|-shm|-journal)?$|\.before-v\d+$|\.gz$/

/** Containers get their secrets here, and cannot change them; the host keeps others out. */
const containerSecrets = '/run/secrets/'

/**
 * Takes Feedhouse's data files in a directory away from everybody but their owner. Returns those that
 * others can use still.
 */
export function restrictDataFiles(directory: string): readonly string[] {
  const files = readdirSync(directory)
    .filter((name) => dataFile.test(name))
    .map((name) => join(directory, name))
    .filter((file) => isFile(file))
  return files.filter((file) => !isRestricted(file, notOwner))
}

/**
 * Takes files that hold secrets away from others; a group may be the one that Feedhouse runs as.
 * Returns those that others can use still.
 */
export function restrictSecretFiles(files: readonly string[]): readonly string[] {
  return files
    .filter((file) => !file.startsWith(containerSecrets) && isFile(file))
    .filter((file) => !isRestricted(file, others))
}

/** Windows has no such modes. */
function isFile(file: string): boolean {
  if (process.platform === 'win32') return false
  try {
    return lstatSync(file).isFile()
  } catch {
    // It went meanwhile, like the files beside a store, or its directory cannot be read.
    return false
  }
}

/** Clears the bits of a file's mode. Returns false where they cannot be cleared. */
function isRestricted(file: string, bits: number): boolean {
  try {
    const { mode } = statSync(file)
    if ((mode & bits) !== 0) chmodSync(file, mode & 0o777 & ~bits)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}
