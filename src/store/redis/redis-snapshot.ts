import { randomUUID } from 'node:crypto'
import type { SiteConnection } from './redis-connection.ts'
import { copyKeys } from './redis-scripts.ts'
import { StoreError } from '../store-error.ts'
import { maxWindowMs, type StoredDocument, type StoredItem } from '../store.ts'

/** Lifetime of temporary keys, so that they are deleted even if the process is killed. */
export const temporaryMs = 60 * 60 * 1000

/**
 * Maximum number of attempts to copy. New buckets and windows are rare, so a few attempts are
 * enough.
 */
const attempts = 5
const keysPerScan = 1_000

const kinds = ['documents', 'window'] as const

/** A bucket or window and its key. */
type Place = { readonly kind: (typeof kinds)[number]; readonly name: string; readonly key: string }

/**
 * Takes a snapshot by copying all keys atomically inside Redis, then reads the copies document by
 * document to limit memory.
 */
export async function* redisSnapshot(
  connection: SiteConnection,
  now: number,
): AsyncGenerator<StoredItem> {
  const { client, run, key } = connection
  const prefix = key('snapshot', randomUUID())
  try {
    for (const { place, copy, size } of await copies(connection, prefix)) {
      let count = 0
      const items = place.kind === 'documents' ? documentsIn : eventsIn
      for await (const item of items(connection, place.name, copy)) {
        count += 1
        if (isPresent(item, now)) yield item
      }
      if (count !== size) throw lostCopy(connection)
    }
  } finally {
    const left = await keysLike(connection, prefix)
    if (left.length > 0) await run(async () => await client.unlink(left))
  }
}

/** Lists a site's buckets and windows. May miss any that are created while it runs. */
export async function placesOf(connection: SiteConnection): Promise<readonly Place[]> {
  const places = await Promise.all(
    kinds.map(async (kind) => {
      const prefix = connection.key(kind, '')
      const keys = await keysLike(connection, prefix)
      return keys.map((key) => ({ kind, name: key.slice(prefix.length), key }))
    }),
  )
  return places.flat()
}

/** Parses a stored document. Returns undefined if it is missing or has expired. */
export function readStored(
  stored: string | null,
  now: number,
): Pick<StoredDocument, 'value' | 'revision' | 'expiresAt'> | undefined {
  const [head = '', revision, expiry] = /^(\d+):(\d*):/.exec(stored ?? '') ?? []
  if (stored === null || head === '') return undefined
  const expiresAt = expiry ? { expiresAt: Number(expiry) } : {}
  const document = { value: stored.slice(head.length), revision: Number(revision), ...expiresAt }
  return (document.expiresAt ?? Infinity) <= now ? undefined : document
}

/** Lists buckets before and after copying, to include those created in between. */
async function copies(connection: SiteConnection, prefix: string) {
  let places = await placesOf(connection)
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const copied = places.map((place, index) => ({ place, copy: `${prefix}:${attempt}:${index}` }))
    const keys = [...copied.map(({ place }) => place.key), ...copied.map(({ copy }) => copy)]
    const sizes = (await connection.evaluate(copyKeys, keys, [String(temporaryMs)])) as number[]
    const after = await placesOf(connection)
    const known = new Set(places.map(({ key }) => key))
    if (after.every(({ key }) => known.has(key))) {
      return copied.map((one, index) => ({ ...one, size: sizes[index] ?? 0 }))
    }
    places = after
  }
  throw new StoreError(
    'unreachable',
    `The data in Redis at ${connection.address} changes too fast to copy. Try again later.`,
  )
}

type Found = StoredItem | 'gone'

async function* documentsIn(
  { client, run }: SiteConnection,
  bucket: string,
  copy: string,
): AsyncGenerator<Found> {
  for (const id of await run(async () => await client.hKeys(copy))) {
    const stored = await run(async () => await client.hGet(copy, id))
    const document = readStored(stored, -Infinity)
    yield document ? { bucket, id, ...document } : 'gone'
  }
}

async function* eventsIn(
  { client, run }: SiteConnection,
  window: string,
  copy: string,
): AsyncGenerator<Found> {
  const members = await run(async () => await client.zRangeWithScores(copy, 0, -1))
  for (const { value: id, score: at } of members) yield { window, id, at }
}

function isPresent(item: Found, now: number): item is StoredItem {
  if (item === 'gone') return false
  return 'at' in item ? item.at > now - maxWindowMs : (item.expiresAt ?? Infinity) > now
}

async function keysLike({ client, run }: SiteConnection, prefix: string): Promise<string[]> {
  // Escape the brackets in an IPv6 host, which would otherwise be part of the pattern.
  const MATCH = `${prefix.replaceAll(/[\\[\]*?]/g, '\\$&')}*`
  const keys: string[] = []
  const scan = client.scanIterator({ MATCH, COUNT: keysPerScan })
  for (;;) {
    const { done, value } = await run(() => scan.next())
    if (done) return [...new Set(keys)]
    keys.push(...value)
  }
}

function lostCopy({ address }: SiteConnection): StoreError {
  return new StoreError(
    'unreachable',
    `Redis at ${address} lost temporary data; check its memory limit.`,
  )
}
