import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TimeSource } from '../clock.ts'
import type { RedisConnection } from './redis/redis-connection.ts'
import { retryWhileBusy, type OpenOptions } from './sqlite/sqlite-database.ts'
import { openSqliteStore } from './sqlite/sqlite-store.ts'
import type { Store } from './store.ts'

type Location = TimeSource & {
  /** Directory for SQLite files. */
  readonly directory: string
  /** URL of a Redis server to use instead of SQLite. */
  readonly redisUrl: string | undefined
}

export type StoredSite = {
  /** Origin of the site. Each site has its own store. */
  readonly siteUrl: string
  /** Host in all ids. It remains the website's original host even if the website moves. */
  readonly idHost?: string | undefined
}

export async function openStore(options: Location & StoredSite & OpenOptions): Promise<Store> {
  await using opening = new AsyncDisposableStack()
  const store = opening.use(await opening.use(createStores(options)).open(options, options))
  const opened = opening.move()
  return { ...store, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Opens stores for several sites. Stores in Redis share one connection. */
export function createStores({ directory, redisUrl, now }: Location) {
  let connecting: Promise<RedisConnection> | undefined

  async function openInRedis(url: string, site: StoredSite): Promise<Store> {
    connecting ??= connectTo(url).catch((error: unknown) => {
      connecting = undefined
      throw error
    })
    const connection = await connecting
    const { isStoredInRedis } = await import('./redis/redis-schema.ts')
    const { redisStoreOver } = await import('./redis/redis-store.ts')
    const first = nameBeforeMove(site)
    const hasMoved = first !== undefined && (await isStoredInRedis(connection, first))
    return redisStoreOver(connection, hasMoved ? first : nameOf(site.siteUrl), now)
  }

  return {
    /** Rejects with a `StoreError`. */
    async open(site: StoredSite, options?: OpenOptions): Promise<Store> {
      if (redisUrl !== undefined) return openInRedis(redisUrl, site)
      const file = storeFile(directory, site)
      return retryWhileBusy(() => openSqliteStore(file, now, options))
    },
    async [Symbol.asyncDispose]() {
      const connection = await connecting?.catch(() => undefined)
      await connection?.[Symbol.asyncDispose]()
    },
  }
}

/** Loads the Redis client on demand to save memory, since most installations do not use it. */
async function connectTo(url: string): Promise<RedisConnection> {
  const { connectToRedis } = await import('./redis/redis-connection.ts')
  return connectToRedis({ url })
}

export function storeFile(directory: string, site: StoredSite): string {
  const first = nameBeforeMove(site)
  const before = first === undefined ? undefined : fileOf(directory, first)
  if (before !== undefined && existsSync(before)) return before
  return fileOf(directory, nameOf(site.siteUrl).replaceAll(':', '_'))
}

/** Returns the store name for the website's original host; undefined if it has not moved. */
function nameBeforeMove({ siteUrl, idHost }: StoredSite): string | undefined {
  return idHost === new URL(siteUrl).hostname ? undefined : idHost
}

/** Opens the demo's store. Its name is fixed, because the demo's URL changes at each start. */
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
