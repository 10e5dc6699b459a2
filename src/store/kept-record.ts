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
  /**
   * Returns the revision of a bucket's mark in the site's other kind of store, or 0 if it is unknown.
   * A store with an earlier one is not the one that has been used last.
   */
  readonly otherRevisionOf: (bucket: string) => number
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

/** Record of a site's other kind of store, which may have been used until now. */
type OtherRecord = {
  readonly file: string
  /** True if the store that is opened has no data. */
  readonly isFormer: boolean
}

/** Returns the record of a store of which only the existence of its buckets is known. */
function bucketsIn(known: z.infer<typeof record>): z.infer<typeof record> {
  return Object.fromEntries(keptBuckets.filter((name) => name in known).map((name) => [name, '']))
}

/**
 * Opens a record, or creates it from the one of the site's former store, because data that was there
 * must not seem to have never existed. Throws a `StoreError` if a record is damaged.
 */
export function openKeptRecord(file: string, other?: OtherRecord): KeptRecord {
  let latest: z.infer<typeof record> = recordIn(file) ?? {}
  const others = (other && recordIn(other.file)) ?? {}
  if (other?.isFormer && existsSync(other.file) && !existsSync(file)) {
    latest = bucketsIn(others)
    replaceFile(file, JSON.stringify(latest))
  }
  const otherRevisionOf = (bucket: string) => markFrom(others[bucket]).revision
  return {
    otherRevisionOf,
    markOf(bucket) {
      const recorded = latest[bucket]
      return recorded === undefined ? undefined : markFrom(recorded)
    },
    outdatedIn(bucket, documents) {
      const isOlder = markFrom(latest[bucket]).revision < otherRevisionOf(bucket)
      const known = (isOlder ? [latest, others] : [latest])
        .map((each) => revisionsFrom(each[revisionsName(bucket)] ?? ''))
        .filter((revisions) => revisions !== undefined)
      return [...documents].flatMap(([id, text]) =>
        // A document that is not recorded has been deleted since.
        known.some((revisions) => revisionOf(text) < (revisions[id] ?? Infinity)) ? [id] : [],
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

/** A bucket in the store that is open, with the revision 0 if it has no mark. */
type StoredState = { readonly bucket: string; readonly revision: number; readonly now: number }

/** Returns a revision that is later than that of all earlier states of a bucket, in any store. */
export function restoredRevision(
  record: KeptRecord | undefined,
  { bucket, revision, now }: StoredState,
): number {
  const recorded = record?.markOf(bucket)?.revision ?? 0
  const other = record?.otherRevisionOf(bucket) ?? 0
  return Math.max(now, revision + 1, recorded, other + 1)
}

/**
 * Returns the revision of a bucket that has been accepted after a loss. If the other kind of store has
 * a later state, it gets the same revision instead of a later one. Otherwise, that store would count as
 * the older one after a wrong `REDIS_URL` has been corrected.
 */
export function acceptedRevision(record: KeptRecord | undefined, stored: StoredState): number {
  const { bucket, revision } = stored
  const other = record?.otherRevisionOf(bucket) ?? 0
  const isOlder = other > Math.max(revision, record?.markOf(bucket)?.revision ?? 0)
  return isOlder ? other : restoredRevision(record, stored)
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
