import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CalendarEntry } from '../../../src/calendar/calendar-entry.ts'
import { renderICalendar } from '../../../src/calendar/icalendar.ts'
import { siteZoneOf } from '../../../src/calendar/site-zone.ts'
import { renderEvent } from '../../../src/calendar/vevent.ts'
import { programIsMissing } from '../../support/programs.ts'
import { testDirectory } from '../../support/service.ts'

const days = ['2027-01-15', '2027-04-15', '2027-07-15', '2027-10-31']

/** Zones that changed in the past years, and some that did not. */
const zones = `
America/Vancouver America/Edmonton America/Whitehorse America/Mexico_City America/Asuncion
America/Nuuk Africa/Casablanca Africa/Juba Asia/Almaty Asia/Amman Europe/Chisinau Pacific/Apia
America/New_York America/Phoenix Europe/Berlin Australia/Sydney
`
  .trim()
  .split(/\s+/)

function entryOn(day: string): CalendarEntry {
  return {
    uid: `events-${day}@cedarhollow.example`,
    time: { allDay: false, start: `${day}T10:00:00`, end: `${day}T11:00:00` },
    summary: 'Drill',
    location: '',
    description: '',
    categories: [],
    status: 'confirmed',
    isBusy: true,
    url: undefined,
    revision: { sequence: 1, lastModified: Date.UTC(2026, 0, 1), created: undefined },
  }
}

/** Returns the starts that calcurse reads with this machine's zone data, as it stores them. */
function startsReadFrom(calendar: Buffer): readonly string[] {
  const directory = testDirectory()
  const file = join(directory, 'feed.ics')
  writeFileSync(file, calendar)
  const options = { env: { ...process.env, TZ: 'UTC' } }
  execFileSync('calcurse', ['-D', directory, '-C', directory, '-q', '-i', file], options)
  const stored = readFileSync(join(directory, 'apts'), 'utf8')
  return [...stored.matchAll(/^(\d\d)\/(\d\d)\/(\d{4}) @ (\d\d:\d\d) ->/gm)]
    .map(([, month, day, year, time]) => `${year}-${month}-${day}T${time}`)
    .toSorted()
}

describe.skipIf(programIsMissing('calcurse'))('calcurse, which ignores VTIMEZONE', () => {
  test.for(zones)('reads entries in %s at the right time', (timeZone) => {
    const zone = siteZoneOf(timeZone, 2026)
    const events = days.map((day) => renderEvent(entryOn(day), zone))
    const properties = { name: 'Events', description: '', url: undefined }
    const starts = days.map((day) => new Date(zone.momentOf(`${day}T10:00:00`).instant))
    expect(startsReadFrom(renderICalendar(events, zone, properties))).toEqual(
      starts.map((start) => start.toISOString().slice(0, 16)).toSorted(),
    )
  })
})
