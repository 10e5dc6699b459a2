import { randomUUID } from 'node:crypto'
import { systemClock } from '../../clock.ts'
import type { RedisConnection } from './redis-connection.ts'
import { emptiedMs, type RedisAge } from './redis-age.ts'
import * as scripts from './redis-scripts.ts'
import { StoreError } from '../store-error.ts'
import { keptBuckets, markFrom, markId, newOrigin } from '../kept-buckets.ts'
import { restoredRevision } from '../kept-record.ts'
import { createConfirmations } from './confirmations.ts'
import { createKeptMemory, type KeptMemory } from './known-buckets.ts'
import { documentsInRedis, readStored } from './redis-documents.ts'
import { connectionOf, type SiteConnection } from './site-connection.ts'
import {
  isDocument,
  maxWindowMs,
  type ReplaceCondition,
  type Store,
  type StoredItem,
} from '../store.ts'

export async function isStoredInRedis({ run, keyOf }: RedisConnection, name: string) {
  return (await run((client) => client.exists([keyOf(name, 'schema'), keyOf(name, 'kept')]))) > 0
}

async function sitesInRedis(
  { keysLike, keyOf }: RedisConnection,
  bucket: string,
): Promise<readonly string[]> {
  const pattern = keyOf('*', 'documents', bucket)
  const [start = '', end = ''] = pattern.split('*')
  return (await keysLike(pattern)).map((key) => key.slice(start.length, -end.length)).sort()
}

/** Opens a site's store on a shared connection, which stays open. Rejects with a `StoreError`. */
export async function redisStoreOver(
  shared: RedisConnection,
  name: string,
  now: () => number,
  memory: KeptMemory = createKeptMemory(),
): Promise<Store> {
  const connection = await connectionOf(shared, name)
  const { run, evaluate, key } = connection
  const { keep, ...documents } = documentsInRedis(connection, now, memory)
  const { announce, withdraw, confirmed } = createConfirmations(documents, memory, {
    ...systemClock,
    now,
  })
  const time = () => String(now())

  return {
    documents,
    keep,
    announce,
    withdraw,
    confirmed,
    lost: () => [...memory.lost],
    outdated: (bucket) =>
      memory.record?.outdatedIn(bucket, memory.buckets.get(bucket)?.documents ?? new Map()) ?? [],
    windows: {
      take: async (window, limits) => {
        const id = randomUUID()
        const args = limits.flatMap(({ windowMs, max }) => [String(windowMs), String(max)])
        const reply = await evaluate(
          scripts.takeFromWindow,
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
        (await evaluate(
          scripts.takeLease,
          [key('lease', lease)],
          [time(), holder, String(ttlMs)],
        )) === 1,
      release: async (lease, holder) =>
        void (await evaluate(scripts.releaseLease, [key('lease', lease)], [holder])),
    },
    version: () => undefined,
    otherHosts: async (bucket, except) =>
      (await sitesInRedis(shared, bucket)).filter((each) => each !== name && !except?.has(each)),
    snapshot: () => redisSnapshot(connection, now()),
    replace: async (items, condition) => {
      const isReplaced = await replaceInRedis(connection, items, {
        ...condition,
        memory,
        now: now(),
      })
      if (isReplaced) memory.lost.clear()
      return isReplaced
    },
    async [Symbol.asyncDispose]() {},
  }
}

/** Lifetime of temporary keys, so that they are deleted even if the process is killed. */
const temporaryMs = 60 * 60 * 1000

/** New buckets and windows are rare, so a few attempts to copy are enough. */
const maxCopyAttempts = 5

const kinds = ['documents', 'window'] as const

type Place = { readonly kind: (typeof kinds)[number]; readonly name: string; readonly key: string }

/** A temporary key with new data for a bucket or window. */
type Added = { readonly key: string; readonly kind: Place['kind']; size: number }

/** Copies all keys atomically in Redis, then reads the copies one document at a time. */
async function* redisSnapshot(connection: SiteConnection, now: number): AsyncGenerator<StoredItem> {
  const { key, keysLike, unlink } = connection
  const prefix = key('snapshot', randomUUID())
  try {
    for (const { place, copy, size } of await copies(connection, prefix)) {
      let count = 0
      const items = place.kind === 'documents' ? documentsIn : eventsIn
      for await (const item of items(connection, place.name, copy)) {
        count += 1
        if (isPresent(item, now) && item.id !== markId) yield item
      }
      if (count !== size) {
        throw new StoreError(
          'unreachable',
          `Redis at ${connection.address} lost temporary data; check its memory limit.`,
        )
      }
    }
  } finally {
    await unlink(await keysLike(beginningWith(prefix)))
  }
}

/** Lists a site's buckets and windows. May miss any that are created while it runs. */
async function placesOf({ key, keysLike }: SiteConnection): Promise<readonly Place[]> {
  const places = await Promise.all(
    kinds.map(async (kind) => {
      const prefix = key(kind, '')
      const keys = await keysLike(beginningWith(prefix))
      return keys.map((each) => ({ kind, name: each.slice(prefix.length), key: each }))
    }),
  )
  return places.flat()
}

/** Lists buckets before and after copying, to include those created in between. */
async function copies(connection: SiteConnection, prefix: string) {
  let places = await placesOf(connection)
  for (let attempt = 1; attempt <= maxCopyAttempts; attempt += 1) {
    const copied = places.map((place, index) => ({ place, copy: `${prefix}:${attempt}:${index}` }))
    const keys = [...copied.map(({ place }) => place.key), ...copied.map(({ copy }) => copy)]
    const sizes = (await connection.evaluate(scripts.copyKeys, keys, [
      String(temporaryMs),
    ])) as number[]
    const after = await placesOf(connection)
    const known = new Set(places.map(({ key }) => key))
    if (after.every(({ key }) => known.has(key))) {
      return copied.map((one, index) => ({ ...one, size: sizes[index] ?? 0 }))
    }
    places = after
  }
  throw new StoreError(
    'unreachable',
    `The data in Redis at ${connection.address} is changing too fast to copy. Try again later.`,
  )
}

async function* documentsIn({ run }: SiteConnection, bucket: string, copy: string) {
  for (const id of await run(async (client) => await client.hKeys(copy))) {
    const stored = await run(async (client) => await client.hGet(copy, id))
    const document = readStored(stored, -Infinity)
    if (document) yield { bucket, id, ...document }
  }
}

async function* eventsIn({ run }: SiteConnection, window: string, copy: string) {
  const members = await run(async (client) => await client.zRangeWithScores(copy, 0, -1))
  for (const { value: id, score: at } of members) yield { window, id, at }
}

function isPresent(item: StoredItem, now: number): boolean {
  return isDocument(item) ? (item.expiresAt ?? Infinity) > now : item.at > now - maxWindowMs
}

/** Escapes the brackets in an IPv6 host, which would otherwise be part of the pattern. */
function beginningWith(prefix: string): string {
  return `${prefix.replaceAll(/[\\[\]*?]/g, '\\$&')}*`
}

type Replacing = {
  /** Its lost buckets will not count as lost any longer. */
  readonly memory: Pick<KeptMemory, 'lost' | 'record'>
  readonly now: number
}

/** Writes everything to temporary keys that expire, then moves it into place atomically. */
async function replaceInRedis(
  connection: SiteConnection,
  items: AsyncIterable<StoredItem>,
  { emptyBucket, expected, memory, now }: ReplaceCondition & Replacing,
): Promise<boolean> {
  const { key, write, unlink, address } = connection
  const prefix = key('restoring', randomUUID())
  /** New data by the key that it will have. */
  const added = new Map<string, Added>()
  try {
    async function add(item: StoredItem): Promise<void> {
      const kind = isDocument(item) ? 'documents' : 'window'
      const target = key(kind, isDocument(item) ? item.bucket : item.window)
      const place = added.get(target) ?? { key: `${prefix}:${added.size}`, kind, size: 0 }
      added.set(target, place)
      await put(connection, place, item)
    }
    for await (const item of items) if (item.id !== markId) await add(item)
    const present = (await placesOf(connection)).filter(({ kind }) => kind === 'documents')
    const inPlace = present.map((place) => place.key)
    for (const bucket of keptBuckets) {
      const target = key('documents', bucket)
      if (!inPlace.includes(target) && !added.has(target) && !memory.lost.has(bucket)) continue
      const mark = markFrom(await connection.run((client) => client.hGet(target, markId)))
      const value = mark.origin || newOrigin(now)
      const known = { bucket, revision: mark.revision, now }
      await add({ bucket, id: markId, value, revision: restoredRevision(memory.record, known) })
      await connection.run((client) => client.sAdd(key('kept'), target))
    }
    const newOf = (kind: Place['kind']) => [...added].filter(([, each]) => each.kind === kind)
    const buckets = newOf('documents')
    const moved = [...buckets, ...newOf('window')]
    const empty =
      emptyBucket === undefined
        ? [...new Set([...inPlace, ...buckets.map(([target]) => target)])]
        : [key('documents', emptyBucket)]
    const sizes = moved.map(([, { size }]) => size)
    const reply = await write(
      scripts.replaceDocuments,
      { expected, now },
      [...empty, ...inPlace, ...moved.flatMap(([target, temporary]) => [temporary.key, target])],
      [empty.length, inPlace.length, buckets.length, ...sizes].map(String),
    )
    if (reply === -2) {
      throw new StoreError(
        'full',
        `Redis at ${address} lost data while it was being written; check its memory limit.`,
      )
    }
    return reply === 1
  } finally {
    await unlink([...added.values()].map((temporary) => temporary.key))
  }
}

async function put({ run }: SiteConnection, place: Added, item: StoredItem): Promise<void> {
  const isNew = place.size === 0
  place.size += await run(async (client) => {
    if (!isDocument(item)) {
      return client.zAdd(place.key, { value: item.id, score: Math.floor(item.at) })
    }
    const { id, value, revision, expiresAt = '' } = item
    return client.hSet(place.key, id, `${revision}:${expiresAt}:${value}`)
  })
  if (isNew) await run(async (client) => await client.pExpire(place.key, temporaryMs))
}

/** How long other processes need to write back what Redis has lost. */
export const restoreMs = 6_000

/**
 * Opens a site's store on a shared connection, which stays open. If Redis has lost the site's data,
 * waits for other processes to write it back. Rejects with a `StoreError`.
 */
export async function openRedisStore(
  shared: RedisConnection,
  name: string,
  options: { readonly now: () => number; readonly memory: KeptMemory; readonly age: RedisAge },
): Promise<Store> {
  const { now, memory, age } = options
  const isRemembered = memory.buckets.size > 0
  const opened = await redisStoreOver(shared, name, now, memory)
  const keep = async () => (await opened.keep?.()) ?? []
  const store: Store = {
    ...opened,
    keep: async () => {
      const restored = await keep()
      memory.record?.save(memory.buckets)
      return restored
    },
  }
  await keep()
  if (isRemembered) return store
  const { ageMs, isEmptied } = await age.read(shared)
  const isKeyLost = memory.lost.size > 0 && ageMs > emptiedMs
  const waitMs = isKeyLost ? restoreMs : restoreMs - ageMs
  if (waitMs > 0) {
    await systemClock.sleep(waitMs)
    await keep()
  }
  // Another host may have served the site until now.
  const isMissing = [...memory.buckets.values()].every(({ origin }) => origin === '')
  if (isEmptied && isMissing) memory.lost.add('settings')
  return store
}
