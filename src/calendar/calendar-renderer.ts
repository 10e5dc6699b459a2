import { DateTime } from 'luxon'
import { inSteps, type Steps } from '../steps.ts'
import type { Profile } from '../records/profile.ts'
import { isOnline } from '../records/fields.ts'
import { endpointOf, type FeedResource } from '../records/resources.ts'
import { siteDateAt } from '../records/site-time.ts'
import { validityAt, type Validity } from '../records/validity.ts'
import type { CalendarEntry, EntryTime } from './calendar-entry.ts'
import { calendarSection, type CalendarSection } from './calendar-section.ts'
import { eventsThatFit, maxEventBytes } from './calendar-size.ts'
import { noCalendarOptions } from './calendar-options.ts'
import { byStartThenUid, nearest } from './date-window.ts'
import type { DuplicateGroups } from './duplicate-groups.ts'
import { entryFrom, omissionNotice, type EntryContext } from './entries.ts'
import { chosenGroups, entryOfGroup } from './entry-groups.ts'
import { paragraphs, uidOf, type EntryRecipe } from './entry-recipe.ts'
import { renderEventFile, renderICalendar, type CalendarProperties } from './icalendar.ts'
import { calendarMessages } from './messages.ts'
import { placeFinder, placeKey, type Place } from './place.ts'
import { shownRecords, type CalendarSource } from './shown-records.ts'
import { siteZoneOf, type SiteZone } from './site-zone.ts'
import { renderEvent } from './vevent.ts'

/** Every tested client can handle this many entries. */
const maxEntriesShown = 2_000

export type RenderContext = {
  readonly profile: Profile
  readonly now: number
  /** When the profile or the options last changed for these readers. */
  readonly entriesChangedAt?: number | undefined
}

/** Renders the entries that a calendar has room for. `bytes` are an entry's VEVENT. */
export type RenderEntries = (
  entries: readonly { readonly entry: CalendarEntry; readonly bytes: Buffer }[],
  zone: SiteZone,
  properties: CalendarProperties,
) => Buffer

export type CalendarRequest = CalendarProperties &
  RenderContext & {
    /** Start of the UID of the notice about omitted entries. */
    readonly idPrefix: string
    /** Groups of duplicates, each of which appears only once. Undefined if entries are not merged. */
    readonly duplicates?: DuplicateGroups | undefined
    /** The default is iCalendar. */
    readonly renderEntries?: RenderEntries
  }

export type CalendarRenderer = {
  /** Renders sections, in their fixed order, as one calendar. */
  readonly render: (
    sections: readonly CalendarSection[],
    request: CalendarRequest,
  ) => Steps<RenderedCalendar>
  /**
   * Renders a copy of a single record's entry. Returns undefined if it is hidden from the profile.
   */
  readonly renderOne: <R extends FeedResource>(
    recipe: EntryRecipe<R>,
    source: CalendarSource<R>,
    request: RenderContext & { readonly id: number },
  ) => Buffer | undefined
  readonly diagnose: <R extends FeedResource>(
    recipe: EntryRecipe<R>,
    source: CalendarSource<R>,
    now: number,
  ) => Steps<CalendarDiagnosis>
}

export type RenderedCalendar = Validity &
  Omit<CalendarDiagnosis, 'repaired'> & {
    readonly body: Buffer
    readonly entries: readonly CalendarEntry[]
  }

/** Problems with a calendar's records, without personal data. */
export type CalendarDiagnosis = {
  /** Records with invalid times, which the calendar shows with corrected times. */
  readonly repaired: readonly { readonly id: number; readonly reason: string }[]
  /** Number of entries that the calendar has no room for. */
  readonly omitted: number
  /** Length of the longest descriptions, if they are shortened. */
  readonly shortenedTo?: number | undefined
}

export function createCalendarRenderer(site: {
  readonly url: string
  readonly idHost: string
  readonly timeZone: string
  readonly language: string
  readonly places?: readonly Place[] | undefined
  readonly urlOf: EntryContext['urlOf']
  /** Times when settings last changed, by name, in milliseconds since the epoch. */
  readonly entrySettingsChangedAt?: Readonly<Record<string, number>> | undefined
  readonly maxEntries?: number
}): CalendarRenderer {
  const { url: siteUrl, idHost, timeZone, language, urlOf, maxEntries = maxEntriesShown } = site
  const placeOf = placeFinder(site.places ?? [])
  const changedAt = site.entrySettingsChangedAt ?? {}
  const zoneAt = (now: number) =>
    siteZoneOf(timeZone, Number(siteDateAt(now, timeZone).slice(0, 4)))

  function contextFor({ profile, now, entriesChangedAt = 0 }: RenderContext): EntryContext {
    const reader = { profile, siteUrl, language }
    const settingsChangedAt = (resource: FeedResource, location: string) => {
      const names = ['all', resource, `link ${endpointOf(resource)}`, `place ${placeKey(location)}`]
      return Math.max(entriesChangedAt, ...names.map((name) => changedAt[name] ?? 0))
    }
    return { reader, idHost, zone: zoneAt(now), placeOf, urlOf, settingsChangedAt }
  }

  const render: CalendarRenderer['render'] = function* (sections, request) {
    const { profile, now, idPrefix, duplicates, renderEntries = renderICalendar } = request
    const context = contextFor(request)
    const { zone } = context
    const today = siteDateAt(now, timeZone)
    const asked = { profile, now, idHost, timeZone, language, siteUrl }
    const chosen = chosenGroups(sections, asked, duplicates)
    yield
    const nearby = nearest(chosen.groups, today, maxEntries).toSorted(byStartThenUid)
    const entries = yield* inSteps(nearby, (group) => entryOfGroup(group, context))
    const { events, shortenedTo } = yield* eventsThatFit(entries, zone, today)
    const omitted = chosen.groups.length - events.length
    const isDaily = omitted > 0 || sections.some(isOfSomeDays)
    const changesAt = [...chosen.changesAt, ...endsOf(isDaily ? 'day' : 'year', now, timeZone)]
    const period = validityAt(now, changesAt)
    const notice = omissionNotice(events, chosen.groups, {
      uid: uidOf(idPrefix, 'omitted', idHost),
      advice: calendarMessages(language).omitted.smaller,
      language,
      changedAt: Math.max(period.validFrom, ...sections.map(({ changedAt }) => changedAt)),
    })
    const notices = notice.map((entry) => ({ entry, bytes: renderEvent(entry, zone) }))
    const shown = [...events, ...notices]
    const body = renderEntries(shown, zone, request)
    return { body, entries: shown.map(({ entry }) => entry), ...period, omitted, shortenedTo }
  }

  const renderOne: CalendarRenderer['renderOne'] = (recipe, source, { id, ...request }) => {
    const records = source.records.filter((record) => record.id === id)
    const [shown] = shownRecords(recipe, { ...source, records }, request.profile)
    if (!shown) return undefined
    const context = contextFor(request)
    const entry = entryFrom(recipe, shown, context)
    const description = paragraphs(entry.description, calendarMessages(language).copy)
    const event = renderEvent({ ...entry, description }, context.zone)
    return renderEventFile(event, context.zone)
  }

  const diagnose: CalendarRenderer['diagnose'] = function* (recipe, source, now) {
    const zone = zoneAt(now)
    const online = source.records.filter(isOnline)
    const section = calendarSection(recipe, source, {
      options: noCalendarOptions,
      label: undefined,
    })
    const tooLarge = mayBeTooLarge(online)
      ? yield* render([section], { ...unnamed, profile: 'members', now })
      : undefined
    yield
    return {
      repaired: shownRecords(recipe, source, 'full').flatMap(({ record, time, repair }) => {
        const reason = repair ?? (hasSkippedTime(time, zone) ? skipped : undefined)
        return reason === undefined ? [] : [{ id: record.id, reason }]
      }),
      omitted: tooLarge?.omitted ?? Math.max(0, online.length - maxEntries),
      shortenedTo: tooLarge?.shortenedTo,
    }
  }

  return { render, renderOne, diagnose }
}

/** Properties of a calendar that is only rendered to find out its size. */
const unnamed = { name: '', description: '', url: undefined, idPrefix: '' }

/** Size of an entry without its texts. */
const entryBytes = 400

/** Returns false if the texts of records are so short that their calendar is small enough. */
function mayBeTooLarge(records: readonly object[]): boolean {
  let bytes = 0
  for (const record of records) {
    bytes += entryBytes
    for (const value of Object.values(record)) {
      if (typeof value === 'string') bytes += Buffer.byteLength(value)
    }
  }
  return bytes > maxEventBytes
}

const skipped = 'has a time that daylight saving time skips that day'

function hasSkippedTime(time: EntryTime, zone: SiteZone): boolean {
  if (time.allDay) return false
  const { start, end = start } = time
  return [start, end].some((wallTime) => zone.momentOf(wallTime).wallTime !== wallTime)
}

/** The day or year that contains an instant. If midnight is skipped, it starts after the gap. */
function endsOf(unit: 'day' | 'year', instant: number, timeZone: string): readonly number[] {
  const time = DateTime.fromMillis(instant, { zone: timeZone })
  return [time, time.plus({ [unit]: 1 })].map((each) => each.startOf(unit).toMillis())
}

function isOfSomeDays({ options: { pastDays, futureDays } }: CalendarSection): boolean {
  return pastDays !== undefined || futureDays !== undefined
}
