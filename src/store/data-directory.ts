import { accessSync, constants, mkdirSync } from 'node:fs'
import { resolve } from 'node:path'

/** The directory cannot hold Feedhouse's files; the message is one plain sentence. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError'
}

/** Makes the directory where things last, unless it is there, and returns its absolute path. */
export function openDataDirectory(path: string): string {
  const directory = resolve(path)
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new DataDirectoryError(
      `The data directory ${directory} cannot be written${reason}; set DATA_DIR to a directory that can.`,
      { cause: error },
    )
  }
  return directory
}
