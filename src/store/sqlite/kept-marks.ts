import type { DatabaseSync } from 'node:sqlite'
import { isAcceptance } from '../losses.ts'
import {
  isEarlier,
  keptBuckets,
  newOrigin,
  restoredOrigin,
  storedMark,
  type KeptBucket,
  type Mark,
} from '../kept-buckets.ts'
import {
  acceptedRevision,
  exactBuckets,
  restoredRevision,
  type KeptRecord,
} from '../kept-record.ts'
import type { Write } from '../store.ts'

/*
 * Marks of the kept buckets in a SQLite file, which mean the same as those in Redis. Each write that
 * changes such a bucket changes its mark in the same transaction. If the file and the record beside it
 * disagree, the file is not the one that has been used before, or an earlier copy of it.
 */

/** Earlier versions ignore this table, so it is no migration. */
const schema = `CREATE TABLE IF NOT EXISTS marks (
  bucket TEXT PRIMARY KEY,
  origin TEXT NOT NULL,
  revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID`

const select = 'SELECT bucket, origin, revision FROM marks'

const upsert = `INSERT INTO marks VALUES (?, ?, ?) ON CONFLICT DO UPDATE
  SET origin = excluded.origin, revision = excluded.revision`

export type KeptMarks = {
  /** Buckets that have been lost, and not been accepted or restored since. */
  readonly lost: Set<string>
  /** Returns the buckets that exist or have existed. */
  readonly names: () => readonly string[]
  /** Marks a new bucket, or changes the mark of one that has been written to. */
  readonly wrote: (writes: readonly Write[]) => void
  /** Marks all buckets after their documents have been replaced on this connection. */
  readonly replaced: (connection: DatabaseSync) => void
  /** Returns true if the open file has got an earlier content since. */
  readonly haveFallenBack: () => boolean
  /** Records the marks, unless something has been lost. Throws a `StoreError`. */
  readonly save: () => void
  /** Returns the documents in a lost bucket whose latest changes have been lost. */
  readonly outdated: (bucket: string) => readonly string[]
}

/** Marks the buckets of a file, and finds lost buckets. Must be called in a transaction. */
export function createKeptMarks(
  database: DatabaseSync,
  record: KeptRecord,
  now: () => number,
): KeptMarks {
  database.exec(schema)
  const lost = new Set<string>()

  function mark(bucket: string, { origin, revision }: Mark, connection = database): void {
    connection.prepare(upsert).run(bucket, origin, revision)
  }

  /** Returns a mark that is later than all earlier ones. */
  function newMark(
    bucket: string,
    known: Mark | undefined,
    revisionAfter = restoredRevision,
  ): Mark {
    const origin = known ? restoredOrigin(known.origin) : newOrigin(now())
    const { revision = 0 } = known ?? {}
    return { origin, revision: revisionAfter(record, { bucket, revision, now: now() }) }
  }

  const hasFallenBack = (bucket: string, known: Mark | undefined) => {
    // A file of an earlier version, without marks, may be older than the other store, too.
    if ((known?.revision ?? 0) < record.otherRevisionOf(bucket)) return true
    const recorded = record.markOf(bucket)
    return recorded !== undefined && (!known || isEarlier(known, recorded))
  }

  /** Returns true if only the log beside the file has the recorded mark, but not all changes. */
  const isMixed = (bucket: string, known: Mark | undefined) => {
    const isLatest = known && exactBuckets.includes(bucket) && isRecorded(bucket, known, record)
    return isLatest && record.outdatedIn(bucket, documentsOf(database, bucket)).length > 0
  }

  const marks = marksIn(database)
  for (const bucket of keptBuckets) {
    const known = marks.get(bucket)
    if (hasFallenBack(bucket, known)) lost.add(bucket)
    else if (known && isMixed(bucket, known)) {
      lost.add(bucket)
      // Otherwise, a command's write to the same document would hide the loss.
      mark(bucket, { ...known, revision: known.revision - 1 })
    } else if (!known && documentsOf(database, bucket).size > 0)
      mark(bucket, newMark(bucket, known))
  }

  return {
    lost,
    names: () => [...marksIn(database).keys()],
    wrote(writes) {
      const changed = keptBuckets.filter((name) => writes.some(({ bucket }) => bucket === name))
      for (const bucket of changed) {
        const known = marksIn(database).get(bucket)
        if (writes.some((write) => isAcceptance(write, bucket))) {
          mark(bucket, newMark(bucket, known, acceptedRevision))
          lost.delete(bucket)
          // Otherwise, a command's write would hide that the other documents have been lost.
        } else if (!lost.has(bucket)) {
          const { origin, revision } = known ?? newMark(bucket, known)
          mark(bucket, { origin, revision: revision + 1 })
        }
      }
    },
    replaced(connection) {
      const before = marksIn(connection)
      for (const bucket of keptBuckets) {
        const isPresent = before.has(bucket) || documentsOf(connection, bucket).size > 0
        if (!isPresent && !lost.has(bucket)) continue
        mark(bucket, newMark(bucket, before.get(bucket)), connection)
      }
      lost.clear()
    },
    haveFallenBack() {
      const present = marksIn(database)
      return keptBuckets.some((each) => !lost.has(each) && hasFallenBack(each, present.get(each)))
    },
    save() {
      if (lost.size > 0) return
      const present = [...marksIn(database)]
      const isComplete = present.every(([bucket, known]) => isRecorded(bucket, known, record))
      if (isComplete && (present.length === 0 || record.isInPlace())) return
      record.save(
        new Map(
          present.map(([bucket, known]) => {
            const isExact = exactBuckets.includes(bucket)
            const documents = isExact ? documentsOf(database, bucket) : new Map<string, string>()
            return [bucket, { ...known, documents }]
          }),
        ),
      )
    },
    outdated: (bucket) => record.outdatedIn(bucket, documentsOf(database, bucket)),
  }
}

function isRecorded(bucket: string, mark: Mark, record: KeptRecord): boolean {
  const recorded = record.markOf(bucket)
  if (!recorded || !exactBuckets.includes(bucket)) return recorded !== undefined
  return storedMark(recorded) === storedMark(mark)
}

function marksIn(database: DatabaseSync): ReadonlyMap<string, Mark> {
  const rows = database.prepare(select).all()
  return new Map(
    rows.map(({ bucket, origin, revision }) => [
      String(bucket),
      { origin: String(origin), revision: Number(revision) },
    ]),
  )
}

/** Returns the revisions of a bucket's documents, in the form of stored documents. */
function documentsOf(database: DatabaseSync, bucket: string): KeptBucket['documents'] {
  const rows = database.prepare('SELECT id, revision FROM documents WHERE bucket = ?').all(bucket)
  return new Map(rows.map(({ id, revision }) => [String(id), `${Number(revision)}::`]))
}
