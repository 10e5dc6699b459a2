import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openRedisStore } from './redis-store.ts'
import { openSqliteStore } from './sqlite-store.ts'
import type { Store } from './store.ts'

export type StoreOptions = {
  /** Where SQLite files lie. */
  readonly directory: string
  /** Redis instead of SQLite. */
  readonly redisUrl: string | undefined
  /** Origin of the site: each has a store of its own. */
  readonly siteUrl: string
  readonly now: () => number
  /** Called with the path of a copy when an older store was brought forward. */
  readonly onMigrated?: ((copy: string) => void) | undefined
}

/** The store of a site. Rejects with a `StoreError`. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { directory, redisUrl, siteUrl, now, onMigrated } = options
  const name = new URL(siteUrl).host
  if (redisUrl !== undefined) return openRedisStore({ url: redisUrl, name, now })
  return openSqliteStore(fileOf(directory, name.replaceAll(':', '_')), now, { onMigrated })
}

/** The store of the demo, whose site is another at every start. */
export async function openDemoStore(directory: string, now: () => number): Promise<Store> {
  return openSqliteStore(demoFile(directory), now)
}

/** Throws away what the demo before has left. */
export function emptyDemoStore(directory: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(`${demoFile(directory)}${suffix}`, { force: true })
  }
}

function demoFile(directory: string): string {
  // No host name begins with an underscore.
  return fileOf(directory, '_demo')
}

function fileOf(directory: string, name: string): string {
  return join(directory, `${name}.sqlite`)
}
