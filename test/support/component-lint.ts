import { calendarProperties, lintProperty, parseLine, type Line } from './property-lint.ts'

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
export function lintComponents(texts: readonly string[]): readonly string[] {
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
