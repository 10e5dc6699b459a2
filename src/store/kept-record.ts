import { randomUUID } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parsedJson } from '../json.ts'
import { diskFullError } from './data-directory.ts'
import {
  keptBuckets,
  markFrom,
  revisionOf,
  storedMark,
  type KeptBucket,
  type Mark,
} from './kept-buckets.ts'
import { moveIntoPlace } from './private-files.ts'
import { StoreError } from './store-error.ts'

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
  /** Returns false if somebody has deleted the file. */
  readonly isInPlace: () => boolean
  /** Records the buckets that exist. Throws a `StoreError` if that fails. */
  readonly save: (buckets: ReadonlyMap<string, KeptBucket>) => void
}

export function keptRecordFile(directory: string, name: string): string {
  return join(directory, `${name.replaceAll(':', '_')}.kept.json`)
}

/** Returns undefined if there is no file. Throws a `StoreError` if it is damaged. */
function recordIn(file: string): z.infer<typeof record> | undefined {
  if (!lstatSync(file, { throwIfNoEntry: false })) return undefined
  // A link to nothing is damage, too.
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const { data } = record.safeParse(parsedJson(text))
  const isWhole = data && exactBuckets.every((bucket) => isReadable(data, bucket))
  if (isWhole) return data
  throw new StoreError(
    'unusable',
    `The record ${file}, which shows whether the store has lost changes, is damaged. Delete it. If the store may be older than the record, restore a backup before you start Feedhouse.`,
  )
}

function isReadable(data: z.infer<typeof record>, bucket: string): boolean {
  const { [bucket]: mark = '', [revisionsName(bucket)]: known = '{}' } = data
  return (mark === '' || markFrom(mark).origin !== '') && revisionsFrom(known) !== undefined
}

function revisionsFrom(text: string): Readonly<Record<string, number>> | undefined {
  return revisions.safeParse(parsedJson(text)).data
}

/** Returns what is known of a site that has used another kind of store until now. */
function recordOfFormer(file: string): z.infer<typeof record> | undefined {
  const known = recordIn(file)
  if (!known) return undefined
  return Object.fromEntries(keptBuckets.filter((name) => name in known).map((name) => [name, '']))
}

/**
 * Opens a record, or creates it from the one of the site's former store at `formerFile`, because data
 * that was there must not seem to have never existed. Throws a `StoreError` if a record is damaged.
 */
export function openKeptRecord(file: string, formerFile?: string): KeptRecord {
  let latest: Readonly<Record<string, string>> = recordIn(file) ?? {}
  const former = formerFile !== undefined && !existsSync(file) && recordOfFormer(formerFile)
  if (former) {
    latest = former
    replaceFile(file, JSON.stringify(latest))
  }
  return {
    markOf(bucket) {
      const recorded = latest[bucket]
      return recorded === undefined ? undefined : markFrom(recorded)
    },
    outdatedIn(bucket, documents) {
      const known = revisionsFrom(latest[revisionsName(bucket)] ?? '')
      if (!known) return []
      return [...documents].flatMap(([id, text]) =>
        // A document that is not recorded has been deleted since.
        revisionOf(text) < (known[id] ?? Infinity) ? [id] : [],
      )
    },
    isInPlace: () => existsSync(file),
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
      const isSame = recorded.every(([name, text]) => latest[name] === text)
      if (isSame && (recorded.length === 0 || existsSync(file))) return
      // Another worker may have changed the file, or somebody may have deleted it.
      latest = { ...(recordIn(file) ?? latest), ...Object.fromEntries(recorded) }
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
