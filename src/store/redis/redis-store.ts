import { randomUUID } from 'node:crypto'
import {
  connectionOf,
  connectToRedis,
  type RedisConnection,
  type RedisOptions,
} from './redis-connection.ts'
import {
  deleteExpired,
  releaseLease,
  takeFromWindow,
  takeLease,
  writeDocuments,
} from './redis-scripts.ts'
import { checkSchema, hasWritten, othersInRedis, schemaVersion } from './redis-schema.ts'
import { readStored, redisSnapshot } from './redis-snapshot.ts'
import { replaceInRedis } from './redis-replace.ts'
import { maxWindowMs, type Document, type Store } from '../store.ts'

export type RedisStoreOptions = RedisOptions & {
  /** The site that owns the store. */
  readonly name: string
  readonly now: () => number
}

/** Opens a store that replicas can share. Rejects with a `StoreError` if Redis cannot be reached. */
export async function openRedisStore(options: RedisStoreOptions): Promise<Store> {
  const connection = await connectToRedis(options)
  try {
    const store = await redisStoreOver(connection, options)
    return { ...store, [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose]() }
  } catch (error) {
    await connection[Symbol.asyncDispose]()
    throw error
  }
}

/** Opens a store on a shared connection. Closing the store does not close the connection. */
export async function redisStoreOver(
  shared: RedisConnection,
  { name, now }: Pick<RedisStoreOptions, 'name' | 'now'>,
): Promise<Store> {
  const connection = connectionOf(shared, name)
  const { client, run, evaluate, key } = connection
  await checkSchema(connection)
  const time = () => String(now())

  return {
    documents: {
      get: (bucket, id) =>
        run(async () => documentFrom(await client.hGet(key('documents', bucket), id), now())),
      all: (bucket) =>
        run(async () => {
          const stored = Object.entries(await client.hGetAll(key('documents', bucket)))
          const found = stored.map(([id, text]) => [id, documentFrom(text, now())] as const)
          const gone = found.flatMap(([id, document]) => (document ? [] : [id]))
          if (gone.length > 0) {
            await evaluate(deleteExpired, [key('documents', bucket)], [time(), ...gone])
          }
          return new Map(found.flatMap(([id, document]) => (document ? [[id, document]] : [])))
        }),
      write: async (writes, expected) => {
        const buckets = [expected ?? { bucket: '' }, ...writes].map(({ bucket }) =>
          key('documents', bucket),
        )
        const args = writes.flatMap(({ id, value, expiresAt }) => [
          id,
          value === undefined ? '0' : '1',
          String(expiresAt ?? ''),
          value ?? '',
        ])
        const head = [time(), expected?.id ?? '', String(expected?.revision ?? ''), schemaVersion]
        const keys = [key('schema'), ...buckets]
        return hasWritten(connection, await evaluate(writeDocuments, keys, [...head, ...args]))
      },
    },
    windows: {
      take: async (window, limits) => {
        const id = randomUUID()
        const args = limits.flatMap(({ windowMs, max }) => [String(windowMs), String(max)])
        const reply = await evaluate(
          takeFromWindow,
          [key('window', window)],
          [time(), id, String(maxWindowMs), ...args],
        )
        const [retryAfterMs = 0, ...used] = reply as number[]
        return retryAfterMs > 0 ? { ok: false, retryAfterMs } : { ok: true, id, used }
      },
      release: (window, id) => run(async () => void (await client.zRem(key('window', window), id))),
      add: (window, events) =>
        run(async () => {
          const members = [...events].map(([value, at]) => ({ value, score: Math.floor(at) }))
          const ifNew = { condition: 'NX' } as const
          if (members.length > 0) await client.zAdd(key('window', window), members, ifNew)
        }),
      count: (window, windowMs) =>
        run(() => client.zCount(key('window', window), `(${now() - windowMs}`, '+inf')),
    },
    leases: {
      take: async (lease, holder, ttlMs) =>
        (await evaluate(takeLease, [key('lease', lease)], [time(), holder, String(ttlMs)])) === 1,
      release: async (lease, holder) =>
        void (await evaluate(releaseLease, [key('lease', lease)], [holder])),
    },
    otherHosts: (bucket, except) => othersInRedis(shared, name, { bucket, except }),
    snapshot: () => redisSnapshot(connection, now()),
    replace: (items, condition) => replaceInRedis(connection, items, { ...condition, now: now() }),
    async [Symbol.asyncDispose]() {},
  }
}

function documentFrom(stored: string | null, now: number): Document | undefined {
  const { value, revision } = readStored(stored, now) ?? {}
  return value === undefined || revision === undefined ? undefined : { value, revision }
}
