import { isOnline } from '../records/online.ts'
import type { Profile } from '../records/profile.ts'
import { readRecords, type RecordOf } from '../records/read-records.ts'
import type { EntryStatus } from './calendar-entry.ts'
import type { CalendarResource } from './entry-recipe.ts'
import type { ChangeHistory } from '../records/change-history.ts'

const dayMs = 24 * 60 * 60 * 1000
const cancelledShownMs = 14 * dayMs

/** The records that a calendar is made from, and what is known of their changes. */
export type CalendarSource<R extends CalendarResource> = {
  readonly records: readonly RecordOf[R][]
  /** By record id, also of those that are gone. */
  readonly ledger: ReadonlyMap<number, LedgerEntry>
  /** When the records last changed. Milliseconds since the epoch. */
  readonly changedAt: number
}

type LedgerEntry = ChangeHistory & {
  /** Until when a record that is no longer Online was, and the item it was read from then. */
  readonly lastOnline?: { readonly until: number; readonly item?: unknown }
  /** Whether it went together with most records, which is no cancellation. */
  readonly isLost?: boolean
}

export type ShownRecord<R extends CalendarResource> = {
  readonly record: RecordOf[R]
  readonly status: EntryStatus
  readonly known: ChangeHistory
  /** Of one that is cancelled: until when it was shown as what it is. */
  readonly shownUntil?: number
}

/** The records that a profile sees: those Online, and to `full` also Pending ones. */
export function shownRecords<R extends CalendarResource>(
  source: CalendarSource<R>,
  profile: Profile,
): readonly ShownRecord<R>[] {
  return source.records.flatMap((record) => {
    const status = statusFor(record, profile)
    return status ? [shown(record, status, source)] : []
  })
}

/** Those that were shown and no longer are, for 14 days. */
export function cancelledRecords<R extends CalendarResource>(
  resource: R,
  source: CalendarSource<R>,
  options: { readonly profile: Profile; readonly now: number },
): {
  readonly cancelled: readonly ShownRecord<R>[]
  /** When the last one before ceased to be shown, and when the next one does. */
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

/** Undefined for a record that the profile does not see. */
export function statusFor(
  record: { readonly id: number; readonly status?: string },
  profile: Profile,
): EntryStatus | undefined {
  if (isOnline(record)) return 'confirmed'
  return record.status === 'pending' && profile === 'full' ? 'tentative' : undefined
}

function shown<R extends CalendarResource>(
  record: RecordOf[R],
  status: EntryStatus,
  { ledger, changedAt }: CalendarSource<R>,
): ShownRecord<R> {
  const known = ledger.get(record.id) ?? knownOfStored(record, changedAt)
  return { record, status, known }
}

/** A newer Feedhouse may read a record from stored items that was left out before. */
function knownOfStored(record: object, changedAt: number): ChangeHistory {
  return { hash: JSON.stringify(record), revision: 0, firstSeenAt: changedAt, changedAt }
}
