import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { StoreError } from './store-error.ts'

/** With less free space than this, most writes fail. */
const minFreeBytes = 1024 * 1024

/** Creates the data directory if it is missing. Returns its absolute path. Throws a `StoreError`. */
export function openDataDirectory(path: string): string {
  const directory = resolve(path)
  try {
    createDirectory(directory)
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    const sentence = dataDirectoryFault(directory, code, process.getuid?.())
    throw new StoreError('unusable', sentence, { cause: error })
  }
  return directory
}

/** Node's recursion never ends if an existing directory accepts no entries, as in `/proc`. */
function createDirectory(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return
    const isParentMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isParentMissing || existsSync(dirname(directory))) throw error
    createDirectory(dirname(directory))
    createDirectory(directory)
  }
}

/** Explains why a user cannot write to a directory, and shows the command to fix it. */
export function dataDirectoryFault(
  directory: string,
  code: string,
  user: number | undefined,
): string {
  const fault = `The data directory ${directory} is not writable (${code})`
  const otherwise = 'set DATA_DIR to a writable directory'
  const owned = code === 'EACCES' ? nearestExisting(directory) : undefined
  if (owned === undefined || user === undefined || owned.owner === user) {
    return `${fault}; ${otherwise}.`
  }
  const change =
    owned.path === directory
      ? `chown -R ${user}:${user} ${directory}`
      : `install -d -o ${user} -g ${user} -m 700 ${directory}`
  return `${fault}: ${owned.path} belongs to the user with id ${owned.owner}, and Feedhouse runs as ${user}. Run "${change}" as root (for a container, on the directory mounted there), or ${otherwise}.`
}

function nearestExisting(path: string): { readonly path: string; readonly owner: number } {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats ? { path, owner: stats.uid } : nearestExisting(dirname(path))
}

/** Returns the space on a directory's disk, or undefined if the directory cannot be used. */
export async function diskSpace(directory: string) {
  try {
    const { bavail, bfree, blocks, bsize } = await statfs(directory)
    // Some blocks are reserved for root.
    const free = process.getuid?.() === 0 ? bfree : bavail
    return { freeBytes: free * bsize, totalBytes: blocks * bsize }
  } catch {
    // The store reports unusable directories.
    return undefined
  }
}

export async function diskFailure(directory: string | undefined): Promise<StoreError | undefined> {
  const space = directory === undefined ? undefined : await diskSpace(directory)
  return directory !== undefined && space && space.freeBytes < minFreeBytes
    ? diskFullError(directory)
    : undefined
}

/** Creates the error. Without the directory, the message is safe for anyone to see. */
export function diskFullError(directory?: string, options?: ErrorOptions): StoreError {
  const where = directory === undefined ? '' : ` ${resolve(directory)}`
  const sentence = `The disk with the data directory${where} is full. Delete what you don't need from this disk, or enlarge it.`
  return new StoreError('disk full', sentence, options)
}
