import { DateTime } from 'luxon'
import type { Profile } from '../records/profile.ts'
import { daysAfter, type SiteDate } from '../records/site-time.ts'
import type { CalendarEntry } from './calendar-entry.ts'
import type { CalendarOptions } from './calendar-options.ts'
import { entryFrom, recipeOf, timedRecord, uidOf, type TimedRecord } from './entries.ts'
import type { CalendarResource } from './entry-recipe.ts'
import { createRenderedEvents } from './rendered-events.ts'
import { renderICalendar, type CalendarProperties } from './icalendar.ts'
import { dayOf, nearest, within } from './nearest.ts'
import { revisionAt } from './revision.ts'
import { cancelledRecords, shownRecords, type CalendarSource } from './shown-records.ts'
import { createSiteZone, type SiteZone } from './site-zone.ts'
import { renderEvent } from './vevent.ts'

/** As many as clients are known to take. */
const maxEntriesShown = 2_000

const maxRendered = 50_000

export type CalendarRequest = CalendarProperties & {
  readonly options: CalendarOptions
  readonly profile: Profile
  /** Where people read about a record. */
  readonly urlOf: (id: number) => string | undefined
  /** Milliseconds since the epoch. */
  readonly now: number
}

export type RenderedCalendar = {
  readonly body: Buffer
  /** When the clock makes it another. Milliseconds since the epoch. */
  readonly validUntil: number
  /** Records whose times make no sense and are shown as well as they can be. */
  readonly repaired: readonly Repaired[]
  /** How many entries there are beyond those shown. */
  readonly omitted: number
}

export type Repaired = { readonly id: number; readonly reason: string }

export type CalendarRenderer = <R extends CalendarResource>(
  resource: R,
  source: CalendarSource<R>,
  request: CalendarRequest,
) => RenderedCalendar

/**
 * Makes calendars of a site's records. It keeps rendered entries, so that a calendar of which one
 * record has changed is made again at the cost of that one.
 */
export function createCalendarRenderer(site: {
  readonly url: string
  readonly timeZone: string
  readonly maxEntries?: number
}): CalendarRenderer {
  const { url: siteUrl, timeZone, maxEntries = maxEntriesShown } = site
  const siteHost = new URL(siteUrl).hostname
  const rendered = createRenderedEvents(maxRendered)
  const zones = new Map<number, SiteZone>()

  /** The clock changes to come make the zone's rule, so it is another each year. */
  function zoneIn(year: number): SiteZone {
    const zone = zones.get(year) ?? createSiteZone(timeZone, year)
    zones.clear()
    zones.set(year, zone)
    return zone
  }

  return (resource, source, request) => {
    const { options, profile, urlOf } = request
    const siteNow = DateTime.fromMillis(request.now, { zone: timeZone })
    const today = siteNow.toFormat('yyyy-MM-dd')
    const zone = zoneIn(siteNow.year)
    const { chosen, nextAt } = chosenRecords(resource, source, { ...request, siteHost, today })
    const shown = nearest(chosen, today, maxEntries).toSorted(byStartThenUid)
    const omitted = chosen.length - shown.length
    const reader = { profile, siteUrl }
    const variant = JSON.stringify([resource, profile, options, siteNow.year])
    const events = rendered.of(variant, shown, (timed) =>
      renderEvent(entryFrom(resource, timed, { reader, zone, urlOf }), {
        zone,
        alarmMinutes: options.alarmMinutes,
      }),
    )
    const all = events.map(({ bytes }) => bytes)
    if (omitted > 0) {
      const uid = uidOf(resource, 'omitted', siteHost)
      const notice = { uid, ...noticeOf(omitted, shown, source.changedAt) }
      all.push(renderEvent(notice, { zone, alarmMinutes: undefined }).bytes)
    }
    const isDaily =
      omitted > 0 || options.pastDays !== undefined || options.futureDays !== undefined
    const next = siteNow
      .startOf(isDaily ? 'day' : 'year')
      .plus(isDaily ? { days: 1 } : { years: 1 })
    return {
      body: renderICalendar(all, zone, request),
      validUntil: Math.min(next.toMillis(), nextAt),
      repaired: shown.flatMap(({ record, repair }, index) => {
        const reason = repair ?? events[index]?.repair
        return reason === undefined ? [] : [{ id: record.id, reason }]
      }),
      omitted,
    }
  }
}

/** What the options leave of a source, and when a cancelled one is no longer shown. */
function chosenRecords<R extends CalendarResource>(
  resource: R,
  source: CalendarSource<R>,
  request: Pick<CalendarRequest, 'options' | 'profile' | 'now'> & {
    readonly siteHost: string
    readonly today: SiteDate
  },
): { readonly chosen: readonly TimedRecord<R>[]; readonly nextAt: number } {
  const { options, siteHost, today, profile } = request
  const { parts, pastDays, futureDays } = options
  const { partOf } = recipeOf(resource)
  const { cancelled, nextAt } =
    options.cancelled === 'mark'
      ? cancelledRecords(resource, source, request)
      : { cancelled: [], nextAt: Infinity }
  const records = [...shownRecords(source, profile), ...cancelled]
    .filter(({ record }) => parts.length === 0 || parts.includes(partOf?.(record)?.id ?? 0))
    .map((shown) => timedRecord(resource, shown, siteHost))
  const window = {
    from: pastDays === undefined ? undefined : daysAfter(today, -pastDays),
    to: futureDays === undefined ? undefined : daysAfter(today, futureDays),
  }
  return { chosen: within(records, window), nextAt }
}

/** The entry after all others that says how many are missing. */
function noticeOf(
  omitted: number,
  shown: readonly TimedRecord<CalendarResource>[],
  changedAt: number,
): Omit<CalendarEntry, 'uid'> {
  const day = dayOf(shown.at(-1)?.time.start ?? '')
  return {
    time: { allDay: true, start: day, end: daysAfter(day, 1) },
    summary: `${omitted} more entries are not shown`,
    location: '',
    description: `This calendar shows the ${shown.length} entries nearest to today. To see others, subscribe to a part of it: with ?past=DAYS&future=DAYS at the end of its address.`,
    categories: [],
    status: 'confirmed',
    url: undefined,
    revision: revisionAt(changedAt),
  }
}

function byStartThenUid(
  a: TimedRecord<CalendarResource>,
  b: TimedRecord<CalendarResource>,
): number {
  return compare(a.time.start, b.time.start) || compare(a.uid, b.uid)
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
