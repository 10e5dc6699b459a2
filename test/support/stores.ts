import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { describe, onTestFinished } from 'vitest'
import { connectToRedis, type RedisOptions } from '../../src/store/redis/redis-connection.ts'
import { redisStoreOver } from '../../src/store/redis/redis-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { createFakeClock } from './fake-clock.ts'
import { startRedisCluster } from './redis-cluster.ts'
import { startRedisWithSentinel } from './redis-sentinel.ts'
import { emptyRedisDatabase, redisIsMissing } from './redis.ts'
import { testDirectory } from './service.ts'
import { startedOnce } from './started-once.ts'

/** Opens the store of the site with this name, on a separate connection. */
export async function openRedisStore(
  options: RedisOptions & { readonly name: string; readonly now: () => number },
): Promise<Store> {
  await using opening = new AsyncDisposableStack()
  const connection = opening.use(await connectToRedis(options))
  const store = await redisStoreOver(connection, options.name, options.now)
  const opened = opening.move()
  return { ...store, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Location for a store that is empty at first. */
export type Place = { readonly open: (now: () => number) => Promise<Store> }

function sqlitePlace(): Place {
  const file = join(testDirectory(), 'store.sqlite')
  return { open: async (now) => openSqliteStore(file, now) }
}

function redisPlace(): Place {
  const url = emptyRedisDatabase()
  return { open: async (now) => openRedisStore({ url: await url, name: 'example.org', now }) }
}

/**
 * Runs a test suite on every kind of store. The suite receives a function that creates empty
 * locations.
 */
export function onEveryStore(suite: (placeOf: () => Place) => void): void {
  describe('SQLite', () => {
    suite(sqlitePlace)
  })

  describe.skipIf(redisIsMissing)('Redis', () => {
    suite(redisPlace)
  })
}

/** Runs a test suite on a Redis Cluster, and on a primary that Redis Sentinel monitors. */
export function onSeveralRedisServers(suite: (placeOf: () => Place) => void): void {
  const kinds = { 'Redis Cluster': startRedisCluster, 'Redis Sentinel': startRedisWithSentinel }
  describe.skipIf(redisIsMissing).for(Object.entries(kinds))('%s', ([, start]) => {
    const started = startedOnce<AsyncDisposable & { readonly url: string }>(start)
    suite(() => {
      const name = `${randomUUID()}.example`
      return { open: async (now) => openRedisStore({ url: (await started()).url, name, now }) }
    })
  })
}

/** Opens a location several times with the same clock, the way replicas do. */
export async function storesAt(place: Place, count: number) {
  const clock = createFakeClock()
  const open = async (now = clock.now) => {
    const store = await place.open(now)
    onTestFinished(() => store[Symbol.asyncDispose]())
    return store
  }
  const store = await open()
  const stores = [store]
  while (stores.length < count) stores.push(await open())
  return { clock, stores, open, store, other: stores.at(-1) ?? store }
}
