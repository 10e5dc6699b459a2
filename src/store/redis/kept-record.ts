import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { parsedJson } from '../../json.ts'
import { moveIntoPlace } from '../private-files.ts'
import { diskFullError } from '../data-directory.ts'
import { isEarlier, markFrom, storedMark, type Mark } from './kept-buckets.ts'
import type { RedisConnection } from './redis-connection.ts'
import { markId } from './redis-scripts.ts'

/*
 * A file in the data directory that lists the kept buckets that a site has had in Redis. If all
 * processes start again after Redis has lost its data, nothing else shows that there was any. Each
 * host has such a file for every site, because it may be the next one to serve it.
 */

/** Bucket whose latest mark is recorded, because an earlier state could make private feeds public. */
const exactBucket = 'settings'

const record = z.record(z.string(), z.string())

export type KeptRecord = {
  /** Returns the recorded mark of a bucket, with the revision 0 if only its existence is known. */
  readonly markOf: (bucket: string) => Mark | undefined
  /** Records the buckets that exist. Throws a `StoreError` if that fails. */
  readonly save: (buckets: ReadonlyMap<string, Mark>) => void
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
    save(buckets) {
      const present = [...buckets].filter(([, { origin }]) => origin !== '')
      const marks = present.map(
        ([bucket, mark]) => [bucket, bucket === exactBucket ? storedMark(mark) : ''] as const,
      )
      if (marks.every(([bucket, mark]) => latest[bucket] === mark)) return
      // Another worker may have changed the file.
      latest = { ...recordIn(file), ...Object.fromEntries(marks) }
      replaceFile(file, JSON.stringify(latest))
    },
  }
}

/**
 * Records the state of the settings of any sites, including those that other hosts serve. Rejects with
 * a `StoreError`.
 */
export type SettingsRecorder = (names: readonly string[]) => Promise<void>

export function createSettingsRecorder(
  { run, keyOf }: RedisConnection,
  directory: string,
): SettingsRecorder {
  const recorded = new Map<string, Mark | undefined>()

  /** Returns true if the file has changed. */
  function record(name: string, mark: Mark): boolean {
    if (mark.origin === '') return false
    const file = keptRecordFile(directory, name)
    const known = recorded.get(name) ?? openKeptRecord(file).markOf(exactBucket)
    recorded.set(name, known)
    // An earlier state has been lost, and is noticed when the site starts.
    const isSame = known && storedMark(known) === storedMark(mark)
    if (isSame || (known && isEarlier(mark, known))) return false
    openKeptRecord(file).save(new Map([[exactBucket, mark]]))
    recorded.set(name, mark)
    return true
  }

  return async (names) => {
    const keys = names.map((name) => keyOf(name, 'documents', exactBucket))
    const marks = await run((client) => Promise.all(keys.map((key) => client.hGet(key, markId))))
    for (const [index, name] of names.entries()) {
      // The first time, thousands of files may be written, so requests come first.
      if (record(name, markFrom(marks[index]))) await nextTurn()
    }
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
