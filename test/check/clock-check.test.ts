import { DateTime } from 'luxon'
import { describe, expect, test } from 'vitest'
import { clockFindingFrom } from '../../src/check/clock-check.ts'

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
    const { ok, sentence } = clockFindingFrom(generated, { at, timeZone: 'America/New_York' })
    expect(ok).toBe(false)
    expect(sentence).toMatch(names)
    expect(sentence).toContain('right in both winter and summer')
  })

  test('suggests time zones in the United States first', () => {
    const generated = shownIn('America/Chicago', at)
    const { sentence } = clockFindingFrom(generated, { at, timeZone: 'Europe/Berlin' })
    expect(sentence).toMatch(/, as in America\/(?:Chicago|Denver)[, ]/)
  })

  test.for(['America/New_York', 'Asia/Kolkata'])('accepts %s if the site uses it', (timeZone) => {
    const finding = clockFindingFrom(shownIn(timeZone, at), { at, timeZone })
    expect(finding).toEqual({
      ok: true,
      sentence: `The website's clock and this machine's clock agree in ${timeZone}.`,
    })
  })
})

test('accepts the right zone during the hour that clocks repeat in fall', () => {
  for (const at of ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z'].map(Date.parse)) {
    const timeZone = 'America/New_York'
    expect(clockFindingFrom('2026-11-01 01:30:00', { at, timeZone }).ok).toBe(true)
  }
})

test('reports an offset that matches no common time zone', () => {
  const finding = clockFindingFrom('2026-01-15 20:45:00', { at: winter, timeZone: 'UTC' })
  expect(finding.sentence).toContain("The website's time is now UTC+8:45.")
})

test('reports that a clock that is off by a day is wrong in every zone', () => {
  const finding = clockFindingFrom('2026-01-16 12:00:00', { at: winter, timeZone: 'UTC' })
  expect(finding).toMatchObject({
    ok: false,
    sentence: expect.stringContaining('to check the clock'),
  })
})
