import { endOfSpan, isWithin, timeInWords } from '../records/date-words.ts'
import type { SiteTimes } from '../records/language.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import type { FeedResource } from '../records/resources.ts'
import { daysAfter, instantFromSiteTime, siteTimeAt } from '../records/site-time.ts'
import { compareText } from '../text/text.ts'
import type { EntryText, EntryTime } from './calendar-entry.ts'
import type { EntryRecipe } from './entry-recipe.ts'
import { noCalendarOptions, type CalendarOptions } from './calendar-options.ts'
import { entryFilter } from './entry-search.ts'
import { nearest, windowOf } from './date-window.ts'
import { chosenRecords, shownRecords, type CalendarSource } from './shown-records.ts'

export type UpcomingEntry<R extends FeedResource> = EntryText & {
  readonly record: RecordOf[R]
  readonly time: EntryTime
  /** The time in words. */
  readonly when: string
}

export type Upcoming<R extends FeedResource> = {
  readonly entries: readonly UpcomingEntry<R>[]
  /**
   * When the list becomes outdated, in milliseconds since the epoch, or Infinity if it never
   * does.
   */
  readonly validUntil: number
}

/**
 * Returns the next entries visible to a profile, including current ones. An entry without an end
 * lasts until midnight. `past` adds recently ended entries. Canceled entries are omitted.
 */
export function upcomingEntries<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  source: CalendarSource<R>,
  {
    site: { url: siteUrl, timeZone, language },
    profile,
    now,
    most,
    options = noCalendarOptions,
  }: {
    readonly site: SiteTimes & { readonly url: string }
    readonly profile: Profile
    readonly now: number
    readonly most: number
    readonly options?: CalendarOptions
  },
  shown = shownRecords(recipe, source, profile),
): Upcoming<R> {
  const { pastDays, futureDays } = options
  const siteNow = siteTimeAt(now, timeZone)
  const today = siteNow.slice(0, 10)
  const reader = { profile, siteUrl, language }
  const drop = { ...options, cancelled: 'drop' } as const
  const request = { ...reader, now, timeZone, options: drop }
  const { chosen } = chosenRecords(recipe, source, request, shown)
  const window = windowOf(options, today)
  const isFound = entryFilter(recipe, options, reader)
  const within = chosen.filter((shown) => isWithin(shown.time, window) && isFound(shown))
  const listed =
    pastDays === undefined
      ? within.filter(({ time }) => endOfSpan(time) > siteNow)
      : nearest(within, today, most)
  const next = listed
    .toSorted((a, b) => compareText(a.time.start, b.time.start) || a.record.id - b.record.id)
    .slice(0, most)
  const ends = pastDays === undefined ? next.map(({ time }) => endOfSpan(time)) : []
  const windowEnds =
    pastDays === undefined && futureDays === undefined ? [] : [`${daysAfter(today, 1)}T00:00:00`]
  return {
    entries: next.map(({ record, time }) => ({
      ...recipe.textFor(record, reader),
      record,
      time,
      when: timeInWords(time, language),
    })),
    validUntil: Math.min(
      ...[...ends, ...windowEnds].map((siteTime) => instantFromSiteTime(siteTime, timeZone)),
    ),
  }
}
