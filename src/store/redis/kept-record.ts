import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parsedJson } from '../../json.ts'
import { moveIntoPlace } from '../private-files.ts'
import { diskFullError } from '../data-directory.ts'
import { markFrom, storedMark, type KeptBucket, type Mark } from './kept-buckets.ts'

/*
 * A file in the data directory that lists the kept buckets that a site has had in Redis. If all
 * processes start again after Redis has lost its data, nothing else shows that there was any.
 */

/** Bucket whose latest mark is recorded, because an earlier state could make private feeds public. */
const exactBucket = 'settings'

const record = z.record(z.string(), z.string())

export type KeptRecord = ReturnType<typeof openKeptRecord>

export function keptRecordFile(directory: string, name: string): string {
  return join(directory, `${name.replaceAll(':', '_')}.kept.json`)
}

export function openKeptRecord(file: string) {
  let latest = existsSync(file)
    ? (record.safeParse(parsedJson(readFileSync(file, 'utf8'))).data ?? {})
    : {}
  let text = JSON.stringify(latest)
  return {
    /** Returns the recorded mark of a bucket, with the revision 0 if only its existence is known. */
    markOf: (bucket: string): Mark | undefined => {
      const recorded = latest[bucket]
      return recorded === undefined ? undefined : markFrom(recorded)
    },
    /** Records the buckets that exist. Throws a `StoreError` if that fails. */
    save(buckets: ReadonlyMap<string, KeptBucket>): void {
      const present = [...buckets].filter(([, { origin }]) => origin !== '')
      const marks = present.map(([bucket, mark]) => [
        bucket,
        bucket === exactBucket ? storedMark(mark) : '',
      ])
      const next = { ...latest, ...(Object.fromEntries(marks) as typeof latest) }
      const nextText = JSON.stringify(next)
      if (nextText === text) return
      replaceFile(file, nextText)
      latest = next
      text = nextText
    },
  }
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
