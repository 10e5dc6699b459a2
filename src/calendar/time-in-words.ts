import { DateTime } from 'luxon'
import { daysAfter } from '../records/site-time.ts'
import type { EntryTime } from './calendar-entry.ts'

const day = 'cccc, LLLL d, yyyy'
const time = 'h:mm a'

/** Formats an entry's time for display: `Sunday, March 8, 2026, 8:00 AM – 11:30 AM`. */
export function timeInWords(entryTime: EntryTime): string {
  if (entryTime.allDay) {
    const last = daysAfter(entryTime.end, -1)
    return between(words(entryTime.start, day), words(last, day))
  }
  const { start, end } = entryTime
  const from = words(start, `${day}, ${time}`)
  if (end === undefined) return from
  const isMidnight = end.endsWith('T00:00:00')
  const lastDay = isMidnight ? daysAfter(end.slice(0, 10), -1) : end.slice(0, 10)
  const until = isMidnight ? 'midnight' : words(end, time)
  return between(from, start.startsWith(lastDay) ? until : `${words(lastDay, day)}, ${until}`)
}

function between(from: string, to: string): string {
  return from === to ? from : `${from} – ${to}`
}

function words(dateOrTime: string, format: string): string {
  return DateTime.fromISO(dateOrTime, { zone: 'utc', locale: 'en' }).toFormat(format)
}
