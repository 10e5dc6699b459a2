import { DateTime } from 'luxon'

/* Finds what parsers miss: most of them accept nearly any input and misread some of it. */

/** Returns all violations of RFC 5545 in a calendar. */
export function lintCalendar(bytes: Buffer): readonly string[] {
  return [...lintBytes(bytes), ...lintComponents(contentLines(bytes))]
}

function lintBytes(bytes: Buffer): readonly string[] {
  const text = bytes.toString('utf8')
  const physicalLines = text.split('\r\n')
  const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/ // oxlint-disable-line no-control-regex
  return [
    !text.startsWith('BEGIN:VCALENDAR\r\n') && 'does not begin with VCALENDAR',
    !text.endsWith('END:VCALENDAR\r\n') && 'does not end with END:VCALENDAR and CRLF',
    !Buffer.from(text).equals(bytes) && 'is not UTF-8, or is folded inside a character',
    text.includes('\ufffd') && 'has replacement characters',
    /(?:^|[^\r])\n|\r(?!\n)/.test(text) && 'has a line break that is not CRLF',
    control.test(text) && 'has a control character',
    physicalLines.some((line) => Buffer.byteLength(line) > 75) && 'has a line over 75 octets',
    physicalLines.slice(0, -1).includes('') && 'has an empty line',
  ].filter((fault) => fault !== false)
}

function contentLines(bytes: Buffer): readonly string[] {
  return bytes.toString('utf8').replaceAll('\r\n ', '').split('\r\n').slice(0, -1)
}

const requiredOfEvents = ['UID', 'SEQUENCE', 'DTSTAMP', 'DTSTART', 'SUMMARY', 'LAST-MODIFIED']
const repeatable = ['CATEGORIES']
const components: Readonly<Record<string, readonly string[]>> = {
  '': ['VCALENDAR'],
  VCALENDAR: ['VTIMEZONE', 'VEVENT'],
  VTIMEZONE: ['STANDARD', 'DAYLIGHT'],
  VEVENT: ['VALARM'],
}

type Component = {
  readonly name: string
  readonly lines: Line[]
  readonly parts: Component[]
}

/** Returns the violations in unfolded lines, checked for each component and property. */
function lintComponents(texts: readonly string[]): readonly string[] {
  const faults: string[] = []
  const root: Component = { name: '', lines: [], parts: [] }
  const open = [root]
  for (const text of texts) {
    const line = parseLine(text)
    const parent = open.at(-1)
    if (!line || !parent) {
      faults.push(`cannot be parsed: ${text}`)
    } else if (line.name === 'BEGIN') {
      if (!components[parent.name]?.includes(line.value)) faults.push(`misplaced: ${text}`)
      const part = { name: line.value, lines: [], parts: [] }
      parent.parts.push(part)
      open.push(part)
    } else if (line.name === 'END') {
      if (open.pop()?.name !== line.value) faults.push(`does not match the open component: ${text}`)
    } else {
      if (parent.parts.length > 0) faults.push(`a property after a component: ${text}`)
      parent.lines.push(line)
      faults.push(...lintProperty(line, parent.name))
    }
  }
  if (open.length !== 1) faults.push('is truncated')
  if (root.parts.length !== 1) faults.push('is not exactly one calendar')
  return [...faults, ...root.parts.flatMap(lintWhole)]
}

function lintWhole(calendar: Component): readonly string[] {
  const events = calendar.parts.filter(({ name }) => name === 'VEVENT')
  const zones = calendar.parts.filter(({ name }) => name === 'VTIMEZONE')
  const uids = events.map((event) => valueOf(event, 'UID'))
  const tzids = zones.map((zone) => valueOf(zone, 'TZID'))
  const used = events.flatMap(({ lines }) =>
    lines.flatMap(({ parameters }) => parameters['TZID'] ?? []),
  )
  return [
    ...calendarProperties
      .filter((name) => countOf(calendar, name) !== 1)
      .map((name) => `${name} does not occur exactly once`),
    ...(calendar.parts.length === 0 ? ['has no component'] : []),
    ...uids
      .filter((uid, index) => uids.indexOf(uid) !== index)
      .map((uid) => `${uid} is duplicated`),
    ...used.filter((tzid) => !tzids.includes(tzid)).map((tzid) => `${tzid} has no VTIMEZONE`),
    ...zones.flatMap(lintZone),
    ...events.flatMap(lintEvent),
  ]
}

function lintZone({ lines, parts }: Component): readonly string[] {
  const count = (name: string) => parts.filter((part) => part.name === name).length
  return [
    lines.length !== 1 && 'VTIMEZONE has properties other than TZID',
    (count('STANDARD') !== 1 || count('DAYLIGHT') > 1) &&
      'VTIMEZONE does not have one STANDARD and at most one DAYLIGHT',
    parts.some((part) => (valueOf(part, 'DTSTART') ?? 'Z').endsWith('Z')) &&
      'VTIMEZONE does not start at a local time',
    parts.some(
      (part) => countOf(part, 'TZOFFSETFROM') !== 1 || countOf(part, 'TZOFFSETTO') !== 1,
    ) && 'VTIMEZONE lacks an offset',
  ].filter((fault) => fault !== false)
}

function lintEvent(event: Component): readonly string[] {
  const uid = valueOf(event, 'UID') ?? 'an event'
  const names = event.lines.map(({ name }) => name)
  const twice = names.filter(
    (name, index) => names.indexOf(name) !== index && !repeatable.includes(name),
  )
  return [
    ...requiredOfEvents.filter((name) => !names.includes(name)).map((name) => `has no ${name}`),
    ...twice.map((name) => `has ${name} twice`),
    ...lintTimes(event),
    ...event.parts.flatMap((alarm) =>
      ['ACTION', 'TRIGGER', 'DESCRIPTION']
        .filter((name) => countOf(alarm, name) !== 1)
        .map((name) => `has an alarm without ${name}`),
    ),
  ].map((fault) => `${uid} ${fault}`)
}

function lintTimes({ lines }: Component): readonly string[] {
  const start = lines.find(({ name }) => name === 'DTSTART')
  const end = lines.find(({ name }) => name === 'DTEND')
  if (!start || !end) return []
  return [
    JSON.stringify(start.parameters) !== JSON.stringify(end.parameters) &&
      'has DTSTART and DTEND with different parameters',
    start.value.endsWith('Z') !== end.value.endsWith('Z') && 'has only one of two times in UTC',
    end.value <= start.value && 'does not end after it starts',
  ].filter((fault) => fault !== false)
}

function valueOf({ lines }: Component, name: string): string | undefined {
  return lines.find((line) => line.name === name)?.value
}

function countOf({ lines }: Component, name: string): number {
  return lines.filter((line) => line.name === name).length
}

/** Unfolded content line (RFC 5545 3.1). */
type Line = {
  readonly name: string
  readonly parameters: Readonly<Record<string, string>>
  readonly value: string
}

function words(text: string): readonly string[] {
  return text.split(' ')
}

/** Properties that every calendar must have exactly once. */
const calendarProperties = [
  ...words('VERSION PRODID CALSCALE NAME X-WR-CALNAME DESCRIPTION X-WR-CALDESC X-WR-TIMEZONE'),
  ...words('REFRESH-INTERVAL X-PUBLISHED-TTL'),
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
    ...words(
      'UID SEQUENCE DTSTAMP DTSTART DTEND SUMMARY DESCRIPTION LOCATION GEO URL STATUS TRANSP',
    ),
    ...words('CREATED LAST-MODIFIED CATEGORIES COLOR RELATED-TO'),
    ...words('X-APPLE-STRUCTURED-LOCATION X-MICROSOFT-CDO-BUSYSTATUS'),
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

function parseLine(line: string): Line | undefined {
  const match = /^([A-Z-]+)((?:;[A-Z-]+=(?:[^";:,]+|"[^"]*"))*):(.*)$/s.exec(line)
  if (!match) return undefined
  const [, name = '', parameters = '', value = ''] = match
  const pairs = [...parameters.matchAll(/;([A-Z-]+)=([^";]+|"[^"]*")/g)]
  return { name, value, parameters: Object.fromEntries(pairs.map(([, key, text]) => [key, text])) }
}

function lintProperty({ name, parameters, value }: Line, component: string): readonly string[] {
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
