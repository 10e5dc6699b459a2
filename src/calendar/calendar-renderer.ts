import { DateTime } from 'luxon'
import type { Profile } from '../records/profile.ts'
import type { FeedResource } from '../records/resources.ts'
import { daysAfter } from '../records/site-time.ts'
import { compareText } from '../records/text.ts'
import type { CalendarEntry } from './calendar-entry.ts'
import type { CalendarOptions } from './calendar-options.ts'
import { reviewCalendar, type CalendarReview } from './calendar-diagnostics.ts'
import { calendarPart } from './calendar-part.ts'
import { entryFrom, timedRecord, uidOf } from './entries.ts'
import type { EntryRecipe } from './entry-recipe.ts'
import { renderEventFile, renderICalendar, type CalendarProperties } from './icalendar.ts'
import { dayOf, nearest } from './date-window.ts'
import { chosenGroups } from './chosen-groups.ts'
import type { DuplicateGroups } from './duplicate-history.ts'
import { renderGroups, type CalendarSection, type ShownGroup } from './shown-groups.ts'
import { placeFinder, type Place } from './place.ts'
import { createRenderedEvents } from './rendered-events.ts'
import { revisionAt } from './revision.ts'
import { shownRecords, type CalendarSource } from './shown-records.ts'
import { createSiteZone, type SiteZone } from './site-zone.ts'
import { renderEvent } from './vevent.ts'

/** Every tested client can handle this many entries. */
const maxEntriesShown = 2_000

const defaultMaxRendered = 50_000

export type RenderContext = {
  readonly profile: Profile
  /** Milliseconds since the epoch. */
  readonly now: number
}

export type CalendarRequest = CalendarProperties &
  RenderContext & { readonly options: CalendarOptions }

export type CombinedRequest = CalendarProperties &
  RenderContext & {
    /** Start of the UIDs of notices. */
    readonly idPrefix: string
    /**
     * Entries that are in several sources and appear only once. Undefined if entries are not
     * merged.
     */
    readonly duplicates: DuplicateGroups | undefined
  }

export type RenderedCalendar = {
  readonly body: Buffer
  /** Period for which the rendered calendar is valid, in milliseconds since the epoch. */
  readonly validFrom: number
  readonly validUntil: number
}

export type CalendarRenderer = {
  readonly render: <R extends FeedResource>(
    recipe: EntryRecipe<R>,
    source: CalendarSource<R>,
    request: CalendarRequest,
  ) => RenderedCalendar
  /** Renders several sources, in their fixed order, as one calendar. */
  readonly renderCombined: (
    sections: readonly CalendarSection[],
    request: CombinedRequest,
  ) => RenderedCalendar
  /** Renders a single record's entry as a file; undefined if it is hidden from the profile. */
  readonly renderOne: <R extends FeedResource>(
    recipe: EntryRecipe<R>,
    source: CalendarSource<R>,
    request: RenderContext & { readonly id: number },
  ) => Buffer | undefined
  readonly diagnose: <R extends FeedResource>(
    recipe: EntryRecipe<R>,
    source: CalendarSource<R>,
    now: number,
  ) => CalendarReview
}

/**
 * Creates a renderer for a site's calendars. It caches rendered entries, so that a change to a
 * record re-renders only that record's entry.
 */
export function createCalendarRenderer(site: {
  readonly url: string
  /** Host in UIDs. */
  readonly idHost: string
  readonly timeZone: string
  readonly places?: readonly Place[] | undefined
  /** Returns the URL of a record's page for readers with the given profile. */
  readonly urlOf: (resource: FeedResource, id: number, profile: Profile) => string | undefined
  readonly maxEntries?: number
  /** Maximum number of rendered entries to keep. */
  readonly maxRendered?: number
}): CalendarRenderer {
  const { url: siteUrl, idHost, timeZone, urlOf } = site
  const { maxEntries = maxEntriesShown, maxRendered = defaultMaxRendered } = site
  const rendered = createRenderedEvents(maxRendered)
  const placeOf = placeFinder(site.places ?? [])
  let current: { readonly year: number; readonly zone: SiteZone } | undefined

  const siteTimeAt = (instant: number) => DateTime.fromMillis(instant, { zone: timeZone })

  /** Creates the zone once per year, because its rule depends on future clock changes. */
  function zoneIn(year: number): SiteZone {
    if (current?.year !== year) current = { year, zone: createSiteZone(timeZone, year) }
    return current.zone
  }

  function renderCombined(
    sections: readonly CalendarSection[],
    request: CombinedRequest,
  ): RenderedCalendar {
    const { profile, now, idPrefix } = request
    const siteNow = siteTimeAt(now)
    const zone = zoneIn(siteNow.year)
    const today = siteNow.toFormat('yyyy-MM-dd')
    const reader = { profile, siteUrl }
    const context = { profile, now, today, idHost, timeZone }
    const { groups, ...validity } = chosenGroups(sections, { ...request, ...context })
    const shown = nearest(groups, today, maxEntries).toSorted(byStartThenUid)
    const omitted = groups.length - shown.length
    const isDaily = omitted > 0 || sections.some(({ options }) => isOfSomeDays(options))
    const period = periodOf(siteNow, isDaily ? 'day' : 'year')
    const validFrom = Math.max(period.start, validity.validFrom)
    const events = renderGroups(shown, {
      rendered,
      zone,
      variant: [profile, siteNow.year],
      entryOptions: ({ part: { resource }, options: { busy } }) => ({
        reader,
        zone,
        busy,
        placeOf,
        urlOf: (id) => urlOf(resource, id, profile),
      }),
    })
    const changedAt = Math.max(0, ...sections.map(({ part }) => part.changedAt))
    const notices = noticesAfter(shown, omitted).map((notice) => {
      const uid = uidOf(idPrefix, 'omitted', idHost)
      const revision = revisionAt(Math.max(changedAt, validFrom))
      return renderEvent({ ...notice, uid, revision }, { zone, alarmMinutes: [] })
    })
    return {
      body: renderICalendar([...events, ...notices], zone, request),
      validFrom,
      validUntil: Math.min(period.end, validity.validUntil),
    }
  }

  return {
    renderCombined,
    render(recipe, source, request) {
      const part = calendarPart(recipe, source)
      const section = { part, options: request.options, label: undefined }
      const idPrefix = recipe.uidPrefix ?? recipe.resource
      return renderCombined([section], { ...request, idPrefix, duplicates: undefined })
    },
    renderOne(recipe, source, { id, profile, now }) {
      const zone = zoneIn(siteTimeAt(now).year)
      const records = source.records.filter((record) => record.id === id)
      const [shown] = shownRecords({ ...source, records }, profile)
      if (!shown || recipe.isShown?.(shown.record, profile) === false) return undefined
      const entry = entryFrom(recipe, timedRecord(recipe, shown, idHost), {
        reader: { profile, siteUrl },
        zone,
        busy: undefined,
        placeOf,
        urlOf: (recordId) => urlOf(recipe.resource, recordId, profile),
      })
      return renderEventFile(renderEvent(entry, { zone, alarmMinutes: [] }), zone)
    },
    diagnose(recipe, source, now) {
      return reviewCalendar(recipe, source, { zone: zoneIn(siteTimeAt(now).year), maxEntries })
    },
  }
}

/**
 * Returns the day or year that contains a time. If midnight is skipped on that day, it starts after
 * the gap.
 */
function periodOf(time: DateTime, unit: 'day' | 'year') {
  const next = time.plus({ [unit]: 1 })
  return { start: time.startOf(unit).toMillis(), end: next.startOf(unit).toMillis() }
}

function isOfSomeDays({ pastDays, futureDays }: CalendarOptions): boolean {
  return pastDays !== undefined || futureDays !== undefined
}

/** Returns an entry that reports the number of omitted entries, or an empty list if it is zero. */
function noticesAfter(
  shown: readonly ShownGroup[],
  omitted: number,
): readonly Omit<CalendarEntry, 'uid' | 'revision'>[] {
  const last = shown.at(-1)
  if (!last || omitted === 0) return []
  const day = dayOf(last.time.start)
  const notice = {
    summary: `${omitted} more entries are not shown`,
    description: `This calendar shows the ${shown.length} entries nearest to today. The subscribe page has smaller calendars; past=DAYS and future=DAYS in the address of one choose other days.`,
    time: { allDay: true, start: day, end: daysAfter(day, 1) },
    status: 'confirmed',
    location: '',
    categories: [],
    isBusy: false,
    url: undefined,
  } as const
  return [notice]
}

function byStartThenUid(a: ShownGroup, b: ShownGroup): number {
  return compareText(a.time.start, b.time.start) || compareText(a.uid, b.uid)
}
