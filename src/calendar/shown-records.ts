import {
  unrecordedHistory,
  type ChangeHistory,
  type LedgerEntry,
} from '../records/recorded-change.ts'
import { lastDayOf } from '../records/date-words.ts'
import { isOnline } from '../records/fields.ts'
import type { SiteTimes } from '../records/language.ts'
import type { PartNames } from '../records/part.ts'
import type { PictureTypes } from '../records/picture-types.ts'
import type { Profile } from '../records/profile.ts'
import { readRecords, type RecordOf } from '../records/read-records.ts'
import type { FeedResource } from '../records/resources.ts'
import { siteDateAt } from '../records/site-time.ts'
import type { EntryStatus, ReadTime } from './calendar-entry.ts'
import type { CalendarOptions } from './calendar-options.ts'
import type { EntryRecipe } from './entry-recipe.ts'

const dayMs = 24 * 60 * 60 * 1000
const canceledShownMs = 14 * dayMs

export type CalendarSource<R extends FeedResource> = {
  readonly records: readonly RecordOf[R][]
  /** By record id, including removed records. */
  readonly ledger: ReadonlyMap<number, LedgerEntry>
  /** When the records last changed. Milliseconds since the epoch. */
  readonly changedAt: number
  readonly partNames?: PartNames | undefined
  readonly pictureTypes?: PictureTypes | undefined
}

export type KnownRecord<R extends FeedResource> = {
  readonly record: RecordOf[R]
  readonly known: ChangeHistory
}

/** A record with the properties for filtering and sorting. The rest of its entry is computed later. */
export type ShownRecord<R extends FeedResource> = KnownRecord<R> &
  ReadTime & {
    readonly status: EntryStatus
    /** The change at the start of the entry's description. */
    readonly note?: string
  }

/** Returns the records that a profile sees: Online ones and, for `full`, Pending ones. */
export function shownRecords<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  source: CalendarSource<R>,
  profile: Profile,
): readonly ShownRecord<R>[] {
  return visibleRecords(recipe, source, profile).map((visible) => ({
    ...visible,
    ...recipe.timeOf(visible.record),
  }))
}

/** Like `shownRecords`, but without the times. */
export function visibleRecords<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  source: CalendarSource<R>,
  profile: Profile,
) {
  const { isShown = () => true } = recipe
  return source.records.flatMap((record) => {
    const status = statusFor(record, profile)
    if (!status || !isShown(record, profile)) return []
    return [{ record, status, known: historyIn(source, record.id) }]
  })
}

function historyIn({ ledger, changedAt }: CalendarSource<FeedResource>, id: number): ChangeHistory {
  return ledger.get(id) ?? unrecordedHistory(changedAt)
}

/** Returns the status of a record's entry, or undefined if the profile cannot see the record. */
export function statusFor(
  record: { readonly id: number; readonly status?: string },
  profile: Profile,
): EntryStatus | undefined {
  if (isOnline(record)) return 'confirmed'
  return record.status === 'pending' && profile === 'full' ? 'tentative' : undefined
}

export type RecordsRequest = SiteTimes & {
  /** The website's origin. */
  readonly siteUrl: string
  readonly profile: Profile
  readonly now: number
}

/** Selects a source's records by profile and options, except for the range of days. */
export function chosenRecords<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  source: CalendarSource<R>,
  request: RecordsRequest & { readonly options: CalendarOptions },
  shown = shownRecords(recipe, source, request.profile),
) {
  const { options } = request
  const { parts } = options
  const { canceled, changesAt } =
    options.cancelled === 'mark' && !recipe.isNeverCanceled
      ? canceledRecords(recipe, source, request)
      : { canceled: [], changesAt: [] }
  const chosen = [...shown, ...canceled].filter(
    ({ record }) => parts.length === 0 || parts.includes(recipe.partOf?.(record)?.id ?? 0),
  )
  return {
    chosen,
    /** When canceled records expire. Milliseconds since the epoch. */
    changesAt,
  }
}

/** Returns the records that were removed or taken offline in the last 14 days. */
function canceledRecords<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  source: CalendarSource<R>,
  { profile, now, timeZone }: RecordsRequest,
) {
  const { resource, isShown = () => true, timeOf } = recipe
  const visibleIds = new Set(
    source.records.flatMap((each) => (statusFor(each, profile) ? each.id : [])),
  )
  const withdrawn = [...source.ledger].flatMap(([id, { lastOnline, isLost }]) =>
    lastOnline && !isLost && !visibleIds.has(id) ? [lastOnline] : [],
  )
  const canceled = withdrawn
    .filter(({ until }) => until + canceledShownMs > now)
    .flatMap(({ item, until }) =>
      readRecords(resource, item === undefined ? [] : [item])
        .records.filter((record) => isShown(record, profile))
        .map((record) => {
          const known = historyIn(source, record.id)
          return { record, status: 'cancelled' as const, known, ...timeOf(record) }
        })
        // An event that ended before its record was removed was not canceled.
        .filter(({ time }) => lastDayOf(time) >= siteDateAt(until, timeZone)),
    )
  return { canceled, changesAt: withdrawn.map(({ until }) => until + canceledShownMs) }
}
