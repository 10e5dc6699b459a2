import type { SiteDate } from '../records/site-time.ts'
import { cleanText, compareText } from '../text/text.ts'
import { emptySearch, foldText, isEmptySearch, rankIn, type Search } from '../search/search.ts'
import type { CalendarEntry, EntryTime } from './calendar-entry.ts'
import type { RenderEntries } from './calendar-renderer.ts'
import { maxEventBytes, nearestOfEach } from './calendar-size.ts'
import { omissionNotice } from './entries.ts'
import { paragraphs } from './entry-recipe.ts'
import { renderICalendar, type CalendarProperties } from './icalendar.ts'
import { calendarMessages } from './messages.ts'
import { siteZoneOf } from './site-zone.ts'
import { renderEvent } from './vevent.ts'
import { utcRule, type ZoneRule } from './zone-rule.ts'

export type OrganizationCalendar = {
  readonly rule: ZoneRule
  readonly events: readonly MergedEvent[]
}

type MergedEvent = {
  readonly entry: CalendarEntry
  readonly uid: string
  readonly time: EntryTime
  readonly bytes: Buffer
  /** Texts that a search compares, folded. */
  readonly texts: readonly string[]
}

/** Entries in a time zone, and the year in which they are rendered. */
export type OrganizationEntries = {
  readonly timeZone: string
  readonly year: number
  readonly entries: readonly CalendarEntry[]
}

/**
 * Renders an organization's entries. Each keeps its UID, revision and URL. Its title ends with the
 * name of the organization, and its description with the URL of the organization's page.
 */
export function organizationCalendar(
  { timeZone, year, entries }: OrganizationEntries,
  organization: { readonly name: string; readonly homeUrl: string },
): OrganizationCalendar {
  const zone = siteZoneOf(timeZone, year)
  const name = cleanText(organization.name)
  const events = entries.map((entry) => {
    const { uid, time, summary, location, place, description, categories } = entry
    const credited = {
      ...entry,
      summary: `${summary} (${name})`,
      description: paragraphs(description, `${name}: ${organization.homeUrl}`),
      categories: [...categories, name],
    }
    const texts = [summary, location, place?.address ?? '', categories.join(), description, name]
    const bytes = renderEvent(credited, zone)
    return { uid, time, entry: credited, bytes, texts: texts.map(foldText) }
  })
  return { rule: zone.rule ?? utcRule, events }
}

/**
 * Merges calendars of several organizations. Omits entries that a search does not find. If the
 * calendar would be too large, keeps the entries of each organization that are nearest to today.
 */
export function mergeCalendars(
  calendars: readonly OrganizationCalendar[],
  options: CalendarProperties & {
    readonly timeZone: string
    readonly language: string
    readonly today: SiteDate
    readonly noticeUid: string
    readonly search?: Search
    readonly maxBytes?: number
    readonly renderEntries?: RenderEntries
  },
): Buffer {
  const { timeZone, language, today, noticeUid, maxBytes = maxEventBytes } = options
  const { search = emptySearch, renderEntries = renderICalendar } = options
  const zone = siteZoneOf(timeZone, Number(today.slice(0, 4)))
  const rules = new Map(calendars.map(({ rule }) => [rule.timeZone, rule]))
  const found = calendars.map(({ events }) =>
    events.filter(({ texts }) => isEmptySearch(search) || rankIn(texts, search) !== undefined),
  )
  // The calendar always has its own time zone.
  rules.delete((zone.rule ?? utcRule).timeZone)
  const shown = nearestOfEach(found, today, maxBytes)
  const notices = omissionNotice(shown, found.flat(), {
    uid: noticeUid,
    advice: calendarMessages(language).omitted.ofOrganizations,
    language,
    changedAt: Date.parse(today),
  })
  const sortedRules = [...rules].toSorted(([a], [b]) => compareText(a, b))
  const merged = [...shown, ...notices.map((entry) => ({ entry, bytes: renderEvent(entry, zone) }))]
  return renderEntries(merged, zone, {
    ...options,
    otherRules: sortedRules.map(([, rule]) => rule),
  })
}
