import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parsedJson } from '../json.ts'
import { moveIntoPlace } from './private-files.ts'
import { diskFullError } from './data-directory.ts'
import { markFrom, revisionOf, storedMark, type KeptBucket, type Mark } from './kept-buckets.ts'

/*
 * A file in the data directory that lists the kept buckets that a site has had in Redis. If all
 * processes start again after Redis has lost its data, nothing else shows that there was any. Each
 * host has such a file for every site, because it may be the next one to serve it.
 */

/**
 * Buckets whose latest mark is recorded, because an earlier state could make private feeds public, or
 * reopen links.
 */
export const exactBuckets: readonly string[] = ['settings', 'links']

/** Name under which the revision of each document of a bucket is recorded. */
const revisionsName = (bucket: string) => `revisions of ${bucket}`

const revisions = z.record(z.string(), z.number())

const record = z.record(z.string(), z.string())

export type KeptRecord = {
  /** Returns the recorded mark of a bucket, with the revision 0 if only its existence is known. */
  readonly markOf: (bucket: string) => Mark | undefined
  /** Returns the documents of which a bucket has only an earlier state than the recorded one. */
  readonly outdatedIn: (bucket: string, documents: KeptBucket['documents']) => readonly string[]
  /** Records the buckets that exist. Throws a `StoreError` if that fails. */
  readonly save: (buckets: ReadonlyMap<string, KeptBucket>) => void
}

export function keptRecordFile(directory: string, name: string): string {
  return join(directory, `${name.replaceAll(':', '_')}.kept.json`)
}

function recordIn(file: string): z.infer<typeof record> {
  if (!existsSync(file)) return {}
  return record.safeParse(parsedJson(readFileSync(file, 'utf8'))).data ?? {}
}

export function openKeptRecord(file: string): KeptRecord {
  let latest = recordIn(file)
  return {
    markOf(bucket) {
      const recorded = latest[bucket]
      return recorded === undefined ? undefined : markFrom(recorded)
    },
    outdatedIn(bucket, documents) {
      const { data } = revisions.safeParse(parsedJson(latest[revisionsName(bucket)] ?? ''))
      if (!data) return []
      return [...documents].flatMap(([id, text]) =>
        // A document that is not recorded has been deleted since.
        revisionOf(text) < (data[id] ?? Infinity) ? [id] : [],
      )
    },
    save(buckets) {
      const recorded = [...buckets]
        .filter(([, { origin }]) => origin !== '')
        .flatMap(([bucket, kept]) =>
          exactBuckets.includes(bucket)
            ? [
                [bucket, storedMark(kept)] as const,
                [revisionsName(bucket), revisionsIn(kept)] as const,
              ]
            : [[bucket, ''] as const],
        )
      if (recorded.every(([name, text]) => latest[name] === text)) return
      // Another worker may have changed the file.
      latest = { ...recordIn(file), ...Object.fromEntries(recorded) }
      replaceFile(file, JSON.stringify(latest))
    },
  }
}

function revisionsIn({ documents }: KeptBucket): string {
  const all = [...documents].map(([id, text]) => [id, revisionOf(text)] as const)
  return JSON.stringify(Object.fromEntries(all))
}

/** Replaces a file. Throws a `StoreError` if that fails. */
export function replaceFile(file: string, text: string): void {
  // Replicas on the same machine can share the directory.
  const part = `${file}.${randomUUID()}.part`
  try {
    writeFileSync(part, text, { mode: 0o600 })
    moveIntoPlace(part, file)
  } catch (error) {
    throw diskFullError(undefined, { cause: error })
  }
}
