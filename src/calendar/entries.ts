import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import { compareText } from '../records/text.ts'
import type { CalendarEntry, EntryTime } from './calendar-entry.ts'
import type { CalendarResource, Subset, Reader } from './entry-recipe.ts'
import type { Place } from './place.ts'
import { recipeOf } from './recipes.ts'
import { revisionOf } from './revision.ts'
import { statusFor, type ShownRecord } from './shown-records.ts'
import type { SiteZone } from './site-zone.ts'

/** A record with the data for choosing and sorting; the rest of its entry is expensive to build. */
export type TimedRecord<R extends CalendarResource> = ShownRecord<R> & {
  readonly uid: string
  readonly time: EntryTime
}

export function timedRecord<R extends CalendarResource>(
  resource: R,
  shown: ShownRecord<R>,
  idHost: string,
): TimedRecord<R> {
  const { time } = recipeOf(resource).timeOf(shown.record)
  return { ...shown, uid: uidOf(resource, shown.record.id, idHost), time }
}

export function entryFrom<R extends CalendarResource>(
  resource: R,
  timed: TimedRecord<R>,
  options: {
    readonly reader: Reader
    readonly zone: SiteZone
    readonly urlOf: (id: number) => string | undefined
    readonly placeOf: (location: string) => Place | undefined
    /** Undefined for the resource's default. */
    readonly busy: boolean | undefined
  },
): CalendarEntry {
  const { reader, zone, urlOf, placeOf, busy } = options
  const { record, uid, time, status, known } = timed
  const { textFor, blocksTime } = recipeOf(resource)
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
    summary: isCancelled ? `Cancelled: ${text.summary}` : text.summary,
    isBusy: isBusy && !isCancelled,
    url: isCancelled ? undefined : urlOf(record.id),
    revision: revisionOf(record, known, zone),
  }
}

/** Returns a permanent UID, the same in every feed of the site. */
export function uidOf(resource: CalendarResource, id: number | string, idHost: string): string {
  return `${resource}-${id}@${idHost}`
}

/**
 * Returns the calendars or rental types visible to a profile that have an id and a name, sorted by name.
 * If the name changed over time, the latest one counts.
 */
export function partsOf<R extends CalendarResource>(
  resource: R,
  records: readonly RecordOf[R][],
  profile: Profile,
): readonly Subset[] {
  const { subsetOf } = recipeOf(resource)
  const byId = new Map<number, Subset>()
  for (const record of records) {
    const part = statusFor(record, profile) && subsetOf?.(record)
    if (part && part.name !== '' && Number.isSafeInteger(part.id) && part.id > 0) {
      byId.set(part.id, part)
    }
  }
  return [...byId.values()].sort((a, b) => compareText(a.name, b.name) || a.id - b.id)
}
