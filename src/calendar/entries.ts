import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import type { FeedResource } from '../records/resources.ts'
import { compareText } from '../records/text.ts'
import type { CalendarEntry, EntryTime } from './calendar-entry.ts'
import type { EntryRecipe, Subset, Reader } from './entry-recipe.ts'
import type { Place } from './place.ts'
import { revisionOf } from './revision.ts'
import { statusFor, type ShownRecord } from './shown-records.ts'
import type { SiteZone } from './site-zone.ts'

/** Start of a canceled entry's title. */
export const cancelledPrefix = 'Canceled: '

/**
 * A record with the properties for filtering and sorting. The rest of its entry is computed later.
 */
export type TimedRecord<R extends FeedResource> = ShownRecord<R> & {
  readonly uid: string
  readonly time: EntryTime
}

export function timedRecord<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  shown: ShownRecord<R>,
  idHost: string,
): TimedRecord<R> {
  const { time } = recipe.timeOf(shown.record)
  return {
    ...shown,
    uid: uidOf(recipe.uidPrefix ?? recipe.resource, shown.record.id, idHost),
    time,
  }
}

export type EntryOptions = {
  readonly reader: Reader
  readonly zone: SiteZone
  readonly urlOf: (id: number) => string | undefined
  readonly placeOf: (location: string) => Place | undefined
  /** Undefined means the resource's default. */
  readonly busy: boolean | undefined
}

export function entryFrom<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  timed: TimedRecord<R>,
  options: EntryOptions,
): CalendarEntry {
  const { reader, zone, urlOf, placeOf, busy } = options
  const { record, uid, time, status, known } = timed
  const { textFor, blocksTime } = recipe
  const isBusy = busy ?? (blocksTime === 'always' || (blocksTime === 'when timed' && !time.allDay))
  const text = textFor(record, reader)
  const isCancelled = status === 'cancelled'
  return {
    uid,
    time,
    status,
    ...text,
    place: placeOf(text.location),
    // Not every client shows STATUS.
    summary: isCancelled ? `${cancelledPrefix}${text.summary}` : text.summary,
    isBusy: isBusy && !isCancelled,
    url: isCancelled ? undefined : urlOf(record.id),
    revision: revisionOf(record, known, zone),
  }
}

/** Returns the permanent UID of a record of a resource, identical in every feed of the site. */
export function uidOf(prefix: string, id: number | string, idHost: string): string {
  return `${prefix}-${id}@${idHost}`
}

/**
 * Returns the calendars or rental types visible to a profile that have an id and a name, sorted by
 * name. If a name has changed over time, uses the latest name.
 */
export function partsOf<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  records: readonly RecordOf[R][],
  profile: Profile,
): readonly Subset[] {
  const { subsetOf } = recipe
  const byId = new Map<number, Subset>()
  for (const record of records) {
    const part = statusFor(record, profile) && subsetOf?.(record)
    if (part && part.name !== '' && Number.isSafeInteger(part.id) && part.id > 0) {
      byId.set(part.id, part)
    }
  }
  return [...byId.values()].sort((a, b) => compareText(a.name, b.name) || a.id - b.id)
}
