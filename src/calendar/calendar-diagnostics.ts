import type { FeedResource } from '../records/resources.ts'
import type { EntryRecipe } from './entry-recipe.ts'
import type { EntryTime } from './calendar-entry.ts'
import { shownRecords, type CalendarSource } from './shown-records.ts'
import type { SiteZone } from './site-zone.ts'

/** Problems with a calendar's records, without personal data. */
export type CalendarReview = {
  /** Records with invalid times. The calendar shows them with corrected times. */
  readonly repaired: readonly { readonly id: number; readonly reason: string }[]
  /** Number of entries omitted because of the limit per calendar. */
  readonly omitted: number
}

export function reviewCalendar<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  source: CalendarSource<R>,
  { zone, maxEntries }: { readonly zone: SiteZone; readonly maxEntries: number },
): CalendarReview {
  const { isShown = () => true, timeOf } = recipe
  const shown = shownRecords(source, 'full').filter(({ record }) => isShown(record, 'full'))
  return {
    repaired: shown.flatMap(({ record }) => {
      const { time, repair } = timeOf(record)
      const reason = repair ?? (hasSkippedTime(time, zone) ? skipped : undefined)
      return reason === undefined ? [] : [{ id: record.id, reason }]
    }),
    omitted: Math.max(0, shownRecords(source, 'public').length - maxEntries),
  }
}

const skipped = 'has a time that daylight saving time skips that day'

function hasSkippedTime(time: EntryTime, zone: SiteZone): boolean {
  if (time.allDay) return false
  const { start, end = start } = time
  return [start, end].some((wallTime) => zone.momentOf(wallTime).wallTime !== wallTime)
}
