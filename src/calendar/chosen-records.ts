import { lastDayOf } from '../records/date-words.ts'
import type { Profile } from '../records/profile.ts'
import type { FeedResource } from '../records/resources.ts'
import { siteDateAt, type SiteDate } from '../records/site-time.ts'
import type { EntryTime } from './calendar-entry.ts'
import type { CalendarOptions } from './calendar-options.ts'
import { timedRecord, type TimedRecord } from './entries.ts'
import type { EntryRecipe } from './entry-recipe.ts'
import { isWithin, windowOf } from './date-window.ts'
import { cancelledRecords, shownRecords, type CalendarSource } from './shown-records.ts'

export type ChosenRecords<R extends FeedResource> = {
  readonly chosen: readonly TimedRecord<R>[]
  /** Period during which no canceled record expires. */
  readonly validFrom: number
  readonly validUntil: number
}

/** Filters a source's records by profile and options. */
export function chosenRecords<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  source: CalendarSource<R>,
  request: {
    readonly options: CalendarOptions
    readonly profile: Profile
    readonly now: number
    readonly today: SiteDate
    readonly idHost: string
    readonly timeZone: string
  },
): ChosenRecords<R> {
  const { options, profile, today, idHost, timeZone } = request
  const { parts } = options
  const { cancelled, ...validity } =
    options.cancelled === 'mark' && !recipe.isNeverCancelled
      ? cancelledRecords(recipe.resource, source, request)
      : { cancelled: [], validFrom: -Infinity, validUntil: Infinity }
  const { isShown = () => true } = recipe
  const records = [...shownRecords(source, profile), ...cancelled]
    .filter(({ record }) => isShown(record, profile))
    .filter(
      ({ record }) => parts.length === 0 || parts.includes(recipe.subsetOf?.(record)?.id ?? 0),
    )
    .map((shown) => timedRecord(recipe, shown, idHost))
    .filter(({ time, shownUntil }) => !isOverAt(time, shownUntil, timeZone))
  const window = windowOf(options, today)
  const chosen = records.filter(({ time }) => isWithin(time, window))
  return { chosen, ...validity }
}

/** Returns true if the event ended before its record was removed, so it was not canceled. */
function isOverAt(time: EntryTime, instant: number | undefined, timeZone: string): boolean {
  return instant !== undefined && lastDayOf(time) < siteDateAt(instant, timeZone)
}
