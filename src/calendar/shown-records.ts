import { isOnline } from '../records/fields.ts'
import type { Profile } from '../records/profile.ts'
import { readRecords, type RecordOf } from '../records/read-records.ts'
import type { FeedResource } from '../records/resources.ts'
import type { EntryStatus } from './calendar-entry.ts'
import type { ChangeHistory } from '../records/change-history.ts'

const dayMs = 24 * 60 * 60 * 1000
const cancelledShownMs = 14 * dayMs

/** Records of a calendar, with their change history. */
export type CalendarSource<R extends FeedResource> = {
  readonly records: readonly RecordOf[R][]
  /** By record id, including removed records. */
  readonly ledger: ReadonlyMap<number, LedgerEntry>
  /** When the records last changed. Milliseconds since the epoch. */
  readonly changedAt: number
}

type LedgerEntry = ChangeHistory & {
  /**
   * Set for a record that is no longer Online. Contains the time when it was last Online, and its
   * item at that time.
   */
  readonly lastOnline?: { readonly until: number; readonly item?: unknown }
  /** True if it disappeared together with most other records, which does not count as a cancellation. */
  readonly isLost?: boolean
}

export type ShownRecord<R extends FeedResource> = {
  readonly record: RecordOf[R]
  readonly status: EntryStatus
  readonly known: ChangeHistory
  /** Last time at which a canceled record was shown as active. */
  readonly shownUntil?: number
}

/**
 * Returns the records visible to a profile, which are the Online records and, for `full`, the
 * Pending records.
 */
export function shownRecords<R extends FeedResource>(
  source: CalendarSource<R>,
  profile: Profile,
): readonly ShownRecord<R>[] {
  return source.records.flatMap((record) => {
    const status = statusFor(record, profile)
    return status ? [shown(record, status, source)] : []
  })
}

/** Returns the records that were removed or taken offline in the last 14 days. */
export function cancelledRecords<R extends FeedResource>(
  resource: R,
  source: CalendarSource<R>,
  options: { readonly profile: Profile; readonly now: number },
): {
  readonly cancelled: readonly ShownRecord<R>[]
  /** Period during which no canceled record expires. */
  readonly validFrom: number
  readonly validUntil: number
} {
  const { profile, now } = options
  const shownIds = new Set(shownRecords(source, profile).map(({ record }) => record.id))
  const withdrawn = [...source.ledger].flatMap(([id, { lastOnline, isLost }]) =>
    lastOnline && !isLost && !shownIds.has(id) ? [lastOnline] : [],
  )
  const recent = withdrawn.filter(({ until }) => until + cancelledShownMs > now)
  const ends = withdrawn.map(({ until }) => until + cancelledShownMs)
  return {
    cancelled: recent.flatMap(({ item, until }) =>
      recordsFrom(resource, item).map((record) => ({
        ...shown(record, 'cancelled', source),
        shownUntil: until,
      })),
    ),
    validFrom: Math.max(...ends.filter((end) => end <= now)),
    validUntil: Math.min(...ends.filter((end) => end > now)),
  }
}

const checkedRecords = new WeakMap<object, readonly object[]>()

/** Parses an item from the ledger and caches the result. An invalid item results in an empty list. */
function recordsFrom<R extends FeedResource>(resource: R, item: unknown): readonly RecordOf[R][] {
  if (typeof item !== 'object' || item === null) return []
  const checked = checkedRecords.get(item) ?? readRecords(resource, [item]).records
  checkedRecords.set(item, checked)
  return checked as readonly RecordOf[R][]
}

/** Returns the status of a record's entry, or undefined if the profile cannot see the record. */
export function statusFor(
  record: { readonly id: number; readonly status?: string },
  profile: Profile,
): EntryStatus | undefined {
  if (isOnline(record)) return 'confirmed'
  return record.status === 'pending' && profile === 'full' ? 'tentative' : undefined
}

function shown<R extends FeedResource>(
  record: RecordOf[R],
  status: EntryStatus,
  { ledger, changedAt }: CalendarSource<R>,
): ShownRecord<R> {
  const known = ledger.get(record.id) ?? knownOfStored(record, changedAt)
  return { record, status, known }
}

/**
 * Returns the history for a record that is missing from the ledger because an older version
 * rejected it.
 */
function knownOfStored(record: object, changedAt: number): ChangeHistory {
  return { hash: JSON.stringify(record), revision: 0, firstSeenAt: changedAt, changedAt }
}
