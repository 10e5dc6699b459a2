import type { SiteDate } from '../records/site-time.ts'
import { inSteps, type Steps } from '../steps.ts'
import { shortenedText } from '../text/text.ts'
import type { CalendarEntry, EntryTime } from './calendar-entry.ts'
import { byStartThenUid, distanceFrom } from './date-window.ts'
import type { SiteZone } from './site-zone.ts'
import { renderEvent } from './vevent.ts'

/** Google Calendar fails above about 1 MB. The rest is for time zones and the calendar's properties. */
export const maxEventBytes = 950_000

/** Lengths to which the descriptions of a calendar that is too large are shortened, in turn. */
const descriptionLengths = [4_000, 1_000, 300]

/** A VEVENT, with the fields for choosing among several. */
type SizedEvent = { readonly uid: string; readonly time: EntryTime; readonly bytes: Buffer }

/** An entry as it is shown, with its reminders in minutes before the start. */
export type ShownEntry = { readonly entry: CalendarEntry; readonly alarmMinutes: readonly number[] }

type RenderedEntry = ShownEntry & SizedEvent

/**
 * Renders the entries of a calendar, sorted by start. If they are too large together, shortens long
 * descriptions, and then omits the entries farthest from a day.
 */
export function* eventsThatFit(
  entries: readonly ShownEntry[],
  zone: SiteZone,
  day: SiteDate,
): Steps<{ readonly events: readonly RenderedEntry[]; readonly shortenedTo: number | undefined }> {
  const rendered = (shown: ShownEntry): RenderedEntry => ({
    ...shown,
    uid: shown.entry.uid,
    time: shown.entry.time,
    bytes: renderEvent(shown.entry, zone, shown.alarmMinutes),
  })
  let events = yield* inSteps(entries, rendered)
  let shortenedTo: number | undefined
  for (const length of descriptionLengths) {
    if (sizeOf(events) <= maxEventBytes) break
    shortenedTo = length
    events = yield* inSteps(events, (event) => {
      const { entry, alarmMinutes } = event
      if (entry.description.length <= length) return event
      const description = shortenedText(entry.description, length)
      return rendered({ entry: { ...entry, description }, alarmMinutes })
    })
  }
  return { events: nearestThatFit(events, day, maxEventBytes), shortenedTo }
}

/** Returns the entries nearest to a day that fit into `maxBytes`, sorted by start. */
export function nearestThatFit<T extends SizedEvent>(
  events: readonly T[],
  day: SiteDate,
  maxBytes: number,
): readonly T[] {
  if (sizeOf(events) <= maxBytes) return events.toSorted(byStartThenUid)
  const byDistance = events
    .map((event) => ({ event, distance: distanceFrom(day, event.time) }))
    .toSorted((a, b) => a.distance - b.distance || byStartThenUid(a.event, b.event))
  let size = 0
  const tooFar = byDistance.findIndex(({ event }) => (size += event.bytes.length) > maxBytes)
  return byDistance
    .slice(0, tooFar)
    .map(({ event }) => event)
    .toSorted(byStartThenUid)
}

/**
 * Returns the entries nearest to a day from each of several calendars that fit into `maxBytes`
 * together, sorted by start. Calendars that need more than an equal share get what others leave.
 */
export function nearestOfEach<T extends SizedEvent>(
  calendars: readonly (readonly T[])[],
  day: SiteDate,
  maxBytes: number,
): readonly T[] {
  const bySize = calendars.toSorted((a, b) => sizeOf(a) - sizeOf(b))
  let left = maxBytes
  const shown = bySize.flatMap((events, index) => {
    const nearest = nearestThatFit(events, day, left / (bySize.length - index))
    left -= sizeOf(nearest)
    return nearest
  })
  return shown.toSorted(byStartThenUid)
}

function sizeOf(events: readonly SizedEvent[]): number {
  return events.reduce((size, { bytes }) => size + bytes.length, 0)
}
