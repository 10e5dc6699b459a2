import { lastChangeOf, type ChangeHistory } from '../records/change-history.ts'
import type { SiteDateTime } from '../records/site-time.ts'
import type { Revision } from './calendar-entry.ts'
import type { SiteZone } from './site-zone.ts'

/** SEQUENCE is an INTEGER (RFC 5545 3.3.8). */
const maxSequence = 2 ** 31 - 1

/** Where SEQUENCE begins: it lasts until 2068. */
const firstSequenceAt = Date.UTC(2000, 0, 1)

/**
 * The revision that a record shows. SEQUENCE counts the seconds up to its last change: it rises with
 * every change, and the next change makes it rise also when what was known has been lost.
 */
export function revisionOf(
  record: { readonly id: number; readonly created?: SiteDateTime | undefined },
  known: ChangeHistory,
  zone: SiteZone,
): Revision {
  const revision = revisionAt(lastChangeOf(known, (time) => zone.momentOf(time).instant))
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
export function isSameVersion(a: ChangeHistory, b: ChangeHistory): boolean {
  if (a === b) return true
  return (
    a.hash === b.hash &&
    a.revision === b.revision &&
    a.firstSeenAt === b.firstSeenAt &&
    a.changedAt === b.changedAt &&
    a.saidAt === b.saidAt
  )
}
