import { chmodSync, closeSync, openSync, readdirSync, readSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { moveIntoPlace } from '../private-files.ts'

/** Number of copies to keep, one for each of the latest schema changes. */
export const maxCopies = 3

/** Offset of the big-endian `user_version`, https://sqlite.org/fileformat.html#the_database_header. */
const userVersionAt = 60

/** Copies the file, even during writes by others, replacing an earlier copy for the version. */
export function copyBefore(file: string, version: number): string {
  const path = `${file}.before-v${version}`
  const part = `${path}.part`
  rmSync(part, { force: true })
  // SQLite fills an existing empty file and keeps its permissions.
  closeSync(openSync(part, 'wx', 0o600))
  using database = new DatabaseSync(file, { readOnly: true })
  database.prepare('VACUUM INTO ?').run(part)
  chmodSync(part, 0o600)
  moveIntoPlace(part, path)
  for (const { path: old } of copiesOf(file).slice(maxCopies)) rmSync(old, { force: true })
  return path
}

/** Returns the latest copy that a Feedhouse release with this schema version can use. */
export function usableCopy(file: string, knownVersion: number): string | undefined {
  return copiesOf(file).find(({ path }) => schemaVersionOf(path) <= knownVersion)?.path
}

/** Returns the file's copies, latest first, each from right before the migration to its version. */
function copiesOf(file: string): readonly { readonly path: string; readonly version: number }[] {
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
