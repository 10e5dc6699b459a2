import fc from 'fast-check'
import { DateTime } from 'luxon'
import { expect, test } from 'vitest'
import { siteZoneOf } from '../../src/calendar/site-zone.ts'
import { instantFromSiteTime } from '../../src/records/site-time.ts'

const zones = `
America/New_York Europe/Berlin Europe/Dublin Australia/Sydney Asia/Kolkata Australia/Lord_Howe
America/Sao_Paulo Pacific/Apia Africa/Cairo Etc/UTC
`
  .trim()
  .split(/\s+/)

const format = "yyyy-MM-dd'T'HH:mm:ss"

test.for([
  ['once', '2026-07-01T02:30:00', '2026-07-01T06:30:00Z', '2026-07-01T02:30:00', true],
  ['twice', '2026-11-01T01:30:00', '2026-11-01T05:30:00Z', '2026-11-01T01:30:00', false],
  ['never', '2026-03-08T02:30:00', '2026-03-08T07:30:00Z', '2026-03-08T03:30:00', false],
] as const)(
  'resolves a local time that occurs %s',
  ([, given, instant, wallTime, isUnambiguous]) => {
    const moment = siteZoneOf('America/New_York', 2026).momentOf(given)
    expect(moment).toEqual({ instant: Date.parse(instant), wallTime, isUnambiguous })
  },
)

test.for([
  ['2006-10-30T12:00:00', false],
  ['2006-07-01T12:00:00', true],
  // In 2006, clocks went back on October 29, a week before the date in the current rule.
  ['2006-10-29T01:30:00', false],
  ['2006-11-05T01:30:00', false],
  // According to the current rule, clocks went back that night. They actually went back a week
  // earlier.
  ['2005-11-06T01:30:00', false],
  ['2007-10-30T12:00:00', true],
] as const)('reports whether %s in New York is unambiguous: %s', ([wallTime, isUnambiguous]) => {
  expect(siteZoneOf('America/New_York', 2026).momentOf(wallTime)).toMatchObject({
    isUnambiguous,
  })
})

test.for([
  [
    'America/Vancouver',
    'a time with another offset before the change',
    '2027-01-15T10:00:00',
    false,
  ],
  ['America/Vancouver', 'a time with the same offset', '2027-07-15T10:00:00', true],
  ['America/Vancouver', 'a time before the change', '2026-07-15T10:00:00', true],
  ['America/Whitehorse', 'a change six years ago', '2027-01-15T10:00:00', false],
  ['America/Mexico_City', 'a time in the abolished summer time', '2027-07-15T10:00:00', false],
  ['America/Mexico_City', 'a time outside it', '2027-01-15T10:00:00', true],
  ['Africa/Casablanca', 'a zone without a yearly rule before', '2027-07-15T10:00:00', false],
  ['Asia/Almaty', 'a zone with another offset before', '2027-07-15T10:00:00', false],
  ['America/New_York', 'a zone without changes', '2027-01-15T10:00:00', true],
] as const)(
  'reports for %s whether old zone data agree on %s',
  ([timeZone, , wallTime, isUnambiguous]) => {
    expect(siteZoneOf(timeZone, 2026).momentOf(wallTime)).toMatchObject({ isUnambiguous })
  },
)

test('trusts devices again six years after a change', () => {
  const moments = [2025, 2026, 2027].map((year) =>
    siteZoneOf('America/Whitehorse', year).momentOf('2030-01-15T10:00:00'),
  )
  expect(moments.map(({ isUnambiguous }) => isUnambiguous)).toEqual([false, false, true])
})

/**
 * Returns all instants at which luxon shows a time, earliest first. After a clock change, results of
 * `DateTime.fromISO` are an hour late for an hour if today's offset differs by a day (Apia in 2011).
 */
function instantsShowing(wallTime: string, timeZone: string) {
  const local = Date.parse(`${wallTime}Z`)
  const offsets = Array.from({ length: 53 }, (_, index) => 14 - index / 2)
  return offsets
    .map((hours) => local - hours * 3_600_000)
    .filter((each) => DateTime.fromMillis(each, { zone: timeZone }).toFormat(format) === wallTime)
}

test('computes the same instant as luxon, for any time in any zone', () => {
  const day = fc.integer({ min: Date.UTC(1995, 0, 1) / 864e5, max: Date.UTC(2045, 0, 1) / 864e5 })
  const changeOfClocks = fc.oneof(
    fc.constantFrom('2026-03-08', '2026-11-01', '2026-03-29', '2026-10-25', '2026-04-05'),
    fc.constantFrom('2026-10-04', '2018-11-04', '2011-09-24', '2011-12-29', '2011-12-31'),
    fc.constantFrom('2027-01-01', '2027-12-31'),
  )
  const date = fc.oneof(
    day.map((days) => new Date(days * 864e5).toISOString().slice(0, 10)),
    changeOfClocks,
  )
  const time = fc.integer({ min: 0, max: 47 }).map((half) => {
    return `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 ? '30' : '00'}:00`
  })
  const siteZones = zones.map((zone) => siteZoneOf(zone, 2026))
  fc.assert(
    fc.property(fc.constantFrom(...siteZones), date, time, (zone, onDate, atTime) => {
      const wallTime = `${onDate}T${atTime}`
      const moment = zone.momentOf(wallTime)
      const { timeZone } = zone
      const possible = instantsShowing(wallTime, timeZone)
      expect(moment.instant).toBe(
        possible[0] ?? DateTime.fromISO(wallTime, { zone: timeZone }).toMillis(),
      )
      expect(moment.instant).toBe(instantFromSiteTime(wallTime, timeZone))
      const shown = DateTime.fromMillis(moment.instant, { zone: timeZone })
      expect(moment.wallTime).toBe(shown.toFormat(format))
      const occursOnce = moment.wallTime === wallTime && possible.length === 1
      expect(occursOnce || !moment.isUnambiguous).toBe(true)
    }),
    { numRuns: 1000 },
  )
})
