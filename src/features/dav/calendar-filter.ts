import { instantFromSiteTime } from '../../records/site-time.ts'
import {
  combined,
  isTooLong,
  nameOf,
  propertyFilter,
  type Entry,
  type EntryFilter,
} from './property-filter.ts'
import { childOf, childrenOf, is, namespaces, type Element } from './xml.ts'

const { C } = namespaces

/** Time zone for dates and times without a zone. */
export type Zone = { readonly timeZone: string }

const never: EntryFilter = () => false

/**
 * Reads the filter of a calendar-query (RFC 4791 9.7): a time range, components and the text of
 * properties. Returns undefined for a filter that is invalid or not supported.
 */
export function entryFilterIn(query: Element, zone: Zone): EntryFilter | undefined {
  const filter = childOf(query, C, 'filter')
  const calendar = filter && childOf(filter, C, 'comp-filter')
  if (!calendar || nameOf(calendar) !== 'VCALENDAR' || isTooLong(filter)) return undefined
  const conditions = calendar.children.map((child) =>
    is(child, C, 'comp-filter') ? componentFilter(child, zone) : undefined,
  )
  return combined(conditions)
}

function componentFilter(filter: Element, zone: Zone): EntryFilter | undefined {
  const isEntry = nameOf(filter) === 'VEVENT'
  const isAbsent = childOf(filter, C, 'is-not-defined') !== undefined
  // Calendars contain only `VEVENT` components.
  if (!isEntry || isAbsent) return isEntry === isAbsent ? never : () => true
  // The RFC allows only one, and each range is compared with every entry.
  if (childrenOf(filter, C, 'time-range').length > 1) return undefined
  const conditions = filter.children.map((child) => {
    if (is(child, C, 'time-range')) return timeFilter(child, zone)
    if (is(child, C, 'prop-filter')) return propertyFilter(child, C)
    return is(child, C, 'comp-filter') ? reminderFilter(child) : undefined
  })
  return combined(conditions)
}

/** Filters by reminders, which are the only components of entries. */
function reminderFilter(filter: Element): EntryFilter | undefined {
  const isAbsent = childOf(filter, C, 'is-not-defined') !== undefined
  if (filter.children.length > 0 && !isAbsent) return undefined
  return nameOf(filter) === 'VALARM'
    ? ({ hasAlarm }) => hasAlarm !== isAbsent
    : isAbsent
      ? () => true
      : never
}

/** Matches entries that overlap the range (RFC 4791 9.9). */
function timeFilter(element: Element, zone: Zone): EntryFilter | undefined {
  const range = rangeIn(element)
  return (
    range &&
    ((entry) => {
      const { start, end } = timesOf(entry, zone)
      return start < range.end && (end > range.start || (end === start && start >= range.start))
    })
  )
}

/** Returns the range of a `time-range` element, or undefined if it is invalid. */
export function rangeIn({ attributes }: Element) {
  const [start = -Infinity, end = Infinity] = ['start', 'end'].map((name) => {
    const value = attributes.get(name)
    return value === undefined ? undefined : /^\d{8}T\d{6}Z$/.test(value) ? instantOf(value) : NaN
  })
  return start < end ? { start, end } : undefined
}

/** Returns the start and end of an entry. Only entries without a duration have no `DTEND`. */
export function timesOf({ properties, timeZone }: Entry, zone: Zone) {
  const timeIn = (name: string) => {
    const [value] = properties.get(name) ?? []
    if (value === undefined) return undefined
    return value.endsWith('Z')
      ? instantOf(value)
      : instantFromSiteTime(siteTimeOf(value), timeZone ?? zone.timeZone)
  }
  const start = timeIn('DTSTART') ?? NaN
  return { start, end: timeIn('DTEND') ?? start }
}

function siteTimeOf(value: string): string {
  const [, year, month, day, hour = '00', minute = '00', second = '00'] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d))?/.exec(value) ?? []
  return `${year}-${month}-${day}T${hour}:${minute}:${second}`
}

const instantOf = (value: string) => Date.parse(`${siteTimeOf(value)}Z`)
