import { foldLines } from 'ical-generator'
import { daysAfter, type SiteDate } from '../records/site-time.ts'
import { cleanText, compareText } from '../text/text.ts'
import { emptySearch, foldText, isEmptySearch, rankIn, type Search } from '../search/search.ts'
import type { EntryTime } from './calendar-entry.ts'
import { maxEventBytes, nearestThatFit } from './calendar-size.ts'
import { omissionNotice } from './entries.ts'
import { renderICalendar, text, type CalendarProperties } from './icalendar.ts'
import { calendarMessages } from './messages.ts'
import { siteZoneOf } from './site-zone.ts'
import { renderEvent } from './vevent.ts'
import { utcRule } from './zone-rule.ts'

/** An organization's calendar, to be merged with others. */
export type OrganizationCalendar = {
  readonly events: readonly MergedEvent[]
  /** VTIMEZONE components by TZID. */
  readonly zones: ReadonlyMap<string, Buffer>
}

type MergedEvent = {
  readonly uid: string
  readonly time: EntryTime
  readonly bytes: Buffer
  /** Texts that a search compares, folded. */
  readonly texts: readonly string[]
}

export type Organization = {
  readonly name: string
  /** URL of the page where people can follow the organization. */
  readonly homeUrl: string
}

/**
 * Reads a calendar rendered by Feedhouse, without alarms. Each entry keeps its UID, revision and
 * URL. Its title ends with the name of the organization, and its description with the URL of the
 * organization's page.
 */
export function readOrganizationCalendar(
  calendar: string,
  organization: Organization,
): OrganizationCalendar {
  const zones = new Map<string, Buffer>()
  const events: MergedEvent[] = []
  for (const lines of componentsIn(calendar)) {
    if (lines[0] === 'BEGIN:VEVENT') events.push(eventFrom(lines, organization))
    else zones.set(valueOf(lines, 'TZID'), bytesOf(lines))
  }
  return { events, zones }
}

/**
 * Merges calendars of several organizations. Omits entries that a search does not find. If the
 * calendar would be too large, keeps the entries that are nearest to today.
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
  },
): Buffer {
  const { timeZone, language, today, noticeUid, maxBytes = maxEventBytes } = options
  const { search = emptySearch } = options
  const zone = siteZoneOf(timeZone, Number(today.slice(0, 4)))
  const zones = new Map(calendars.flatMap((calendar) => [...calendar.zones]))
  const events = calendars
    .flatMap((calendar) => calendar.events)
    .filter(({ texts }) => isEmptySearch(search) || rankIn(texts, search) !== undefined)
  // The calendar always has its own time zone.
  zones.delete((zone.rule ?? utcRule).timeZone)
  const shown = nearestThatFit(events, today, maxBytes)
  const notices = omissionNotice(shown, events, {
    uid: noticeUid,
    advice: calendarMessages(language).omitted.ofOrganizations,
    language,
    changedAt: Date.parse(today),
  })
  const sortedZones = [...zones].toSorted(([a], [b]) => compareText(a, b))
  const components = [
    ...sortedZones.map(([, bytes]) => bytes),
    ...shown.map(({ bytes }) => bytes),
    ...notices.map((notice) => renderEvent(notice, zone)),
  ]
  return renderICalendar(components, zone, options)
}

export function titleOfCalendar(text: string): string {
  return unescaped(valueOf(unfolded(text).split('\r\n'), 'NAME'))
}

function componentsIn(text: string): readonly (readonly string[])[] {
  const components: string[][] = []
  let open: { readonly lines: string[]; readonly end: string } | undefined
  for (const line of unfolded(text).split('\r\n')) {
    const [, name] = /^BEGIN:(VTIMEZONE|VEVENT)$/.exec(line) ?? []
    if (name !== undefined) open ??= { lines: [], end: `END:${name}` }
    open?.lines.push(line)
    if (line !== open?.end) continue
    components.push(open.lines)
    open = undefined
  }
  return components
}

function unfolded(text: string): string {
  return text.replace(/\r\n[ \t]/g, '')
}

function bytesOf(lines: readonly string[]): Buffer {
  return Buffer.from(foldLines([...lines, ''].join('\r\n')))
}

const searchedProperties = ['SUMMARY', 'LOCATION', 'CATEGORIES', 'DESCRIPTION']

function eventFrom(lines: readonly string[], organization: Organization): MergedEvent {
  const { homeUrl } = organization
  const name = text(cleanText(organization.name))
  const credit = `${name}: ${text(homeUrl)}`
  const suffixes = new Map([
    ['SUMMARY', ` (${name})`],
    ['DESCRIPTION', `\\n\\n${credit}`],
    ['CATEGORIES', `,${name}`],
  ])
  const changed = lines.map((line) => {
    const property = line.slice(0, line.indexOf(':'))
    const suffix = suffixes.get(property) ?? ''
    suffixes.delete(property)
    return `${line}${suffix}`
  })
  const missing = [
    ...(suffixes.has('DESCRIPTION') ? [`DESCRIPTION:${credit}`] : []),
    ...(suffixes.has('CATEGORIES') ? [`CATEGORIES:${name}`] : []),
  ]
  return {
    uid: valueOf(lines, 'UID'),
    time: timeOf(lines),
    bytes: bytesOf(changed.toSpliced(-1, 0, ...missing)),
    texts: [
      ...searchedProperties.map((property) => unescaped(valueOf(lines, property))),
      organization.name,
    ].map(foldText),
  }
}

function valueOf(lines: readonly string[], property: string): string {
  const found = lines.find((line) => /^[^:;]*/.exec(line)?.[0] === property) ?? ''
  return found.slice(found.indexOf(':') + 1)
}

function timeOf(lines: readonly string[]): EntryTime {
  const start = valueOf(lines, 'DTSTART')
  const end = valueOf(lines, 'DTEND')
  if (start.length > 8) {
    return { allDay: false, start: extended(start), end: end === '' ? undefined : extended(end) }
  }
  const day = extended(start)
  return { allDay: true, start: day, end: end === '' ? daysAfter(day, 1) : extended(end) }
}

/** Converts from the ISO 8601 basic format. */
function extended(value: string): string {
  return value
    .replace('Z', '')
    .replace(/^(\d{4})(\d{2})(\d{2})/, '$1-$2-$3')
    .replace(/T(\d{2})(\d{2})(\d{2})$/, 'T$1:$2:$3')
}

/** Undoes the escaping of TEXT (RFC 5545 3.3.11). */
function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_escaped, letter: string) =>
    letter.toLowerCase() === 'n' ? '\n' : letter,
  )
}
