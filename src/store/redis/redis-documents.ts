import type { Document, Documents, Expected, Write } from '../store.ts'
import { bucketFrom, isKnown, keptBuckets, markFrom, markId } from '../kept-buckets.ts'
import {
  changing,
  createKeptMemory,
  createKnownBuckets,
  maxAttempts,
  type KeptMemory,
} from './known-buckets.ts'
import * as scripts from './redis-scripts.ts'
import type { SiteConnection } from './site-connection.ts'

/** Documents of a site in Redis. Buckets that must not get lost are written back if they are. */
export function documentsInRedis(
  connection: SiteConnection,
  now: () => number,
  memory: KeptMemory = createKeptMemory(),
): Documents & { readonly keep: () => Promise<readonly string[]> } {
  const { run, evaluate, key, write, bucketKey, fieldsOf } = connection
  const known = createKnownBuckets(connection, now, memory)

  /** Writes once. Resolves to undefined if a kept bucket has been lost. */
  async function written(writes: readonly Write[], expected: Expected | undefined) {
    const named = [...writes, ...(expected ? [expected] : [])].map(({ bucket }) => bucket)
    const kept = keptBuckets.filter((bucket) => named.includes(bucket))
    for (const bucket of kept) if (!known.get(bucket)) await known.load(bucket)
    const changed = kept.filter((name) => writes.some(({ bucket }) => bucket === name))
    const marks = kept.flatMap((bucket) => {
      const { origin = '', revision = 0 } = known.get(bucket) ?? {}
      const next = changed.includes(bucket) ? known.nextMark(bucket, writes) : ['', '0']
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
      const own = writes.filter((one) => one.bucket === bucket)
      const mark = markFrom(String(reply[1 + kept.indexOf(bucket)]))
      await known.wrote(bucket, mark, { writes: own, now: at })
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
        return await client.hmGet(bucketKey(bucket), [id, markId])
      })
      if (known.isIntact(bucket, markFrom(mark))) return documentFrom(text ?? null, now())
      return documentFrom((await known.load(bucket)).documents.get(id) ?? null, now())
    },
    async all(bucket) {
      const fields = await fieldsOf(bucket)
      const read = bucketFrom(fields, now())
      const stored = keptBuckets.includes(bucket)
        ? ((await known.settled(bucket, read)) ?? (await known.load(bucket)))
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
        for (const bucket of keptBuckets) if (named.includes(bucket)) await known.load(bucket)
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
        if (!known.isUpToDate(bucket, markFrom(marks[index]))) await known.load(bucket)
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
