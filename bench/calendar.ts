/*
 * Measures the time and memory needed to render calendars with 1,000, 10,000 and 50,000 entries,
 * first with empty caches and then after one record has changed. Compares Feedhouse's renderer with
 * a plain string builder that checks nothing, and with a builder that uses only `ical-generator`
 * and luxon.
 *
 *   npm run bench -- calendar
 *
 * Each measurement runs in a separate process, and the builders take turns. The benchmark raises
 * the limit on calendar entries.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import ical, { escape } from 'ical-generator'
import { DateTime } from 'luxon'
import { atOnce } from '../src/steps.ts'
import { noCalendarOptions } from '../src/calendar/calendar-options.ts'
import { createCalendarRenderer } from '../src/calendar/calendar-renderer.ts'
import { calendarSection } from '../src/calendar/calendar-section.ts'
import { calendarRecipe } from '../src/calendar/record-recipes.ts'
import type { CalendarSource } from '../src/calendar/shown-records.ts'
import { readRecords, type RecordOf } from '../src/records/read-records.ts'

const sizes = [1_000, 10_000, 50_000]
const rounds = 5
const mib = 1024 * 1024
const timeZone = 'America/New_York'
const now = Date.parse('2026-03-05T15:00:00Z')
const publicUrl = 'https://feeds.cedarhollow.example'
const siteUrl = 'https://cedarhollow.example'

type Event = RecordOf['calendar']

const clock = (time: Event['startTime']) => (typeof time === 'string' ? time : '00:00:00')
type Source = CalendarSource<'calendar'>
/** Renders the calendar. */
type Build = (source: Source) => Buffer

function itemOf(id: number) {
  const date = DateTime.fromISO('2026-01-01', { zone: 'utc' }).plus({ days: id % 700 })
  const day = date.toFormat('yyyy-MM-dd')
  return {
    id,
    calendarId: 1 + (id % 4),
    calendar: 'Drills',
    title: `Drill ${id}, hoses`,
    status: 2,
    location: 'Station 1, 12 Mill Road',
    contact: 'Captain',
    allDay: id % 5 === 0 ? 1 : 0,
    text: 'Bring full gear; meet in the rear bay, für alle. '.repeat(4),
    startDate: day,
    endDate: day,
    startTime: '19:00:00',
    endTime: '21:00:00',
    created: '2026-01-02 09:00:00',
    createdBy: 'Robin Vale',
    modified: '2026-02-01 10:00:00',
  }
}

function urlOf(resource: string, id: number): string {
  return `${publicUrl}/${resource}/${id}`
}

function byFeedhouse(): Build {
  const site = {
    url: siteUrl,
    idHost: 'cedarhollow.example',
    timeZone,
    language: 'en-US',
    urlOf,
    maxEntries: Infinity,
  }
  const { render } = createCalendarRenderer(site)
  const settings = { options: noCalendarOptions, label: undefined }
  return (source) => {
    const rendering = render([calendarSection(calendarRecipe, source, settings)], {
      idPrefix: 'calendar',
      name: 'Calendar',
      description: 'All',
      url: `${publicUrl}/calendar.ics`,
      now,
      profile: 'public',
    })
    return atOnce(rendering).body
  }
}

function fold(line: string): string {
  if (Buffer.byteLength(line) <= 75) return line
  let folded = ''
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > 75) {
      folded += '\r\n '
      octets = 1
    }
    folded += character
    octets += size
  }
  return folded
}

function basic(dateOrTime: string | null | undefined): string {
  return (dateOrTime ?? '').replace(/[-:]/g, '')
}

/** Builds a calendar without checking times, zones, duplicates or characters. */
const plainly: Build = ({ records }) =>
  Buffer.from(
    `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${records.map(plainEvent).join('')}END:VCALENDAR\r\n`,
  )

function plainEvent(event: Event): string {
  return [
    'BEGIN:VEVENT',
    `UID:calendar-${event.id}@cedarhollow.example`,
    'SEQUENCE:0',
    `DTSTAMP:${basic(event.modified)}Z`,
    ...(event.allDay
      ? [`DTSTART;VALUE=DATE:${basic(event.startDate)}`]
      : [
          `DTSTART;TZID=${timeZone}:${basic(event.startDate)}T${basic(clock(event.startTime))}`,
          `DTEND;TZID=${timeZone}:${basic(event.endDate)}T${basic(clock(event.endTime))}`,
        ]),
    `SUMMARY:${escape(event.title, false)}`,
    'TRANSP:OPAQUE',
    `LOCATION:${escape(event.location, false)}`,
    `DESCRIPTION:${escape(event.text, false)}`,
    `URL:${publicUrl}/calendar/${event.id}`,
    'STATUS:CONFIRMED',
    `CREATED:${basic(event.created)}Z`,
    `LAST-MODIFIED:${basic(event.modified)}Z`,
    `CATEGORIES:${escape(event.calendar, false)}`,
    'END:VEVENT',
    '',
  ]
    .map(fold)
    .join('\r\n')
}

const byLibrary: Build = ({ records }) => {
  const calendar = ical({ name: 'Calendar', timezone: { name: null, generator: () => '' } })
  for (const event of records) {
    const zoned = (date: string, time: Event['startTime']) =>
      DateTime.fromISO(`${date}T${clock(time)}`, { zone: event.allDay ? 'utc' : timeZone })
    calendar.createEvent({
      id: `calendar-${event.id}@cedarhollow.example`,
      sequence: 0,
      summary: event.title,
      location: event.location,
      description: event.text,
      allDay: event.allDay,
      stamp: new Date(`${event.modified}Z`),
      created: new Date(`${event.created}Z`),
      lastModified: new Date(`${event.modified}Z`),
      start: zoned(event.startDate, event.startTime),
      ...(event.allDay
        ? {}
        : { end: zoned(event.endDate ?? '', event.endTime), timezone: timeZone }),
      url: `${publicUrl}/calendar/${event.id}`,
      categories: [{ name: event.calendar }],
    })
  }
  return Buffer.from(calendar.toString())
}

const builders: Readonly<Record<string, Build>> = {
  'plain string builder (baseline)': plainly,
  Feedhouse: byFeedhouse(),
  'ical-generator for everything': byLibrary,
}

type Figures = { readonly coldMs: number; readonly changedMs: number; readonly peakMib: number }

/** Measures one builder. Each measurement runs in a separate process. */
function measure(name: string, size: number): Figures {
  const items = Array.from({ length: size }, (_, index) => itemOf(index + 1))
  const { records } = readRecords('calendar', items)
  const source = sourceOf(records, 0)
  const changed = sourceOf(
    records.map((event) => (event.id === 7 ? { ...event, title: 'Moved' } : event)),
    1,
  )
  const build = builders[name]
  if (!build) throw new TypeError(`no builder ${name}`)
  globalThis.gc?.()
  const baseMib = process.memoryUsage().rss / mib
  const cold = timed(() => build(source))
  const again = timed(() => build(changed))
  const peakMib = process.resourceUsage().maxRSS / 1024 - baseMib
  return { coldMs: cold, changedMs: again, peakMib }
}

/** Returns ledger entries like the ones that collections keep. Record 7 gets the given revision. */
function sourceOf(records: readonly Event[], revision: number): Source {
  const ledger: Source['ledger'] = new Map(
    records.map(({ id }) => {
      const known = { revision: id === 7 ? revision : 0, firstSeenAt: now, changedAt: now }
      return [id, { hash: `${id} ${known.revision} as long as a hash`, ...known }]
    }),
  )
  return { records, ledger, changedAt: now }
}

function timed(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

function measuredApart(name: string, size: number): Figures {
  const args = ['--expose-gc', fileURLToPath(import.meta.url), name, String(size)]
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Figures
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function compare(size: number): void {
  const names = Object.keys(builders)
  const figures = new Map(names.map((name): [string, Figures[]] => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) figures.get(name)?.push(measuredApart(name, size))
  }
  const medianOf = (name: string, what: keyof Figures) =>
    median((figures.get(name) ?? []).map((each) => each[what]))
  const baselineMs = medianOf(names[0] ?? '', 'coldMs')
  process.stdout.write(`\n${size} entries, median of ${rounds} rounds\n`)
  for (const name of names) {
    const row = [
      `cold ${medianOf(name, 'coldMs').toFixed(0)} ms`.padStart(15),
      `${(medianOf(name, 'coldMs') / baselineMs).toFixed(2)} x`.padStart(9),
      `one changed ${medianOf(name, 'changedMs').toFixed(0)} ms`.padStart(23),
      `peak +${medianOf(name, 'peakMib').toFixed(0)} MiB`.padStart(17),
    ]
    process.stdout.write(`  ${name.padEnd(38)}${row.join('')}\n`)
  }
}

const [name, size] = process.argv.slice(2)
if (name === undefined) sizes.forEach(compare)
else process.stdout.write(JSON.stringify(measure(name, Number(size))))
