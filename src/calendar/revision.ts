import type { SiteDateTime } from '../records/site-time.ts'
import type { Revision } from './calendar-entry.ts'
import type { SiteZone } from './site-zone.ts'

/** SEQUENCE is an INTEGER (RFC 5545 3.3.8). */
const maxSequence = 2 ** 31 - 1

/** Where SEQUENCE begins for records that do not say when they were created. */
const firstSequenceAt = Date.UTC(2026, 0, 1)

/** What is known of a record's changes beyond what it says itself. Milliseconds since the epoch. */
export type KnownChanges = {
  /** Of the record's content. */
  readonly hash: string
  /** 0 until it is first seen to change. */
  readonly revision: number
  readonly firstSeenAt: number
  readonly changedAt: number
}

/**
 * The revision that a record shows. It was changed when it says so, but not after it was first seen;
 * then whenever it was seen to change. SEQUENCE counts the seconds from its creation to that: it rises
 * with every change, and the next change makes it rise also when what was known has been lost.
 */
export function revisionOf(
  record: {
    readonly id: number
    readonly created?: SiteDateTime | undefined
    readonly modified?: SiteDateTime | undefined
  },
  known: KnownChanges,
  zone: SiteZone,
): Revision {
  const created = instantOf(record.created, zone)
  const modified = instantOf(record.modified, zone)
  const said = Math.max(created ?? 0, modified ?? 0) || known.firstSeenAt
  const before = Math.min(said, known.firstSeenAt)
  const lastModified = wholeSeconds(known.revision > 0 ? Math.max(before, known.changedAt) : before)
  return {
    sequence: secondsBetween(created ?? firstSequenceAt, lastModified),
    lastModified,
    created: created === undefined ? undefined : Math.min(created, lastModified),
  }
}

/** The revision of an entry that no record stands behind, changed at an instant. */
export function revisionAt(instant: number): Revision {
  const lastModified = wholeSeconds(instant)
  return {
    sequence: secondsBetween(firstSequenceAt, lastModified),
    lastModified,
    created: undefined,
  }
}

function secondsBetween(earlier: number, later: number): number {
  return Math.min(Math.max(0, Math.floor((later - earlier) / 1000)), maxSequence)
}

/** Whether two of the same record are of the same version of it. */
export function isSameVersion(a: KnownChanges, b: KnownChanges): boolean {
  if (a === b) return true
  return (
    a.hash === b.hash &&
    a.revision === b.revision &&
    a.firstSeenAt === b.firstSeenAt &&
    a.changedAt === b.changedAt
  )
}

function instantOf(dateTime: SiteDateTime | undefined, zone: SiteZone): number | undefined {
  return dateTime === undefined ? undefined : zone.momentOf(dateTime).instant
}

/** As iCalendar writes them. */
function wholeSeconds(instant: number): number {
  return Math.floor(instant / 1000) * 1000
}
