import { dayMs } from '../../clock.ts'
import { instantFromSiteTime } from '../../records/site-time.ts'
import { childOf, childrenOf, is, namespaces, type Element } from './xml.ts'

const { C } = namespaces

/** Returns true if an entry matches, given its unfolded lines. */
export type EntryFilter = (lines: readonly string[]) => boolean

/** Time zone for dates and floating times. */
export type Zone = { readonly timeZone: string }

const never: EntryFilter = () => false

/**
 * Reads the filter of a calendar-query (RFC 4791 9.7): a time range, components and the text of
 * properties. Returns undefined for a filter that is invalid or not supported.
 */
export function entryFilterIn(query: Element, zone: Zone): EntryFilter | undefined {
  const filter = childOf(query, C, 'filter')
  const calendar = filter && childOf(filter, C, 'comp-filter')
  if (!calendar || nameOf(calendar) !== 'VCALENDAR') return undefined
  const conditions = calendar.children.map((child) =>
    is(child, C, 'comp-filter') ? componentFilter(child, zone) : undefined,
  )
  return allOf(conditions)
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
    if (is(child, C, 'prop-filter')) return propertyFilter(child)
    // The only possible component is an alarm, and entries have none.
    if (is(child, C, 'comp-filter')) {
      return childOf(child, C, 'is-not-defined') ? () => true : never
    }
    return undefined
  })
  return allOf(conditions)
}

function allOf(conditions: readonly (EntryFilter | undefined)[]): EntryFilter | undefined {
  const known = conditions.filter((condition) => condition !== undefined)
  return known.length < conditions.length
    ? undefined
    : (lines) => known.every((isMatch) => isMatch(lines))
}

const nameOf = ({ attributes }: Element) => attributes.get('name')?.toUpperCase()

/** Matches entries that overlap the range (RFC 4791 9.9). */
function timeFilter(element: Element, zone: Zone): EntryFilter | undefined {
  const range = rangeIn(element)
  return (
    range &&
    ((lines) => {
      const { start, end } = timesIn(lines, zone) ?? { start: Infinity, end: Infinity }
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

/** Returns when an entry starts and ends, given its unfolded lines. */
export function timesIn(lines: readonly string[], zone: Zone) {
  const starts = timeIn(lines, 'DTSTART', zone)
  if (!starts) return undefined
  const { at: start, isDay } = starts
  return { start, end: timeIn(lines, 'DTEND', zone)?.at ?? (isDay ? start + dayMs : start) }
}

function timeIn(lines: readonly string[], property: string, { timeZone }: Zone) {
  const line = lines.find((each) => /^[^:;]*/.exec(each)?.[0] === property)
  const [, parameters = '', value = ''] =
    /^[^:;]*([^:]*):(\d{8}(?:T\d{6}Z?)?)$/.exec(line ?? '') ?? []
  const [, zone = timeZone] = /;TZID=([^;]+)/.exec(parameters) ?? []
  if (value === '') return undefined
  const isDay = !value.includes('T')
  const at = value.endsWith('Z') ? instantOf(value) : instantFromSiteTime(siteTimeOf(value), zone)
  return { at, isDay }
}

function siteTimeOf(value: string): string {
  const [, year, month, day, hour = '00', minute = '00', second = '00'] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d))?/.exec(value) ?? []
  return `${year}-${month}-${day}T${hour}:${minute}:${second}`
}

function instantOf(value: string): number {
  return Date.parse(`${siteTimeOf(value)}Z`)
}

/** Matches entries by the text of a property (RFC 4791 9.7.2). */
function propertyFilter(filter: Element): EntryFilter | undefined {
  const name = nameOf(filter)
  if (childOf(filter, C, 'is-not-defined')) return (lines) => valuesOf(lines, name).length === 0
  const texts = childrenOf(filter, C, 'text-match')
  if (texts.length < filter.children.length) return undefined
  const matches = texts.map(({ text, attributes }) => {
    const isNegated = attributes.get('negate-condition') === 'yes'
    const searched = text.toLowerCase()
    return (value: string) => value.toLowerCase().includes(searched) !== isNegated
  })
  return (lines) =>
    valuesOf(lines, name).some((value) => matches.every((isMatch) => isMatch(value)))
}

function valuesOf(lines: readonly string[], name: string | undefined): readonly string[] {
  return lines
    .filter((line) => /^[^:;]*/.exec(line)?.[0] === name)
    .map((line) => line.slice(line.indexOf(':') + 1).replaceAll(/\\([\\;,])/g, '$1'))
}

/** Returns the unfolded lines of the entry in a file. */
export function entryLines(body: string): readonly string[] {
  const entry = body.slice(body.indexOf('BEGIN:VEVENT'))
  return entry.replaceAll('\r\n ', '').split('\r\n')
}
