import { DateTime } from 'luxon'

/** Unfolded content line (RFC 5545 3.1). */
export type Line = {
  readonly name: string
  readonly parameters: Readonly<Record<string, string>>
  readonly value: string
}

/** Properties that every calendar must have exactly once. */
export const calendarProperties = [
  'VERSION',
  'PRODID',
  'CALSCALE',
  'NAME',
  'X-WR-CALNAME',
  'DESCRIPTION',
  'X-WR-CALDESC',
  'X-WR-TIMEZONE',
  'REFRESH-INTERVAL',
  'X-PUBLISHED-TTL',
]

/**
 * Expected properties by component. Any other property must have been injected through text in a
 * record.
 */
const expected: Readonly<Record<string, readonly string[]>> = {
  VCALENDAR: [...calendarProperties, 'SOURCE', 'COLOR', 'X-APPLE-CALENDAR-COLOR'],
  VTIMEZONE: ['TZID'],
  STANDARD: ['DTSTART', 'RRULE', 'TZOFFSETFROM', 'TZOFFSETTO'],
  DAYLIGHT: ['DTSTART', 'RRULE', 'TZOFFSETFROM', 'TZOFFSETTO'],
  VEVENT: [
    'UID',
    'SEQUENCE',
    'DTSTAMP',
    'DTSTART',
    'DTEND',
    'SUMMARY',
    'TRANSP',
    'LOCATION',
    'GEO',
    'X-APPLE-STRUCTURED-LOCATION',
    'X-MICROSOFT-CDO-BUSYSTATUS',
    'DESCRIPTION',
    'URL',
    'STATUS',
    'CREATED',
    'LAST-MODIFIED',
    'CATEGORIES',
    'COLOR',
    'RELATED-TO',
  ],
  VALARM: ['ACTION', 'TRIGGER', 'DESCRIPTION'],
}

const text = /^(?:[^\\;,]|\\[\\;,n])+$/
const textList = /^(?:[^\\;]|\\[\\;,n])+$/
const utc = /^\d{8}T\d{6}Z$/
const uri = /^https?:\/\/[!-[\]-~]+$/

const forms: Readonly<Record<string, RegExp>> = {
  VERSION: /^2\.0$/,
  CALSCALE: /^GREGORIAN$/,
  NAME: text,
  'X-WR-CALNAME': text,
  DESCRIPTION: text,
  'X-WR-CALDESC': text,
  'REFRESH-INTERVAL': /^PT\d+[HM]$/,
  'X-PUBLISHED-TTL': /^PT\d+[HM]$/,
  SOURCE: uri,
  COLOR: /^[a-z]{3,20}$/,
  'X-APPLE-CALENDAR-COLOR': /^#[\dA-F]{6}$/,
  URL: uri,
  UID: /^[\w.@-]{1,255}$/,
  'RELATED-TO': /^[\w.@-]{1,255}$/,
  SEQUENCE: /^\d{1,10}$/,
  DTSTAMP: utc,
  CREATED: utc,
  'LAST-MODIFIED': utc,
  SUMMARY: text,
  LOCATION: text,
  GEO: /^-?\d{1,2}(?:\.\d{1,6})?;-?\d{1,3}(?:\.\d{1,6})?$/,
  'X-APPLE-STRUCTURED-LOCATION': /^geo:-?\d{1,2}(?:\.\d+)?,-?\d{1,3}(?:\.\d+)?$/,
  CATEGORIES: textList,
  TRANSP: /^(?:OPAQUE|TRANSPARENT)$/,
  'X-MICROSOFT-CDO-BUSYSTATUS': /^(?:BUSY|FREE)$/,
  STATUS: /^(?:TENTATIVE|CONFIRMED|CANCELLED)$/,
  ACTION: /^DISPLAY$/,
  TRIGGER: /^-PT\d+M$/,
  RRULE: /^FREQ=YEARLY;BYMONTH=\d+;BYDAY=-?\d(?:SU|MO|TU|WE|TH|FR|SA)$/,
  TZOFFSETFROM: /^[+-]\d{4}$/,
  TZOFFSETTO: /^[+-]\d{4}$/,
}

const parameterForms: Readonly<Record<string, string>> = {
  'REFRESH-INTERVAL': '{"VALUE":"DURATION"}',
  SOURCE: '{"VALUE":"URI"}',
  'RELATED-TO': '{"RELTYPE":"SIBLING"}',
}

export function parseLine(line: string): Line | undefined {
  const match = /^([A-Z-]+)((?:;[A-Z-]+=(?:[^";:,]+|"[^"]*"))*):(.*)$/s.exec(line)
  if (!match) return undefined
  const [, name = '', parameters = '', value = ''] = match
  const pairs = [...parameters.matchAll(/;([A-Z-]+)=([^";]+|"[^"]*")/g)]
  return { name, value, parameters: Object.fromEntries(pairs.map(([, key, text]) => [key, text])) }
}

export function lintProperty(
  { name, parameters, value }: Line,
  component: string,
): readonly string[] {
  const faults: string[] = []
  const line = `${name}:${value}`
  if (!expected[component]?.includes(name)) faults.push(`not expected in ${component}: ${line}`)
  if (forms[name]?.test(value) === false) faults.push(`invalid value for ${name}: ${line}`)
  if (component === 'VEVENT' && ['DTSTART', 'DTEND'].includes(name)) {
    faults.push(...lintTime({ name, parameters, value }))
  } else if (name === 'X-APPLE-STRUCTURED-LOCATION') {
    const names = Object.keys(parameters).join()
    if (names !== 'VALUE,X-ADDRESS,X-APPLE-RADIUS,X-TITLE') faults.push(`${name} has ${names}`)
  } else if (JSON.stringify(parameters) !== (parameterForms[name] ?? '{}')) {
    faults.push(`unexpected parameters for ${name}: ${JSON.stringify(parameters)}`)
  }
  if (/^(?:DT|CREATED$|LAST-)/.test(name) && !isRealTime(value)) {
    faults.push(`nonexistent time: ${line}`)
  }
  return faults
}

/** Checks that a value is a date, a time with a zone, or a UTC time, but not a floating time. */
function lintTime({ name, parameters, value }: Line): readonly string[] {
  const form =
    parameters['VALUE'] === 'DATE' ? /^\d{8}$/ : parameters['TZID'] ? /^\d{8}T\d{6}$/ : utc
  return form.test(value) ? [] : [`${name} is not a date, zoned time or UTC time: ${value}`]
}

function isRealTime(value: string): boolean {
  return DateTime.fromISO(value, { zone: 'utc' }).isValid
}
