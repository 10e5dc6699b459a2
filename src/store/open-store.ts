import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TimeSource } from '../clock.ts'
import type { RedisConnection } from './redis/redis-connection.ts'
import { retryWhileBusy, type OpenOptions } from './sqlite/sqlite-database.ts'
import { openSqliteStore } from './sqlite/sqlite-store.ts'
import type { Store } from './store.ts'

export type StoreOptions = OpenOptions &
  StoredSite &
  TimeSource & {
    /** Directory for SQLite files. */
    readonly directory: string
    /** URL of a Redis server to use instead of SQLite. */
    readonly redisUrl: string | undefined
  }

type StoredSite = {
  /** Origin of the site. Each site has its own store. */
  readonly siteUrl: string
  /**
   * Host name used in all ids. It remains the website's original host name even if the website
   * moves.
   */
  readonly idHost?: string | undefined
}

/** Opens a site's store. Rejects with a `StoreError`. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { directory, redisUrl, now, onMigrated, unlessUsedAt } = options
  if (redisUrl !== undefined) return openAlone(redisUrl, options)
  const file = storeFile(directory, options)
  return retryWhileBusy(() => openSqliteStore(file, now, { onMigrated, unlessUsedAt }))
}

async function openAlone(url: string, options: StoreOptions): Promise<Store> {
  const connection = await connectionTo(url)
  try {
    const store = await redisStoreOf(connection, options)
    return { ...store, [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose]() }
  } catch (error) {
    await connection[Symbol.asyncDispose]()
    throw error
  }
}

/** Loads the Redis client on demand to save memory, since most installations do not use it. */
async function connectionTo(url: string): Promise<RedisConnection> {
  const { connectToRedis } = await import('./redis/redis-connection.ts')
  return connectToRedis({ url })
}

async function redisStoreOf(
  connection: RedisConnection,
  { now, ...site }: StoredSite & TimeSource,
): Promise<Store> {
  const { isStoredInRedis } = await import('./redis/redis-schema.ts')
  const { redisStoreOver } = await import('./redis/redis-store.ts')
  const first = nameBeforeMove(site)
  const isThere = first !== undefined && (await isStoredInRedis(connection, first))
  return redisStoreOver(connection, { name: isThere ? first : nameOf(site.siteUrl), now })
}

/** Returns the path of a site's SQLite file. */
export function storeFile(directory: string, site: StoredSite): string {
  const first = nameBeforeMove(site)
  const before = first === undefined ? undefined : fileOf(directory, first)
  if (before !== undefined && existsSync(before)) return before
  return fileOf(directory, nameOf(site.siteUrl).replaceAll(':', '_'))
}

/**
 * Returns the store name for the website's original host, or undefined if the website has not
 * moved.
 */
function nameBeforeMove({ siteUrl, idHost }: StoredSite): string | undefined {
  return idHost === new URL(siteUrl).hostname ? undefined : idHost
}

/** Opens stores for several sites. Stores in Redis share one connection. */
export type Stores = AsyncDisposable & {
  /** Rejects with a `StoreError`. */
  readonly open: (site: StoredSite, onMigrated: (copy: string) => void) => Promise<Store>
}

export function createStores(
  options: Omit<StoreOptions, 'siteUrl' | 'idHost' | 'onMigrated'>,
): Stores {
  const { redisUrl, now } = options
  let connecting: Promise<RedisConnection> | undefined

  function sharedConnectionTo(url: string): Promise<RedisConnection> {
    connecting ??= connectionTo(url).catch((error: unknown) => {
      connecting = undefined
      throw error
    })
    return connecting
  }

  return {
    async open(site, onMigrated) {
      if (redisUrl === undefined) return openStore({ ...options, ...site, onMigrated })
      return redisStoreOf(await sharedConnectionTo(redisUrl), { ...site, now })
    },
    async [Symbol.asyncDispose]() {
      const connection = await connecting?.catch(() => undefined)
      await connection?.[Symbol.asyncDispose]()
    },
  }
}

/**
 * Opens the demo's store. It has a fixed name, because the demo site's URL changes at each start.
 */
export async function openDemoStore(directory: string, now: () => number): Promise<Store> {
  return retryWhileBusy(() => openSqliteStore(demoFile(directory), now))
}

/** Deletes the previous demo's store. */
export function emptyDemoStore(directory: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(`${demoFile(directory)}${suffix}`, { force: true })
  }
}

function nameOf(siteUrl: string): string {
  return new URL(siteUrl).host
}

function demoFile(directory: string): string {
  // This is not a possible host name, because host names never begin with an underscore.
  return fileOf(directory, '_demo')
}

function fileOf(directory: string, name: string): string {
  return join(directory, `${name}.sqlite`)
}
