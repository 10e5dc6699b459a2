import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { connectToRedis, type RedisConnection } from './redis-connection.ts'
import { openRedisStore, redisStoreOver } from './redis-store.ts'
import { whenFree, type OpenOptions } from './sqlite-database.ts'
import { openSqliteStore } from './sqlite-store.ts'
import type { Store } from './store.ts'

export type StoreOptions = Pick<OpenOptions, 'onMigrated' | 'unlessUsedAt'> & {
  /** Where SQLite files lie. */
  readonly directory: string
  /** Redis instead of SQLite. */
  readonly redisUrl: string | undefined
  /** Origin of the site: each has a store of its own. */
  readonly siteUrl: string
  readonly now: () => number
}

/** The store of a site. Rejects with a `StoreError`. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { directory, redisUrl, siteUrl, now, onMigrated, unlessUsedAt } = options
  if (redisUrl !== undefined) {
    return openRedisStore({ url: redisUrl, name: nameOf(siteUrl), now })
  }
  const file = storeFile(directory, siteUrl)
  return whenFree(() => openSqliteStore(file, now, { onMigrated, unlessUsedAt }))
}

/** The SQLite file of a site. */
export function storeFile(directory: string, siteUrl: string): string {
  return fileOf(directory, nameOf(siteUrl).replaceAll(':', '_'))
}

/** The stores of several sites; those in Redis have one connection. */
export type Stores = AsyncDisposable & {
  /** Rejects with a `StoreError`. */
  readonly open: (siteUrl: string, onMigrated: (copy: string) => void) => Promise<Store>
}

export function createStores(options: Omit<StoreOptions, 'siteUrl' | 'onMigrated'>): Stores {
  const { redisUrl, now } = options
  let connecting: Promise<RedisConnection> | undefined

  function connectionTo(url: string): Promise<RedisConnection> {
    connecting ??= connectToRedis({ url }).catch((error: unknown) => {
      connecting = undefined
      throw error
    })
    return connecting
  }

  return {
    async open(siteUrl, onMigrated) {
      if (redisUrl === undefined) return openStore({ ...options, siteUrl, onMigrated })
      return redisStoreOver(await connectionTo(redisUrl), { name: nameOf(siteUrl), now })
    },
    async [Symbol.asyncDispose]() {
      const connection = await connecting?.catch(() => undefined)
      await connection?.[Symbol.asyncDispose]()
    },
  }
}

/** The store of the demo, whose site is another at every start. */
export async function openDemoStore(directory: string, now: () => number): Promise<Store> {
  return whenFree(() => openSqliteStore(demoFile(directory), now))
}

/** Throws away what the demo before has left. */
export function emptyDemoStore(directory: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(`${demoFile(directory)}${suffix}`, { force: true })
  }
}

function nameOf(siteUrl: string): string {
  return new URL(siteUrl).host
}

function demoFile(directory: string): string {
  // No host name begins with an underscore.
  return fileOf(directory, '_demo')
}

function fileOf(directory: string, name: string): string {
  return join(directory, `${name}.sqlite`)
}
