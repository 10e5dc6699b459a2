import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** How many copies are kept: of the last so many changes of the schema. */
export const maxCopies = 3

/** Where the big-endian `user_version` lies, https://sqlite.org/fileformat.html#the_database_header. */
const userVersionAt = 60

/** A copy of a store's file as it was before its schema was brought to a version. */
export type StoreCopy = { readonly path: string; readonly version: number }

/**
 * Copies the file as it is, also while others write, and returns the path of the copy. One that was
 * made before for the same version is replaced.
 */
export function copyBefore(file: string, version: number): string {
  const path = `${file}.before-v${version}`
  const part = `${path}.part`
  rmSync(part, { force: true })
  // SQLite fills an empty file, and leaves who may read it as it is.
  closeSync(openSync(part, 'wx', 0o600))
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    database.prepare('VACUUM INTO ?').run(part)
  } finally {
    database.close()
  }
  chmodSync(part, 0o600)
  syncFile(part)
  renameSync(part, path)
  for (const { path: old } of copiesOf(file).slice(maxCopies)) rmSync(old, { force: true })
  return path
}

/** The latest copy that a Feedhouse that knows this version can use. */
export function usableCopy(file: string, knownVersion: number): string | undefined {
  return copiesOf(file).find(({ path }) => schemaVersionOf(path) <= knownVersion)?.path
}

/** The latest first. */
function copiesOf(file: string): readonly StoreCopy[] {
  const prefix = `${basename(file)}.before-v`
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => ({
      path: join(dirname(file), name),
      version: Number(name.slice(prefix.length)),
    }))
    .sort((a, b) => b.version - a.version)
}

function schemaVersionOf(path: string): number {
  const handle = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(4)
    readSync(handle, bytes, 0, bytes.length, userVersionAt)
    return bytes.readUInt32BE()
  } finally {
    closeSync(handle)
  }
}

function syncFile(path: string): void {
  const handle = openSync(path, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
