import { randomUUID } from 'node:crypto'
import { isAcceptance } from '../losses.ts'
import { StoreError } from '../store-error.ts'
import type { Write } from '../store.ts'
import {
  bucketFrom,
  follows,
  isKnown,
  isLostBucket,
  markId,
  newOrigin,
  restoredBucket,
  restoredOrigin,
  storedMark,
  writtenBucket,
  type KeptBucket,
  type Mark,
} from '../kept-buckets.ts'
import { acceptedRevision, restoredRevision, type KeptRecord } from '../kept-record.ts'
import type { SiteConnection } from './site-connection.ts'

/** Contents of a site's kept buckets, which all stores of the site in this process remember. */
export type KeptMemory = {
  readonly id: string
  readonly buckets: Map<string, KeptBucket>
  /** When each bucket was last read as a whole, in milliseconds since the epoch. */
  readonly readAt: Map<string, number>
  /** Buckets that have been lost and written back since the last check. */
  readonly restored: Set<string>
  /** Buckets that have been lost, and that no process has written back yet. */
  readonly lost: Set<string>
  /** Buckets that existed before this process started. */
  readonly record: KeptRecord | undefined
  /** What this process has last said that it remembers, and when. */
  announced: { readonly text: string; readonly at: number }
}

export function createKeptMemory(record?: KeptRecord): KeptMemory {
  return {
    id: randomUUID(),
    buckets: new Map(),
    readAt: new Map(),
    restored: new Set(),
    lost: new Set(),
    record,
    announced: { text: '', at: 0 },
  }
}

/** Large buckets that change with every message or request are read less often. */
export const largeBuckets: readonly string[] = ['followers', 'link-uses']
const rereadLargeMs = 30_000

/** Other processes may change a bucket at the same time, but not this often. */
export const maxAttempts = 10

export type KnownBuckets = {
  readonly get: (bucket: string) => KeptBucket | undefined
  /** Reads a bucket, and writes it back if it has been lost. */
  readonly load: (bucket: string) => Promise<KeptBucket>
  /**
   * Remembers a bucket as stored. Writes it back if it has been lost. Resolves to undefined if another
   * process has changed it at the same time.
   */
  readonly settled: (bucket: string, stored: KeptBucket) => Promise<KeptBucket | undefined>
  /** Returns true if there is nothing new in a bucket, or nothing that is urgent. */
  readonly isUpToDate: (bucket: string, mark: Mark) => boolean
  /** Returns true if nothing remembered has been lost from a bucket with this mark. */
  readonly isIntact: (bucket: string, mark: Mark) => boolean
  /** Returns the origin and the least revision of a bucket's mark after these writes. */
  readonly nextMark: (bucket: string, writes: readonly Write[]) => readonly [string, string]
  /** Remembers writes to a bucket that the store has confirmed. */
  readonly wrote: (
    bucket: string,
    mark: Mark,
    written: { readonly writes: readonly Write[]; readonly now: number },
  ) => Promise<void>
}

/** Remembers kept buckets, and writes lost ones back. */
export function createKnownBuckets(
  connection: SiteConnection,
  now: () => number,
  memory: KeptMemory,
): KnownBuckets {
  const { run, key, bucketKey, fieldsOf } = connection
  const { buckets: held } = memory

  /** Finds out whether a bucket, of which nothing is remembered, has been lost. */
  async function examine(bucket: string, stored: KeptBucket): Promise<void> {
    const listed = await run(async (client) => await client.sMembers(key('kept')))
    const isListed = listed.includes(bucketKey(bucket))
    const recorded = memory.record?.markOf(bucket)
    const otherRevision = memory.record?.otherRevisionOf(bucket) ?? 0
    if (isLostBucket(stored, { isListed, recorded, otherRevision })) memory.lost.add(bucket)
    else memory.lost.delete(bucket)
  }

  /** Remembers a bucket, unless something newer has been remembered in the meantime. */
  function remembered(bucket: string, known: KeptBucket | undefined, latest: KeptBucket) {
    if (held.get(bucket) !== known) return undefined
    held.set(bucket, latest)
    return latest
  }

  async function settled(bucket: string, stored: KeptBucket): Promise<KeptBucket | undefined> {
    const known = held.get(bucket)
    // Earlier versions have stored no mark.
    const isMarked = stored.origin !== '' || stored.documents.size === 0
    if (isMarked && (!known || follows(stored, known))) {
      if (!known || memory.lost.has(bucket)) await examine(bucket, stored)
      return remembered(bucket, known, stored)
    }
    const isLost = known !== undefined && known.origin !== ''
    const restored = isLost
      ? restoredBucket(withoutOld(known, now()), stored)
      : { ...stored, origin: newOrigin(now()), revision: now() }
    if (restored !== stored) {
      const reply = await connection.restore(bucket, storedMark(stored), [
        [markId, storedMark(restored)],
        ...[...restored.documents].filter(([id, text]) => stored.documents.get(id) !== text),
      ])
      if (!reply) return undefined
      if (isLost) memory.restored.add(bucket)
    }
    // Another process may have written it back.
    if (memory.lost.has(bucket)) await examine(bucket, restored)
    return remembered(bucket, known, restored)
  }

  async function load(bucket: string): Promise<KeptBucket> {
    memory.readAt.set(bucket, now())
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const loaded = await settled(bucket, bucketFrom(await fieldsOf(bucket), now()))
      if (loaded) return loaded
    }
    throw changing(connection.address)
  }

  function isUpToDate(bucket: string, mark: Mark): boolean {
    const known = held.get(bucket)
    if (known?.origin === mark.origin && known.revision === mark.revision) return true
    const isRecent = Math.abs(now() - (memory.readAt.get(bucket) ?? 0)) < rereadLargeMs
    return largeBuckets.includes(bucket) && isRecent && isIntact(bucket, mark)
  }

  const isIntact = (bucket: string, mark: Mark) => {
    const known = held.get(bucket)
    return known !== undefined && follows(mark, known)
  }

  return {
    get: (bucket) => held.get(bucket),
    load,
    settled,
    isUpToDate,
    isIntact,
    nextMark: (bucket, writes) => nextMarkOf(memory, bucket, { writes, now: now() }),
    async wrote(bucket, mark, written) {
      memory.lost.delete(bucket)
      const known = held.get(bucket)
      const isSame = known?.origin === '' || known?.origin === mark.origin
      const isOnlyChange = isSame && mark.revision === known.revision + 1
      if (isOnlyChange) held.set(bucket, writtenBucket(known, mark, written))
      else await load(bucket)
    },
  }
}

/** See `KnownBuckets`. */
function nextMarkOf(
  { buckets, record }: KeptMemory,
  bucket: string,
  { writes, now }: { readonly writes: readonly Write[]; readonly now: number },
): readonly [string, string] {
  const { origin = '', revision = 0 } = buckets.get(bucket) ?? {}
  const known = { bucket, revision, now }
  if (writes.some((write) => isAcceptance(write, bucket))) {
    const accepted = String(acceptedRevision(record, known))
    return [origin === '' ? newOrigin(now) : restoredOrigin(origin), accepted]
  }
  if (origin !== '') return [origin, '0']
  // Otherwise, a command's write would hide that the other documents have been lost.
  const recorded = record?.markOf(bucket)
  if (recorded?.origin) return [recorded.origin, '0']
  const isInOther = (record?.otherRevisionOf(bucket) ?? 0) > 0
  return [newOrigin(now), isInOther ? '0' : String(restoredRevision(record, known))]
}

function withoutOld(bucket: KeptBucket, now: number): KeptBucket {
  const kept = [...bucket.documents].filter(([, text]) => isKnown(text, now))
  return { ...bucket, documents: new Map(kept) }
}

export function changing(address: string): StoreError {
  const sentence = `The data in Redis at ${address} is changing too fast. Try again later.`
  return new StoreError('unreachable', sentence)
}
