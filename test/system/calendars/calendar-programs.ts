import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { programIsMissing } from '../../support/programs.ts'
import { testDirectory } from '../../support/service.ts'

/** An entry as a program shows it, with times like `2027-01-15 17:00`, or dates if it is all-day. */
export type ShownEntry = { readonly title: string; readonly start: string; readonly end: string }

type Device = {
  /** Time zone in which the program shows times. */
  readonly timeZone: string
  /** Directory with zone data, if they are not this machine's. */
  readonly zoneDirectory?: string | undefined
}

/** Imports calendars on a device, and returns the entries in the order of their starts. */
export type CalendarProgram = (
  calendars: readonly string[],
  device: Device,
) => readonly ShownEntry[]

/** Writes calendars to a directory, and returns the names of the files. */
function writeCalendars(directory: string, calendars: readonly string[]): readonly string[] {
  return calendars.map((calendar, index) => {
    const name = `${index}.ics`
    writeFileSync(join(directory, name), calendar)
    return name
  })
}

const byStart = (a: ShownEntry, b: ShownEntry) =>
  a.start.localeCompare(b.start) || a.title.localeCompare(b.title)

const calcurse: CalendarProgram = (calendars, { timeZone, zoneDirectory }) => {
  const directory = testDirectory()
  const { PATH } = process.env
  const zones = zoneDirectory === undefined ? {} : { TZDIR: zoneDirectory }
  const env = { PATH, LANG: 'C.UTF-8', TZ: timeZone, ...zones }
  for (const name of writeCalendars(directory, calendars)) {
    const args = ['-D', directory, '-C', directory, '-q', '-i', name]
    execFileSync('calcurse', args, { cwd: directory, env })
  }
  const lines = readFileSync(join(directory, 'apts'), 'utf8').trimEnd().split('\n')
  return lines.map(entryFromApts).toSorted(byStart)
}

/** Reads a line of the file in which calcurse keeps entries. `>` precedes the name of a note. */
function entryFromApts(line: string): ShownEntry {
  const timed = /^(\S+) @ (\S+) -> (\S+) @ (\d\d:\d\d)(?:>\w+ )?\|(.*)$/.exec(line)
  if (timed) {
    const [, date = '', time = '', endDate = '', endTime = '', title = ''] = timed
    return { title, start: `${isoDate(date)} ${time}`, end: `${isoDate(endDate)} ${endTime}` }
  }
  const allDay = /^(\S+) \[1\](?: \{1D -> (\S+)\})? (?:>\w+)? ?(.*)$/.exec(line)
  const [, first = '', last = first, title = ''] = allDay ?? []
  return { title, start: isoDate(first), end: isoDate(last) }
}

const isoDate = (date: string) => date.replace(/(\d\d)\/(\d\d)\/(\d{4})/, '$3-$1-$2')

const khalSettings = (timeZone: string) => `[calendars]
[[feed]]
path = feed
[locale]
local_timezone = ${timeZone}
default_timezone = ${timeZone}
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
`

const khal: CalendarProgram = (calendars, { timeZone, zoneDirectory }) => {
  const directory = testDirectory()
  mkdirSync(join(directory, 'feed'))
  writeFileSync(join(directory, 'settings'), khalSettings(timeZone))
  const { PATH } = process.env
  const zones = zoneDirectory === undefined ? {} : { PYTZ_TZDATADIR: zoneDirectory }
  const env = { PATH, HOME: directory, LANG: 'C.UTF-8', ...zones }
  const run = (...args: readonly string[]) =>
    execFileSync('khal', ['-c', 'settings', ...args], { cwd: directory, env, encoding: 'utf8' })
  run('import', '--batch', '-a', 'feed', ...writeCalendars(directory, calendars))
  const format = '{start-long}\u001f{end-long}\u001f{title}\u001e'
  return run('list', '--once', '--day-format', '', '--format', format, '2026-01-01', '1100d')
    .split('\u001e')
    .map((entry) => entry.trim().split('\u001f'))
    .flatMap(([start, end, title]) =>
      title === undefined ? [] : [{ title, start: start ?? '', end: end ?? '' }],
    )
    .toSorted(byStart)
}

/** Programs that ignore `VTIMEZONE`, and use their own rules for zones that they know. */
export const calendarPrograms: readonly {
  readonly name: string
  readonly isMissing: boolean
  readonly read: CalendarProgram
}[] = [
  { name: 'calcurse', isMissing: programIsMissing('calcurse'), read: calcurse },
  { name: 'khal', isMissing: programIsMissing('khal'), read: khal },
]
