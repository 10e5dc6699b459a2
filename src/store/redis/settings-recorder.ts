import { setImmediate as nextTurn } from 'node:timers/promises'
import { bucketFrom, isEarlier, markFrom, markId, storedMark, type Mark } from '../kept-buckets.ts'
import { exactBuckets, keptRecordFile, openKeptRecord } from '../kept-record.ts'
import type { RedisConnection } from './redis-connection.ts'

/**
 * Records the state of any sites' settings and links, including sites that other hosts serve.
 * Rejects with a `StoreError`.
 */
export type SettingsRecorder = (names: readonly string[]) => Promise<void>

export function createSettingsRecorder(
  { run, keyOf }: RedisConnection,
  directory: string,
): SettingsRecorder {
  const recorded = new Map<string, Mark | undefined>()

  /** Resolves to true if the file has changed. */
  async function record(name: string, bucket: string, mark: Mark): Promise<boolean> {
    if (mark.origin === '') return false
    const key = keyOf(name, 'documents', bucket)
    const file = keptRecordFile(directory, name)
    const known = recorded.get(key) ?? openKeptRecord(file).markOf(bucket)
    recorded.set(key, known)
    // An earlier state has been lost, and is noticed when the site starts.
    const isSame = known && storedMark(known) === storedMark(mark)
    if (isSame || (known && isEarlier(mark, known))) return false
    const kept = bucketFrom(await run((client) => client.hGetAll(key)), Date.now())
    openKeptRecord(file).save(new Map([[bucket, kept]]))
    recorded.set(key, kept)
    return true
  }

  return async (names) => {
    const all = names.flatMap((name) => exactBuckets.map((bucket) => ({ name, bucket })))
    const marks = await run((client) =>
      Promise.all(
        all.map(({ name, bucket }) => client.hGet(keyOf(name, 'documents', bucket), markId)),
      ),
    )
    for (const [index, { name, bucket }] of all.entries()) {
      // The first time, thousands of files may be written, so requests come first.
      if (await record(name, bucket, markFrom(marks[index]))) await nextTurn()
    }
  }
}
