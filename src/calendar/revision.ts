import type { SiteDateTime } from '../records/site-time.ts'
import type { Revision } from './calendar-entry.ts'
import type { SiteZone } from './site-zone.ts'

/** SEQUENCE is an INTEGER (RFC 5545 3.3.8). */
const maxSequence = 2 ** 31 - 1

/** Where SEQUENCE begins: it lasts until 2068. */
const firstSequenceAt = Date.UTC(2000, 0, 1)

/** What is known of a record's changes beyond what it says itself. Milliseconds since the epoch. */
export type KnownChanges = {
  /** Of the record's content. */
  readonly hash: string
  /** 0 until it is first seen to change. */
  readonly revision: number
  readonly firstSeenAt: number
  readonly changedAt: number
  /** When it said that it was last changed, when it was first seen. */
  readonly saidAt?: SiteDateTime
}

/**
 * The revision that a record shows. It was changed when it said so as it was first seen, but not after
 * that; then whenever it was seen to change. SEQUENCE counts the seconds up to that: it rises with
 * every change, and the next change makes it rise also when what was known has been lost.
 */
export function revisionOf(
  record: { readonly id: number; readonly created?: SiteDateTime | undefined },
  known: KnownChanges,
  zone: SiteZone,
): Revision {
  const { firstSeenAt, saidAt } = known
  const said = saidAt === undefined ? firstSeenAt : zone.momentOf(saidAt).instant
  const revision = revisionAt(known.revision > 0 ? known.changedAt : Math.min(said, firstSeenAt))
  if (record.created === undefined) return revision
  const created = zone.momentOf(record.created).instant
  return { ...revision, created: Math.min(created, revision.lastModified) }
}

/** The revision of an entry that no record stands behind, changed at an instant. */
export function revisionAt(instant: number): Revision {
  const seconds = Math.floor(instant / 1000)
  const sequence = Math.min(Math.max(0, seconds - firstSequenceAt / 1000), maxSequence)
  return { sequence, lastModified: seconds * 1000, created: undefined }
}

/** Whether two of the same record are of the same version of it. */
export function isSameVersion(a: KnownChanges, b: KnownChanges): boolean {
  if (a === b) return true
  return (
    a.hash === b.hash &&
    a.revision === b.revision &&
    a.firstSeenAt === b.firstSeenAt &&
    a.changedAt === b.changedAt &&
    a.saidAt === b.saidAt
  )
}
