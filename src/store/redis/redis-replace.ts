import { randomUUID } from 'node:crypto'
import type { SiteConnection } from './redis-connection.ts'
import { hasWritten, schemaVersion } from './redis-schema.ts'
import { replaceDocuments } from './redis-scripts.ts'
import { placesOf, temporaryMs } from './redis-snapshot.ts'
import { StoreError } from '../store-error.ts'
import { isDocument, type ReplaceCondition, type StoredItem } from '../store.ts'

/** New data for a bucket or window, under a temporary key. */
type Waiting = { readonly at: string; size: number }

/** Writes everything to temporary keys that expire, then moves it into place atomically. */
export async function replaceInRedis(
  connection: SiteConnection,
  items: AsyncIterable<StoredItem>,
  { emptyBucket, expected, now }: ReplaceCondition & { readonly now: number },
): Promise<boolean> {
  const { client, run, key, evaluate, address } = connection
  const buckets = new Map<string, Waiting>()
  const windows = new Map<string, Waiting>()
  const prefix = key('restoring', randomUUID())
  try {
    for await (const item of items) await put(connection, { item, buckets, windows, prefix })
    const present = (await placesOf(connection)).filter(({ kind }) => kind === 'documents')
    const inPlace = present.map((place) => place.key)
    const empty =
      emptyBucket === undefined
        ? [...new Set([...inPlace, ...[...buckets.keys()].map((name) => key('documents', name))])]
        : [key('documents', emptyBucket)]
    const waiting = [...buckets.values(), ...windows.values()]
    const moves = [
      ...[...buckets].flatMap(([name, { at }]) => [at, key('documents', name)]),
      ...[...windows].flatMap(([name, { at }]) => [at, key('window', name)]),
    ]
    const keys = [
      key('schema'),
      key('documents', expected?.bucket ?? ''),
      ...empty,
      ...inPlace,
      ...moves,
    ]
    const args = [
      String(now),
      expected?.id ?? '',
      String(expected?.revision ?? ''),
      schemaVersion,
      ...[empty.length, inPlace.length, buckets.size].map(String),
      ...waiting.map(({ size }) => String(size)),
    ]
    const reply = await evaluate(replaceDocuments, keys, args)
    if (reply === -2) {
      throw new StoreError(
        'full',
        `Redis at ${address} lost data while it was being written; check its memory limit.`,
      )
    }
    return hasWritten(connection, reply)
  } finally {
    const left = [...buckets.values(), ...windows.values()].map(({ at }) => at)
    if (left.length > 0) await run(async () => await client.unlink(left))
  }
}

async function put(
  { client, run }: SiteConnection,
  {
    item,
    buckets,
    windows,
    prefix,
  }: {
    readonly item: StoredItem
    readonly buckets: Map<string, Waiting>
    readonly windows: Map<string, Waiting>
    readonly prefix: string
  },
): Promise<void> {
  const [places, name] = isDocument(item) ? [buckets, item.bucket] : [windows, item.window]
  const place = places.get(name) ?? {
    at: `${prefix}:${isDocument(item) ? 'documents' : 'window'}:${name}`,
    size: 0,
  }
  const isNew = !places.has(name)
  places.set(name, place)
  place.size += await run(async () => {
    if (!isDocument(item)) {
      return client.zAdd(place.at, { value: item.id, score: Math.floor(item.at) })
    }
    const { id, value, revision, expiresAt = '' } = item
    return client.hSet(place.at, id, `${revision}:${expiresAt}:${value}`)
  })
  if (isNew) await run(async () => await client.pExpire(place.at, temporaryMs))
}
