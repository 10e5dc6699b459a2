import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TimeSource } from '../clock.ts'
import type { RedisAge } from './redis/redis-age.ts'
import type { SettingsRecorder } from './redis/settings-recorder.ts'
import type { RedisConnection } from './redis/redis-connection.ts'
import type { KeptMemory } from './redis/known-buckets.ts'
import type { SiteOwners } from './redis/site-owners.ts'
import { keptRecordFile, openKeptRecord } from './kept-record.ts'
import { fileRecord, openKeptFile } from './sqlite/kept-file.ts'
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

export type OwnedOptions = {
  /** Called if another process has taken over the site. If undefined, processes share the site's store. */
  readonly lost?: (() => void) | undefined
}

type InRedis = {
  readonly connection: RedisConnection
  readonly age: RedisAge
  readonly owners: SiteOwners | undefined
  readonly recordSettings: SettingsRecorder
}

export async function openStore(options: Location & StoredSite & OpenOptions): Promise<Store> {
  await using opening = new AsyncDisposableStack()
  const store = opening.use(await opening.use(createStores(options)).open(options, options))
  const opened = opening.move()
  return { ...store, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Describes settings of the store's server with which it can lose data. Rejects with a `StoreError`. */
export async function storeFaults(location: Location): Promise<readonly string[]> {
  await using stores = createStores(location)
  return await stores.faults()
}

export type Stores = AsyncDisposable & {
  /** Rejects with a `StoreError`. */
  readonly open: (site: StoredSite, options?: OpenOptions & OwnedOptions) => Promise<Store>
  /** Describes settings of the server with which it can lose data. Rejects with a `StoreError`. */
  readonly faults: () => Promise<readonly string[]>
  /**
   * Records the state of these sites' settings and links in Redis, including sites that other hosts
   * serve. Rejects with a `StoreError`.
   */
  readonly recordSettings: (sites: readonly StoredSite[]) => Promise<void>
  /** Renews the claims of this process. Otherwise, they end after a few seconds. */
  readonly renewClaims: () => Promise<void>
}

/**
 * Opens stores for several sites. Stores in Redis share one connection. With `owner`, the id of
 * this process, each site has only one owner at a time among all processes.
 */
export function createStores(options: Location & { readonly owner?: string | undefined }): Stores {
  const { directory, redisUrl, now, owner } = options
  let connecting: Promise<InRedis> | undefined
  const memories = new Map<string, { readonly memory: KeptMemory; stores: number }>()

  /** Opens a store that shares its memory with all open stores of the same site. */
  async function openWithMemory(
    connection: RedisConnection,
    name: string,
    age: RedisAge,
  ): Promise<Store> {
    const { createKeptMemory } = await import('./redis/known-buckets.ts')
    const { isStoredInRedis, openRedisStore } = await import('./redis/redis-store.ts')
    // The site's data may still be in a SQLite file.
    const isNew = !(await isStoredInRedis(connection, name))
    const other = { file: fileRecord(fileOf(directory, fileName(name))), isFormer: isNew }
    const record = () => openKeptRecord(keptRecordFile(directory, name), other)
    const shared = memories.get(name) ?? { memory: createKeptMemory(record()), stores: 0 }
    memories.set(name, shared)
    shared.stores += 1
    const release = async (store?: Store) => {
      shared.stores -= 1
      if (shared.stores > 0) return
      memories.delete(name)
      await store?.withdraw?.()
    }
    try {
      const { memory } = shared
      const store = await openRedisStore(connection, name, { now, memory, age })
      return { ...store, [Symbol.asyncDispose]: () => release(store) }
    } catch (error) {
      await release()
      throw error
    }
  }

  function connected(url: string): Promise<InRedis> {
    connecting ??= connectTo(url, { directory, owner }).catch((error: unknown) => {
      connecting = undefined
      throw error
    })
    return connecting
  }

  /** Returns true for a site with data in Redis, even if Redis has just lost it. */
  async function isKnownInRedis(connection: RedisConnection, name: string): Promise<boolean> {
    const { isStoredInRedis } = await import('./redis/redis-store.ts')
    if (memories.has(name) || existsSync(keptRecordFile(directory, name))) return true
    return isStoredInRedis(connection, name)
  }

  async function openInRedis(
    url: string,
    site: StoredSite,
    { lost }: OwnedOptions,
  ): Promise<Store> {
    const { connection, owners, age } = await connected(url)
    const isKnown = (known: string) => isKnownInRedis(connection, known)
    const name = await nameInRedis(directory, site, isKnown)
    if (!owners || !lost) return openWithMemory(connection, name, age)
    await using claiming = new AsyncDisposableStack()
    const claim = claiming.use(await owners.claim(name, lost))
    const store = claiming.use(await openWithMemory(claim.connection, name, age))
    const claimed = claiming.move()
    return { ...store, isOwned: true, [Symbol.asyncDispose]: () => claimed.disposeAsync() }
  }

  return {
    async open(site, options) {
      if (redisUrl !== undefined) return openInRedis(redisUrl, site, { ...options })
      const file = storeFile(directory, site)
      const isKept = isOfWebsite(site)
      return retryWhileBusy(() =>
        isKept ? openKeptFile(file, now, { ...options }) : openSqliteStore(file, now, options),
      )
    },
    async faults() {
      if (redisUrl === undefined) return []
      const { faultsOfRedis } = await import('./redis/redis-faults.ts')
      return faultsOfRedis((await connected(redisUrl)).connection)
    },
    async recordSettings(sites) {
      if (redisUrl === undefined) return
      const { recordSettings } = await connected(redisUrl)
      const names = sites.flatMap((site) => [nameBeforeMove(site) ?? [], nameOf(site.siteUrl)])
      await recordSettings(names.flat())
    },
    async renewClaims() {
      const opened = await connecting?.catch(() => undefined)
      await opened?.owners?.renew()
    },
    async [Symbol.asyncDispose]() {
      const opened = await connecting?.catch(() => undefined)
      await opened?.connection[Symbol.asyncDispose]()
    },
  }
}

async function nameInRedis(
  directory: string,
  site: StoredSite,
  isKnown: (name: string) => Promise<boolean>,
): Promise<string> {
  const [first, current] = [nameBeforeMove(site), nameOf(site.siteUrl)]
  if (first === undefined) return current
  if (await isKnown(first)) return first
  if (await isKnown(current)) return current
  // The site's data may still be in a SQLite file.
  return hasExisted(fileOf(directory, first)) ? first : current
}

/** Loads the Redis client on demand to save memory, since most installations do not use it. */
async function connectTo(
  url: string,
  { directory, owner }: { readonly directory: string; readonly owner: string | undefined },
): Promise<InRedis> {
  const { connectToRedis } = await import('./redis/redis-connection.ts')
  const { createRedisAge } = await import('./redis/redis-age.ts')
  await using connecting = new AsyncDisposableStack()
  const connection = connecting.use(await connectToRedis({ url }))
  const age = createRedisAge(directory)
  // Even a host that serves no site yet notices that Redis is emptied.
  await age.read(connection)
  const { createSettingsRecorder } = await import('./redis/settings-recorder.ts')
  const recordSettings = createSettingsRecorder(connection, directory)
  connecting.move()
  if (!owner) return { connection, age, owners: undefined, recordSettings }
  const { createSiteOwners } = await import('./redis/site-owners.ts')
  return { connection, age, owners: createSiteOwners(connection, owner), recordSettings }
}

export function storeFile(directory: string, site: StoredSite): string {
  const current = fileOf(directory, fileName(nameOf(site.siteUrl)))
  const first = nameBeforeMove(site)
  if (first === undefined) return current
  const before = fileOf(directory, first)
  if (hasExisted(before)) return before
  // The site's data may still be in Redis.
  const wasInRedis = !hasExisted(current) && existsSync(keptRecordFile(directory, first))
  return wasInRedis ? before : current
}

/** Returns true for a file that exists, or has been lost. */
function hasExisted(file: string): boolean {
  return existsSync(file) || existsSync(fileRecord(file))
}

/** Returns the website's SQLite file if it has been lost. */
export function lostFile(directory: string, site: StoredSite): string | undefined {
  const file = storeFile(directory, site)
  return isOfWebsite(site) && hasExisted(file) && !existsSync(file) ? file : undefined
}

/** Returns the store name for the website's original host, or undefined if it has not moved. */
function nameBeforeMove({ siteUrl, idHost }: StoredSite): string | undefined {
  return idHost === new URL(siteUrl).hostname ? undefined : idHost
}

/**
 * Name of the store for data that all sites share. It cannot be a host name, because those never
 * begin with an underscore.
 */
export const sharedStore: StoredSite = { siteUrl: 'https://_sites' }

/**
 * Name of the demo's store, which is fixed because the demo's URL changes on each start. It cannot be a
 * host name, either.
 */
export const demoStore: StoredSite = { siteUrl: 'https://_demo' }

export function emptyDemoStore(directory: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(`${storeFile(directory, demoStore)}${suffix}`, { force: true })
  }
}

/** Returns false for the stores above, which contain nothing that must not get lost. */
function isOfWebsite({ siteUrl }: StoredSite): boolean {
  return !nameOf(siteUrl).startsWith('_')
}

function nameOf(siteUrl: string): string {
  return new URL(siteUrl).host
}

/** Windows allows no colons in the names of files. */
const fileName = (name: string) => name.replaceAll(':', '_')

function fileOf(directory: string, name: string): string {
  return join(directory, `${name}.sqlite`)
}
