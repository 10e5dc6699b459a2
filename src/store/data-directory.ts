import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Thrown if the data directory is not writable. The message is a single sentence for operators. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError'
}

/** Creates the data directory if it is missing. Returns its absolute path. */
export function openDataDirectory(path: string): string {
  const directory = resolve(path)
  try {
    createDirectory(directory)
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new DataDirectoryError(dataDirectoryFault(directory, code, process.getuid?.()), {
      cause: error,
    })
  }
  return directory
}

/**
 * Creates a directory and its parents if they are missing. Node's own recursion never ends where an
 * existing directory accepts no entries, as in `/proc`.
 */
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

/**
 * Explains why a user cannot write to a directory, naming the directory's owner and the command to
 * fix the problem.
 */
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
