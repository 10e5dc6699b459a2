import { execFileSync } from 'node:child_process'
import { closeSync, globSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const size = '16m'
const chunkBytes = [1 << 20, 1 << 12, 1] as const

/** Mounts a small disk in memory, which can be filled. Returns a sentence instead if that is not possible. */
export function mountDisk(directory: string) {
  const path = join(directory, 'disk')
  mkdirSync(path)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path], { stdio: 'pipe' })
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error))
      .split('\n')
      .slice(-2)
    return `The disk is never full, because a small one cannot be mounted: ${reason}.`
  }
  const filler = join(path, 'filler')
  return {
    path,
    fill() {
      for (const name of globSync('*.sqlite', { cwd: path })) emptyLog(join(path, name))
      const file = openSync(filler, 'a')
      for (const bytes of chunkBytes) writeUntilFull(file, Buffer.alloc(bytes))
      closeSync(file)
    },
    free: () => rmSync(filler, { force: true }),
    /** Deletes the stores of websites while they are in use. */
    deleteStores() {
      for (const name of globSync('[!_]*.sqlite*', { cwd: path })) rmSync(join(path, name))
    },
    [Symbol.dispose]: () => void execFileSync('umount', ['--lazy', path]),
  }
}

/** Empties the write-ahead log of SQLite, which would otherwise have space for further writes. */
function emptyLog(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}

function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    while (writeSync(file, bytes) === bytes.length);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}
