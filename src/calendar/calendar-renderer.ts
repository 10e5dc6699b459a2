import { DateTime } from 'luxon'
import { isOnline } from '../records/fields.ts'
import type { FeedResource } from '../records/resources.ts'
import { siteDateAt } from '../records/site-time.ts'
import { validityAt } from '../records/validity.ts'
import type { EntryTime } from './calendar-entry.ts'
import type { CalendarSection } from './calendar-section.ts'
import { byStartThenUid, nearest } from './date-window.ts'
import type { DuplicateGroups } from './duplicate-history.ts'
import { entryFrom, omissionNotice, type EntryContext } from './entries.ts'
import { chosenGroups, renderGroup } from './duplicate-groups.ts'
import { uidOf, type EntryRecipe } from './entry-recipe.ts'
import { renderEventFile, renderICalendar, type CalendarProperties } from './icalendar.ts'
import { calendarMessages } from './messages.ts'
import { placeFinder, type Place } from './place.ts'
import { shownRecords, type CalendarSource, type RecordsRequest } from './shown-records.ts'
import { siteZoneOf, type SiteZone } from './site-zone.ts'
import { renderEvent } from './vevent.ts'

/** Every tested client can handle this many entries. */
const maxEntriesShown = 2_000

export type RenderContext = Pick<RecordsRequest, 'profile' | 'now'>

export type CalendarRequest = CalendarProperties &
  RenderContext & {
    /** Start of the UID of the notice about omitted entries. */
    readonly idPrefix: string
    /** Groups of duplicates, each of which appears only once. Undefined if entries are not merged. */
    readonly duplicates?: DuplicateGroups | undefined
  }

export type CalendarRenderer = ReturnType<typeof createCalendarRenderer>

/** Creates a renderer for a site's calendars. */
export function createCalendarRenderer(site: {
  readonly url: string
  /** Host in UIDs. */
  readonly idHost: string
  readonly timeZone: string
  readonly language: string
  readonly places?: readonly Place[] | undefined
  readonly urlOf: EntryContext['urlOf']
  readonly maxEntries?: number
}) {
  const { url: siteUrl, idHost, timeZone, language, urlOf, maxEntries = maxEntriesShown } = site
  const placeOf = placeFinder(site.places ?? [])
  const zoneAt = (now: number) =>
    siteZoneOf(timeZone, Number(siteDateAt(now, timeZone).slice(0, 4)))

  function contextFor({ profile, now }: RenderContext): EntryContext {
    return { reader: { profile, siteUrl, language }, idHost, zone: zoneAt(now), placeOf, urlOf }
  }

  /** Renders sections, in their fixed order, as one calendar. */
  function render(sections: readonly CalendarSection[], request: CalendarRequest) {
    const { profile, now, idPrefix, duplicates } = request
    const context = contextFor(request)
    const { zone } = context
    const today = siteDateAt(now, timeZone)
    const asked = { profile, now, idHost, timeZone, language, siteUrl }
    const chosen = chosenGroups(sections, asked, duplicates)
    const shown = nearest(chosen.groups, today, maxEntries).toSorted(byStartThenUid)
    const isDaily = shown.length < chosen.groups.length || sections.some(isOfSomeDays)
    const changesAt = [...chosen.changesAt, ...endsOf(isDaily ? 'day' : 'year', now, timeZone)]
    const period = validityAt(now, changesAt)
    const events = shown.map((group) => renderGroup(group, context))
    const notice = omissionNotice(shown, chosen.groups, {
      uid: uidOf(idPrefix, 'omitted', idHost),
      advice: calendarMessages(language).omitted.smaller,
      language,
      changedAt: Math.max(period.validFrom, ...sections.map(({ changedAt }) => changedAt)),
    })
    const notices = notice.map((entry) => renderEvent(entry, zone))
    return { body: renderICalendar([...events, ...notices], zone, request), ...period }
  }

  /** Renders a single record's entry as a file, or undefined if it is hidden from the profile. */
  function renderOne<R extends FeedResource>(
    recipe: EntryRecipe<R>,
    source: CalendarSource<R>,
    { id, ...request }: RenderContext & { readonly id: number },
  ): Buffer | undefined {
    const records = source.records.filter((record) => record.id === id)
    const [shown] = shownRecords(recipe, { ...source, records }, request.profile)
    if (!shown) return undefined
    const context = contextFor(request)
    const event = renderEvent(entryFrom(recipe, shown, context), context.zone)
    return renderEventFile(event, context.zone)
  }

  /** Finds problems with a calendar's records, without personal data. */
  function diagnose<R extends FeedResource>(
    recipe: EntryRecipe<R>,
    source: CalendarSource<R>,
    now: number,
  ) {
    const zone = zoneAt(now)
    return {
      /** Records with invalid times, which the calendar shows with corrected times. */
      repaired: shownRecords(recipe, source, 'full').flatMap(({ record, time, repair }) => {
        const reason = repair ?? (hasSkippedTime(time, zone) ? skipped : undefined)
        return reason === undefined ? [] : [{ id: record.id, reason }]
      }),
      omitted: Math.max(0, source.records.filter(isOnline).length - maxEntries),
    }
  }

  return { render, renderOne, diagnose }
}

const skipped = 'has a time that daylight saving time skips that day'

function hasSkippedTime(time: EntryTime, zone: SiteZone): boolean {
  if (time.allDay) return false
  const { start, end = start } = time
  return [start, end].some((wallTime) => zone.momentOf(wallTime).wallTime !== wallTime)
}

/**
 * Returns the start and end of the site's day or year that contains an instant. If midnight is
 * skipped on that day, it starts after the gap.
 */
function endsOf(unit: 'day' | 'year', instant: number, timeZone: string): readonly number[] {
  const time = DateTime.fromMillis(instant, { zone: timeZone })
  return [time, time.plus({ [unit]: 1 })].map((each) => each.startOf(unit).toMillis())
}

function isOfSomeDays({ options: { pastDays, futureDays } }: CalendarSection): boolean {
  return pastDays !== undefined || futureDays !== undefined
}
