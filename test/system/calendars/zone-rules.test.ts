import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CalendarEntry } from '../../../src/calendar/calendar-entry.ts'
import { renderICalendar } from '../../../src/calendar/icalendar.ts'
import { siteZoneOf } from '../../../src/calendar/site-zone.ts'
import { renderEvent } from '../../../src/calendar/vevent.ts'
import { programIsMissing } from '../../support/programs.ts'
import { temporaryDirectory } from '../../support/service.ts'
import { calendarPrograms } from './calendar-programs.ts'

const days = ['2027-01-15', '2027-04-15', '2027-07-15', '2027-10-31']

/** Zones that changed in the past years, and some that did not. */
const zones = `
America/Vancouver America/Edmonton America/Whitehorse America/Mexico_City America/Asuncion
America/Nuuk Africa/Casablanca Africa/Juba Asia/Almaty Asia/Amman Europe/Chisinau Pacific/Apia
America/New_York America/Phoenix Europe/Berlin Australia/Sydney
`
  .trim()
  .split(/\s+/)

function entryIn(timeZone: string, day: string): CalendarEntry {
  return {
    uid: `${timeZone}-${day}@cedarhollow.example`,
    time: { allDay: false, start: `${day}T10:00:00`, end: `${day}T11:00:00` },
    summary: timeZone,
    location: '',
    description: '',
    categories: [],
    status: 'confirmed',
    isBusy: true,
    url: undefined,
    revision: { sequence: 1, lastModified: Date.UTC(2026, 0, 1), created: undefined },
  }
}

function calendarIn(timeZone: string): string {
  const zone = siteZoneOf(timeZone, 2026)
  const events = days.map((day) => ({ bytes: renderEvent(entryIn(timeZone, day), zone) }))
  return renderICalendar(events, zone, {
    name: 'Events',
    description: '',
    url: undefined,
  }).toString()
}

/** Rules for zic. Clocks changed in Vancouver until 2026, and Chicago changes by a law of the future. */
const rules = (chicago: string) => `
Rule US 2007 max - Mar Sun>=8 2:00 1:00 D
Rule US 2007 max - Nov Sun>=1 2:00 0 S
Zone America/Vancouver -8:00 US P%sT
Zone America/Chicago -6:00 US C%sT${chicago}
`

const directory = temporaryDirectory()
const zoneDirectory = join(directory.path, 'zones')

describe.skipIf(programIsMissing('zic'))('a device with other rules', () => {
  beforeAll(() => {
    const file = join(directory.path, 'rules')
    writeFileSync(file, rules(' 2026 Nov 1 2:00\n-5:00 - EST'))
    execFileSync('zic', ['-b', 'fat', '-d', zoneDirectory, file])
    return () => directory[Symbol.dispose]()
  })

  for (const { name, isMissing, read } of calendarPrograms) {
    test.skipIf(isMissing).for([
      ['older', 'America/Vancouver', ['17', '17', '17', '17']],
      ['newer', 'America/Chicago', ['15', '15', '15', '15']],
    ] as const)(`reads entries with ${name} by %s rules at the right time`, ([, zone, hours]) => {
      const shown = read([calendarIn(zone)], { timeZone: 'UTC', zoneDirectory })
      expect(shown.map(({ start }) => start)).toEqual(
        days.map((day, index) => `${day} ${hours[index]}:00`),
      )
    })
  }
})

for (const { name, isMissing, read } of calendarPrograms) {
  test.skipIf(isMissing)(`${name} reads entries in each zone at the right time`, () => {
    const shown = read(zones.map(calendarIn), { timeZone: 'UTC' })
    for (const timeZone of zones) {
      const zone = siteZoneOf(timeZone, 2026)
      const starts = days.map((day) => new Date(zone.momentOf(`${day}T10:00:00`).instant))
      const inZone = shown.filter(({ title }) => title === timeZone)
      expect({ timeZone, starts: inZone.map(({ start }) => start) }).toEqual({
        timeZone,
        starts: starts.map((start) => start.toISOString().slice(0, 16).replace('T', ' ')),
      })
    }
  })
}
