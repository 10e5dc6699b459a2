import { noCalendarOptions } from '../calendar/calendar-options.ts'
import { isWithin } from '../calendar/date-window.ts'
import type { EntryTime } from '../calendar/calendar-entry.ts'
import type { EntryRecipe } from '../calendar/entry-recipe.ts'
import { chosenRecords, type CalendarSource } from '../calendar/shown-records.ts'
import type { RecordOf } from '../records/read-records.ts'
import type { FeedResource } from '../records/resources.ts'
import type { Places } from '../records/sign-up-sheet.ts'
import type { SiteDate } from '../records/site-time.ts'
import type { PageContext } from './feed.ts'

/** A calendar entry in an agenda or on a month's page. Texts are plain. */
export type ListedEntry = {
  /** Id of its feed. */
  readonly kind: string
  readonly recordId: number
  readonly title: string
  readonly time: EntryTime
  readonly start: string
  readonly allDay: boolean
  readonly location: string
  readonly category: string
  /** Open and total places, if people can sign up and their number is limited. */
  readonly places: Places | undefined
}

/** Which entries to list. */
export type ListRange = {
  readonly from: SiteDate
  /** The last day. */
  readonly to: SiteDate
  /** Ids of calendars or rental types, and 0 for records without one; an empty list means all. */
  readonly parts: readonly number[]
}

/** Returns the entries that overlap a range of days and are visible to a profile, in no order. */
export function listedEntries<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  source: CalendarSource<R>,
  {
    kind,
    range: { from, to, parts },
    context: { site, profile, now },
    placesOf,
  }: {
    readonly kind: string
    readonly range: ListRange
    readonly context: PageContext
    readonly placesOf: ((record: RecordOf[R]) => Places | undefined) | undefined
  },
): readonly ListedEntry[] {
  const { chosen } = chosenRecords(recipe, source, {
    profile,
    now,
    timeZone: site.timeZone,
    options: { ...noCalendarOptions, parts, cancelled: 'drop' },
  })
  return chosen
    .filter(({ time }) => isWithin(time, { from, to }))
    .map(({ record, time }) => {
      const { summary, location, categories } = recipe.textFor(record, {
        profile,
        siteUrl: site.url,
      })
      return {
        kind,
        recordId: record.id,
        title: summary,
        time,
        start: time.start,
        allDay: time.allDay,
        location,
        category: categories.join(', '),
        places: placesOf?.(record),
      }
    })
}
