import { randomUUID } from 'node:crypto'
import type { RedisConnection } from './redis-connection.ts'
import {
  deleteExpired,
  releaseLease,
  takeFromWindow,
  takeLease,
  writeDocuments,
} from './redis-scripts.ts'
import { connectionOf, sitesInRedis } from './redis-schema.ts'
import { readStored, redisSnapshot, replaceInRedis } from './redis-snapshot.ts'
import { maxWindowMs, type Document, type Store } from '../store.ts'

/** Opens a site's store on a shared connection, which stays open. Rejects with a `StoreError`. */
export async function redisStoreOver(
  shared: RedisConnection,
  name: string,
  now: () => number,
): Promise<Store> {
  const connection = await connectionOf(shared, name)
  const { run, evaluate, key, write } = connection
  const time = () => String(now())

  return {
    documents: {
      get: (bucket, id) =>
        run(async (client) => documentFrom(await client.hGet(key('documents', bucket), id), now())),
      all: (bucket) =>
        run(async (client) => {
          const stored = Object.entries(await client.hGetAll(key('documents', bucket)))
          const found = stored.map(([id, text]) => [id, documentFrom(text, now())] as const)
          const gone = found.flatMap(([id, document]) => (document ? [] : [id]))
          if (gone.length > 0) {
            await evaluate(deleteExpired, [key('documents', bucket)], [time(), ...gone])
          }
          return new Map(found.flatMap(([id, document]) => (document ? [[id, document]] : [])))
        }),
      write: async (writes, expected) => {
        const keys = writes.map(({ bucket }) => key('documents', bucket))
        const args = writes.flatMap(({ id, value, expiresAt }) => [
          id,
          value === undefined ? '0' : '1',
          String(expiresAt ?? ''),
          value ?? '',
        ])
        return (await write(writeDocuments, { expected, now: now() }, keys, args)) === 1
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
      release: (window, id) =>
        run(async (client) => void (await client.zRem(key('window', window), id))),
      add: (window, events) =>
        run(async (client) => {
          const members = [...events].map(([value, at]) => ({ value, score: Math.floor(at) }))
          const ifNew = { condition: 'NX' } as const
          if (members.length > 0) await client.zAdd(key('window', window), members, ifNew)
        }),
      count: (window, windowMs) =>
        run((client) => client.zCount(key('window', window), `(${now() - windowMs}`, '+inf')),
    },
    leases: {
      take: async (lease, holder, ttlMs) =>
        (await evaluate(takeLease, [key('lease', lease)], [time(), holder, String(ttlMs)])) === 1,
      release: async (lease, holder) =>
        void (await evaluate(releaseLease, [key('lease', lease)], [holder])),
    },
    version: () => undefined,
    otherHosts: async (bucket, except) =>
      (await sitesInRedis(shared, bucket)).filter((each) => each !== name && !except?.has(each)),
    snapshot: () => redisSnapshot(connection, now()),
    replace: (items, condition) => replaceInRedis(connection, items, { ...condition, now: now() }),
    async [Symbol.asyncDispose]() {},
  }
}

function documentFrom(stored: string | null, now: number): Document | undefined {
  const { value, revision } = readStored(stored, now) ?? {}
  return value === undefined || revision === undefined ? undefined : { value, revision }
}
