import { isOnline } from '../records/online.ts'
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
  /** For a record that is no longer Online: until when it was, and its item at that time. */
  readonly lastOnline?: { readonly until: number; readonly item?: unknown }
  /** True if it disappeared together with most other records, which is no cancellation. */
  readonly isLost?: boolean
}

export type ShownRecord<R extends FeedResource> = {
  readonly record: RecordOf[R]
  readonly status: EntryStatus
  readonly known: ChangeHistory
  /** For a cancelled record: when it was last shown as active. */
  readonly shownUntil?: number
}

/** The records that a profile sees: those Online, and to `full` also Pending ones. */
export function shownRecords<R extends FeedResource>(
  source: CalendarSource<R>,
  profile: Profile,
): readonly ShownRecord<R>[] {
  return source.records.flatMap((record) => {
    const status = statusFor(record, profile)
    return status ? [shown(record, status, source)] : []
  })
}

/** Returns records that were shown until at most 14 days ago. */
export function cancelledRecords<R extends FeedResource>(
  resource: R,
  source: CalendarSource<R>,
  options: { readonly profile: Profile; readonly now: number },
): {
  readonly cancelled: readonly ShownRecord<R>[]
  /** When a cancelled record last disappeared, and when one will next. */
  readonly validFrom: number
  readonly validUntil: number
} {
  const { profile, now } = options
  const shownIds = new Set(shownRecords(source, profile).map(({ record }) => record.id))
  const withdrawn = [...source.ledger].flatMap(([id, { lastOnline, isLost }]) =>
    lastOnline && !isLost && !shownIds.has(id) ? [{ id, ...lastOnline }] : [],
  )
  const recent = withdrawn.filter(({ until }) => until + cancelledShownMs > now)
  const untilOf = new Map(recent.map(({ id, until }) => [id, until]))
  const { records } = readRecords(
    resource,
    recent.map(({ item }) => item),
  )
  const ends = withdrawn.map(({ until }) => until + cancelledShownMs)
  return {
    cancelled: records.map((record) => ({
      ...shown(record, 'cancelled', source),
      shownUntil: untilOf.get(record.id) ?? now,
    })),
    validFrom: Math.max(...ends.filter((end) => end <= now)),
    validUntil: Math.min(...ends.filter((end) => end > now)),
  }
}

/** Returns undefined if the profile cannot see the record. */
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

/** A newer Feedhouse may accept a stored item that was rejected before and so is not in the ledger. */
function knownOfStored(record: object, changedAt: number): ChangeHistory {
  return { hash: JSON.stringify(record), revision: 0, firstSeenAt: changedAt, changedAt }
}
