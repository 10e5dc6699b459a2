import { isOnline } from '../records/online.ts'
import type { RecordOf } from '../records/read-records.ts'
import type { CalendarEntry, EntryTime } from './calendar-entry.ts'
import type { CalendarResource, EntryRecipe, Reader } from './entry-recipe.ts'
import { entryRecipes } from './entry-recipes.ts'
import { revisionOf } from './revision.ts'
import type { ShownRecord } from './shown-records.ts'
import type { SiteZone } from './site-zone.ts'

/** A record with all it takes to choose and sort; the rest of its entry takes longer to make. */
export type TimedRecord<R extends CalendarResource> = ShownRecord<R> & {
  readonly uid: string
  readonly time: EntryTime
  /** What had to be repaired to have a time. */
  readonly repair: string | undefined
}

export function timedRecord<R extends CalendarResource>(
  resource: R,
  shown: ShownRecord<R>,
  siteHost: string,
): TimedRecord<R> {
  const { time, repair } = recipeOf(resource).timeOf(shown.record)
  return { ...shown, uid: uidOf(resource, shown.record.id, siteHost), time, repair }
}

export function entryFrom<R extends CalendarResource>(
  resource: R,
  timed: TimedRecord<R>,
  options: {
    readonly reader: Reader
    readonly zone: SiteZone
    readonly urlOf: (id: number) => string | undefined
  },
): CalendarEntry {
  const { reader, zone, urlOf } = options
  const { record, uid, time, status, known } = timed
  const text = recipeOf(resource).textFor(record, reader)
  const isCancelled = status === 'cancelled'
  return {
    ...text,
    ...{ uid, time, status },
    // Not every client shows STATUS.
    summary: isCancelled ? `Cancelled: ${text.summary}` : text.summary,
    url: isCancelled ? undefined : urlOf(record.id),
    revision: revisionOf(record, known, zone),
  }
}

/** The same for ever, in every feed of the site. */
export function uidOf(resource: CalendarResource, id: number | string, siteHost: string): string {
  return `${resource}-${id}@${siteHost}`
}

/** The parts that the records shown belong to, by name; of a part with several names the latest. */
export function partsOf<R extends CalendarResource>(resource: R, records: readonly RecordOf[R][]) {
  const { partOf } = recipeOf(resource)
  const parts = records.filter(isOnline).flatMap((record) => partOf?.(record) ?? [])
  const byId = new Map(parts.map((part) => [part.id, part]))
  return [...byId.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

export function recipeOf<R extends CalendarResource>(resource: R): EntryRecipe<R> {
  return entryRecipes[resource]
}
