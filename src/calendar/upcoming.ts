import { DateTime } from 'luxon'
import type { RecordOf } from '../records/read-records.ts'
import { daysAfter, instantFromSiteTime } from '../records/site-time.ts'
import { compareText } from '../records/text.ts'
import type { EntryText, EntryTime } from './calendar-entry.ts'
import type { CalendarResource, Reader } from './entry-recipe.ts'
import { recipeOf } from './recipes.ts'
import { shownRecords, type CalendarSource } from './shown-records.ts'
import { timeInWords } from './time-in-words.ts'

export type UpcomingEntry<R extends CalendarResource> = EntryText & {
  readonly record: RecordOf[R]
  readonly time: EntryTime
  /** For people. */
  readonly when: string
}

export type UpcomingEntries<R extends CalendarResource> = {
  readonly entries: readonly UpcomingEntry<R>[]
  /** When the first of them is over; infinite for none. Milliseconds since the epoch. */
  readonly validUntil: number
}

/** The next entries that a profile sees, those under way too; one without an end lasts its day. */
export function upcomingEntries<R extends CalendarResource>(
  resource: R,
  source: CalendarSource<R>,
  options: {
    readonly reader: Reader
    readonly timeZone: string
    readonly now: number
    readonly most: number
  },
): UpcomingEntries<R> {
  const { reader, timeZone, now, most } = options
  const { timeOf, textFor } = recipeOf(resource)
  const siteNow = DateTime.fromMillis(now, { zone: timeZone }).toFormat("yyyy-MM-dd'T'HH:mm:ss")
  const next = shownRecords(source, reader.profile)
    .map(({ record }) => ({ record, time: timeOf(record).time }))
    .filter(({ time }) => endOf(time) > siteNow)
    .sort((a, b) => compareText(a.time.start, b.time.start) || a.record.id - b.record.id)
    .slice(0, most)
  return {
    entries: next.map(({ record, time }) => ({
      ...textFor(record, reader),
      ...{ record, time },
      when: timeInWords(time),
    })),
    validUntil: Math.min(...next.map(({ time }) => instantFromSiteTime(endOf(time), timeZone))),
  }
}

function endOf(time: EntryTime): string {
  if (time.allDay) return `${time.end}T00:00:00`
  return time.end ?? `${daysAfter(time.start.slice(0, 10), 1)}T00:00:00`
}
