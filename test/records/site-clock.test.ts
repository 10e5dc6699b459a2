import { DateTime } from 'luxon'
import { describe, expect, test } from 'vitest'
import {
  clockFindingFrom,
  nextClockReading,
  recentClockFinding,
  type ClockReading,
} from '../../src/records/site-clock.ts'
import { readTzif } from '../../src/zone-data/tzif.ts'
import { tzifOf, zoneData } from '../support/zone-files.ts'

const winter = Date.parse('2026-01-15T12:00:00Z')
const summer = Date.parse('2026-07-15T12:00:00Z')

const shownIn = (zone: string, at: number) =>
  DateTime.fromMillis(at, { zone }).toFormat('yyyy-MM-dd HH:mm:ss')

describe.for([
  { season: 'winter', at: winter },
  { season: 'summer', at: summer },
])('in $season', ({ at }) => {
  test.for([
    { site: 'America/Denver', names: /America\/Denver[^)]*\(UTC-7 in January, UTC-6 in July\)/ },
    { site: 'America/Phoenix', names: /America\/Phoenix[^)]*\(the same all year\)/ },
    { site: 'Asia/Kathmandu', names: /Asia\/Kathmandu \(the same all year\)/ },
    {
      site: 'Pacific/Auckland',
      names: /Pacific\/Auckland \(UTC\+13 in January, UTC\+12 in July\)/,
    },
  ])('suggests time zones for the site time $site', ({ site, names }) => {
    const generated = shownIn(site, at)
    const { ok, sentence } = clockFindingFrom(generated, {
      at,
      zoneData,
      timeZone: 'America/New_York',
    })
    expect(ok).toBe(false)
    expect(sentence).toMatch(names)
    expect(sentence).toContain('right in both winter and summer')
  })

  // Every zone with a distinct offset in tz's list for the United States.
  test.for([
    'America/New_York America/Chicago America/Denver America/Los_Angeles America/Phoenix',
    'America/Anchorage Pacific/Honolulu America/Puerto_Rico America/Adak Pacific/Guam',
    'Pacific/Pago_Pago',
  ])('suggests each of %s to a site there', (zones) => {
    for (const zone of zones.split(' ')) {
      const reading = { at, zoneData, timeZone: 'Europe/Berlin' }
      expect(clockFindingFrom(shownIn(zone, at), reading).sentence).toContain(zone)
    }
  })

  test('suggests time zones in the United States first', () => {
    const generated = shownIn('America/Chicago', at)
    const { sentence } = clockFindingFrom(generated, { at, zoneData, timeZone: 'Europe/Berlin' })
    expect(sentence).toMatch(/, as in America\/(?:Chicago|Denver)[, ]/)
  })

  test.for(['America/New_York', 'Asia/Kolkata'])('accepts %s if the site uses it', (timeZone) => {
    const finding = clockFindingFrom(shownIn(timeZone, at), { at, zoneData, timeZone })
    expect(finding).toEqual({
      ok: true,
      sentence: `The website's clock and this machine's clock agree in ${timeZone}.`,
    })
  })
})

test('accepts the right zone during the hour that clocks repeat in fall', () => {
  for (const at of ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z'].map(Date.parse)) {
    const timeZone = 'America/New_York'
    expect(clockFindingFrom('2026-11-01 01:30:00', { at, zoneData, timeZone }).ok).toBe(true)
  }
})

test('reports an offset that matches no common time zone', () => {
  const finding = clockFindingFrom('2026-01-15 20:45:00', { at: winter, zoneData, timeZone: 'UTC' })
  expect(finding.sentence).toContain("The website's time is now UTC+8:45.")
})

test('reports that a clock that is off by a day is wrong in every zone', () => {
  const finding = clockFindingFrom('2026-01-16 12:00:00', { at: winter, zoneData, timeZone: 'UTC' })
  expect(finding).toMatchObject({
    ok: false,
    sentence: expect.stringContaining('to check the clock'),
  })
})

describe('if the difference is an hour', () => {
  const at = Date.parse('2026-11-29T12:00:00Z')

  test('says last that rules may be out of date, and suggests zones that always differ by it', () => {
    const generated = shownIn('America/New_York', at)
    const { sentence } = clockFindingFrom(generated, { at, zoneData, timeZone: 'America/Chicago' })
    expect(sentence).toMatch(
      /^The website's clock is 60 minutes ahead of America\/Chicago: .* as in America\/New_York, America\/Toronto \(UTC-5 in January, UTC-4 in July\)\. .* may be out of date, either here \(Feedhouse has release 2026c, this machine 2026c\) or on the website\. /,
    )
    expect(sentence).not.toContain('Bogota')
  })

  test('suggests no zone that fits only in winter', () => {
    const reading = { at, zoneData, timeZone: 'America/Bogota' }
    const { sentence } = clockFindingFrom(shownIn('America/Chicago', at), reading)
    expect(sentence).toMatch(
      / as in America\/Regina[^;]*\(the same all year\).* may be out of date/,
    )
    expect(sentence).not.toContain('America/Chicago')
  })

  test('accepts a website whose clock follows newer rules that this machine has', () => {
    const newer = readTzif(tzifOf([], 'CST5'))
    const timeZone = 'America/Chicago'
    const reading = { at, timeZone, zoneData: { ...zoneData, systemRelease: '2026f', newer } }
    expect(clockFindingFrom(shownIn('America/New_York', at), reading)).toEqual({
      ok: true,
      sentence:
        "The website's clock and this machine's clock agree in America/Chicago by this machine's time zone rules (2026f).",
    })
  })
})

describe('a comparison with the responses of a service', () => {
  const minuteMs = 60_000
  const now = summer
  const timeZone = 'America/New_York'

  /** Returns a reading of a website's clock some minutes ago, which is ahead by other minutes. */
  const readingOf = ({ zone = timeZone, ago = 1, ahead = 0, before = now } = {}) => {
    const at = before - ago * minuteMs
    return { generated: shownIn(zone, at + ahead * minuteMs), at }
  }
  const findingOf = (...readings: readonly ClockReading[]) =>
    recentClockFinding(readings, { now, zoneData, timeZone })?.ok

  test('reports the latest reading if all readings are wrong', () => {
    const readings = [
      readingOf({ zone: 'America/Chicago', ago: 9 }),
      readingOf({ zone: 'America/Los_Angeles', ago: 3 }),
      readingOf({ zone: 'America/Chicago', ago: 5 }),
    ]
    const finding = recentClockFinding(readings, { now, zoneData, timeZone })
    expect(finding).toMatchObject({ ok: false })
    expect(finding?.sentence).toContain('as in America/Los_Angeles')
  })

  test('accepts a clock that is off by a few minutes', () => {
    expect(findingOf(readingOf({ ahead: 9 }))).toBe(true)
    expect(findingOf(readingOf({ ahead: -9 }))).toBe(true)
    expect(findingOf(readingOf({ ahead: 11 }))).toBe(false)
  })

  test('distinguishes time zones that differ by a quarter of an hour', () => {
    const readings = [readingOf({ zone: 'Asia/Kathmandu' })]
    expect(recentClockFinding(readings, { now, zoneData, timeZone: 'Asia/Kathmandu' })?.ok).toBe(
      true,
    )
    expect(recentClockFinding(readings, { now, zoneData, timeZone: 'Asia/Kolkata' })?.ok).toBe(
      false,
    )
  })

  test('accepts a wrong reading if another one is right', () => {
    expect(findingOf(readingOf({ ahead: 60 }), readingOf({ ago: 600 }))).toBe(true)
  })

  test('knows nothing without readings of the last day', () => {
    expect(findingOf()).toBeUndefined()
    const dayOld = readingOf({ ahead: 60, ago: 24 * 60 })
    expect(findingOf(dayOld, readingOf({ ahead: 60, ago: -1 }))).toBeUndefined()
    expect(findingOf(dayOld, readingOf({ ahead: 60 }))).toBe(false)
  })

  test.for([
    { night: 'spring', change: '2026-03-08T07:00:00Z' },
    { night: 'fall', change: '2026-11-01T06:00:00Z' },
  ])('uses no readings around the change of clocks in $night', ({ change }) => {
    const ok = [-181, -179, 179, 181].map((minutes) => {
      const at = Date.parse(change) + minutes * minuteMs
      return recentClockFinding([readingOf({ ahead: 60, ago: 0, before: at })], {
        now: at,
        zoneData,
        timeZone,
      })?.ok
    })
    expect(ok).toEqual([false, undefined, undefined, false])
  })

  test('takes a repeated time for a cached one', () => {
    const first = readingOf({ ago: 90 })
    const cached = nextClockReading(first, first.generated, now)
    expect(cached).toBe(first)
    expect(nextClockReading(cached, shownIn(timeZone, now), now)).toEqual(readingOf({ ago: 0 }))
  })

  test('keeps the latest reading if a response contains no time', () => {
    const first = readingOf()
    expect(['', 'soon'].map((generated) => nextClockReading(first, generated, now))).toEqual([
      first,
      first,
    ])
    expect(nextClockReading(undefined, '', now)).toBeUndefined()
  })
})
