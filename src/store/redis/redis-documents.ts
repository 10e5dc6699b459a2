import { isAcceptance } from '../losses.ts'
import { StoreError } from '../store-error.ts'
import type { Document, Documents, Expected, Write } from '../store.ts'
import {
  bucketFrom,
  follows,
  isLostBucket,
  isKnown,
  keptBuckets,
  markFrom,
  restoredBucket,
  restoredOrigin,
  newOrigin,
  storedMark,
  writtenBucket,
  type KeptBucket,
  type Mark,
} from './kept-buckets.ts'
import type { KeptRecord } from './kept-record.ts'
import * as scripts from './redis-scripts.ts'
import type { SiteConnection } from './site-connection.ts'

/** Contents of a site's kept buckets, which all stores of the site in this process remember. */
export type KeptMemory = {
  readonly buckets: Map<string, KeptBucket>
  /** When each bucket was last read as a whole, in milliseconds since the epoch. */
  readonly readAt: Map<string, number>
  /** Buckets that have been lost and written back since the last check. */
  readonly restored: Set<string>
  /** Buckets that have been lost, and that no process has written back yet. */
  readonly lost: Set<string>
  /** Buckets that existed before this process started. */
  readonly record: KeptRecord | undefined
}

export function createKeptMemory(record?: KeptRecord): KeptMemory {
  return {
    buckets: new Map(),
    readAt: new Map(),
    restored: new Set(),
    lost: new Set(),
    record,
  }
}

/** Large buckets that change with every message or request are read less often. */
const largeBuckets: readonly string[] = ['followers', 'link-uses']
const rereadLargeMs = 30_000

/** Other processes may change a bucket at the same time, but not this often. */
const maxAttempts = 10

/** Documents of a site in Redis. Buckets that must not get lost are written back if they are. */
export function documentsInRedis(
  connection: SiteConnection,
  now: () => number,
  memory: KeptMemory = createKeptMemory(),
): Documents & { readonly keep: () => Promise<readonly string[]> } {
  const { run, evaluate, key, write } = connection
  const { buckets: held } = memory
  const bucketKey = (bucket: string) => key('documents', bucket)
  const fieldsOf = (bucket: string) =>
    run(async (client) => client.hGetAll(bucketKey(bucket)) as Promise<Record<string, string>>)

  const withoutOld = (bucket: KeptBucket): KeptBucket => ({
    ...bucket,
    documents: new Map([...bucket.documents].filter(([, text]) => isKnown(text, now()))),
  })

  /** Finds out whether a bucket, of which nothing is remembered, has been lost. */
  async function examine(bucket: string, stored: KeptBucket): Promise<void> {
    const listed = await run(async (client) => await client.sMembers(key('kept')))
    const isListed = listed.includes(bucketKey(bucket))
    const recorded = memory.record?.markOf(bucket)
    if (isLostBucket(stored, { isListed, recorded })) memory.lost.add(bucket)
    else memory.lost.delete(bucket)
  }

  /** Remembers a bucket, unless something newer has been remembered in the meantime. */
  function remembered(bucket: string, known: KeptBucket | undefined, latest: KeptBucket) {
    if (held.get(bucket) !== known) return undefined
    held.set(bucket, latest)
    return latest
  }

  /** Remembers a bucket as stored. Writes it back if it has been lost. */
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
      ? restoredBucket(withoutOld(known), stored)
      : { ...stored, origin: newOrigin(now()), revision: now() }
    if (restored !== stored) {
      const reply = await connection.restore(bucket, storedMark(stored), [
        [scripts.markId, storedMark(restored)],
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

  /** Returns true if there is nothing new in a bucket, or nothing that is urgent. */
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

  /** Returns the origin and the least revision of a bucket's mark after these writes. */
  function nextMark(bucket: string, writes: readonly Write[]): readonly [string, string] {
    const { origin = '' } = held.get(bucket) ?? {}
    const recorded = memory.record?.markOf(bucket)
    const isAccepted = writes.some((write) => isAcceptance(write, bucket))
    const latest = String(Math.max(now(), recorded?.revision ?? 0))
    if (isAccepted) return [origin === '' ? newOrigin(now()) : restoredOrigin(origin), latest]
    if (origin !== '') return [origin, '0']
    // Otherwise, a command's write would hide that the other documents have been lost.
    return recorded?.origin ? [recorded.origin, '0'] : [newOrigin(now()), latest]
  }

  /** Writes once. Resolves to undefined if a kept bucket has been lost. */
  async function written(writes: readonly Write[], expected: Expected | undefined) {
    const named = [...writes, ...(expected ? [expected] : [])].map(({ bucket }) => bucket)
    const kept = keptBuckets.filter((bucket) => named.includes(bucket))
    for (const bucket of kept) if (!held.has(bucket)) await load(bucket)
    const changed = kept.filter((name) => writes.some(({ bucket }) => bucket === name))
    const marks = kept.flatMap((bucket) => {
      const { origin = '', revision = 0 } = held.get(bucket) ?? {}
      const next = changed.includes(bucket) ? nextMark(bucket, writes) : ['', '0']
      return [origin, String(revision), ...next]
    })
    const at = now()
    const reply = await write(
      scripts.writeDocuments,
      { expected, now: at },
      [key('kept'), ...kept.map(bucketKey), ...writes.map(({ bucket }) => bucketKey(bucket))],
      [String(kept.length), ...marks, ...writes.flatMap(argumentsOf)],
    )
    if (reply === lostReply) return undefined
    if (!Array.isArray(reply)) return false
    for (const bucket of changed) {
      memory.lost.delete(bucket)
      const mark = markFrom(String(reply[1 + kept.indexOf(bucket)]))
      const known = held.get(bucket)
      const own = writes.filter((one) => one.bucket === bucket)
      const isSame = known?.origin === '' || known?.origin === mark.origin
      const isOnlyChange = isSame && mark.revision === known.revision + 1
      if (isOnlyChange) held.set(bucket, writtenBucket(known, mark, { writes: own, now: at }))
      else await load(bucket)
    }
    return true
  }

  return {
    async get(bucket, id) {
      if (!keptBuckets.includes(bucket)) {
        const text = await run(async (client) => await client.hGet(bucketKey(bucket), id))
        return documentFrom(text, now())
      }
      const [text, mark] = await run(async (client) => {
        return await client.hmGet(bucketKey(bucket), [id, scripts.markId])
      })
      if (isIntact(bucket, markFrom(mark))) return documentFrom(text ?? null, now())
      return documentFrom((await load(bucket)).documents.get(id) ?? null, now())
    },
    async all(bucket) {
      const fields = await fieldsOf(bucket)
      const read = bucketFrom(fields, now())
      const stored = keptBuckets.includes(bucket)
        ? ((await settled(bucket, read)) ?? (await load(bucket)))
        : read
      const found = [...stored.documents].map(
        ([id, text]) => [id, documentFrom(text, now())] as const,
      )
      const gone = Object.entries(fields).flatMap(([id, text]) =>
        isKnown(text, now()) ? [] : [id],
      )
      if (gone.length > 0) {
        await evaluate(scripts.deleteExpired, [bucketKey(bucket)], [String(now()), ...gone])
      }
      return new Map(found.flatMap(([id, document]) => (document ? [[id, document]] : [])))
    },
    async write(writes, expected) {
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        const isWritten = await written(writes, expected)
        if (isWritten !== undefined) return isWritten
        const named = [...writes, ...(expected ? [expected] : [])].map(({ bucket }) => bucket)
        for (const bucket of keptBuckets) if (named.includes(bucket)) await load(bucket)
      }
      throw changing(connection.address)
    },
    /**
     * Learns of changes by other processes, and writes lost buckets back. Resolves to the buckets
     * that were lost since the last call.
     */
    async keep() {
      const marks = (await evaluate(scripts.readMarks, keptBuckets.map(bucketKey), [])) as string[]
      for (const [index, bucket] of keptBuckets.entries()) {
        if (!isUpToDate(bucket, markFrom(marks[index]))) await load(bucket)
      }
      const restored = [...memory.restored]
      memory.restored.clear()
      return restored
    },
  }
}

const lostReply = -3

function argumentsOf({ id, value, expiresAt }: Write): readonly string[] {
  return [id, value === undefined ? '0' : '1', String(expiresAt ?? ''), value ?? '']
}

function changing(address: string): StoreError {
  const sentence = `The data in Redis at ${address} is changing too fast. Try again later.`
  return new StoreError('unreachable', sentence)
}

/** Parses a stored document. Returns undefined if it is missing or has expired. */
export function readStored(stored: string | null, now: number) {
  const [head = '', revision, expiry] = /^(\d+):(\d*):/.exec(stored ?? '') ?? []
  const hasExpired = expiry && Number(expiry) <= now
  if (stored === null || head === '' || hasExpired) return undefined
  const document = { value: stored.slice(head.length), revision: Number(revision) }
  return expiry ? { ...document, expiresAt: Number(expiry) } : document
}

function documentFrom(stored: string | null, now: number): Document | undefined {
  const { value, revision } = readStored(stored, now) ?? {}
  return value === undefined || revision === undefined ? undefined : { value, revision }
}
