import { lastChangeOf, type ChangeHistory } from '../records/recorded-change.ts'
import type { SiteDateTime } from '../records/site-time.ts'
import type { Revision } from './calendar-entry.ts'
import type { SiteZone } from './site-zone.ts'

/** SEQUENCE is an INTEGER (RFC 5545 3.3.8). */
const maxSequence = 2 ** 31 - 1

/** Epoch of SEQUENCE, which overflows in 2068. */
const firstSequenceAt = Date.UTC(2000, 0, 1)

/**
 * Returns the revision of a record. SEQUENCE is the time of the last change in seconds, so it
 * increases with every change, even after the change history is lost. The settings that an entry
 * shows last changed at `settingsChangedAt`.
 */
export function revisionOf(
  record: { readonly id: number; readonly created?: SiteDateTime | undefined },
  known: ChangeHistory,
  zone: SiteZone,
  settingsChangedAt = 0,
): Revision {
  const changedAt = lastChangeOf(known, (time) => zone.momentOf(time).instant)
  const revision = revisionAt(Math.max(changedAt, settingsChangedAt))
  if (record.created === undefined) return revision
  const created = zone.momentOf(record.created).instant
  return { ...revision, created: Math.min(created, revision.lastModified) }
}

export function revisionAt(instant: number): Revision {
  const seconds = Math.floor(instant / 1000)
  const sequence = Math.min(Math.max(0, seconds - firstSequenceAt / 1000), maxSequence)
  return { sequence, lastModified: seconds * 1000, created: undefined }
}
