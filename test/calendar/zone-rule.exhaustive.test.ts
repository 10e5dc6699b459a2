import { IANAZone } from 'luxon'
import { expect, test } from 'vitest'
import { formerRuleFor, offsetByRule, zoneRuleFor } from '../../src/calendar/zone-rule.ts'

const year = 2026
const dayMs = 24 * 60 * 60 * 1000

const rules = Intl.supportedValuesOf('timeZone').flatMap(
  (timeZone) => zoneRuleFor(timeZone, year) ?? [],
)

/** Returns every half hour of the days on which a zone's offset changes, plus one time per month. */
function timesToTry(zone: IANAZone): readonly number[] {
  const times: number[] = []
  const end = Date.UTC(year + 2, 0, 1)
  for (let week = Date.UTC(year + 1, 0, 1); week < end; week += 7 * dayMs) {
    const isQuiet = zone.offset(week) === zone.offset(week + 7 * dayMs)
    for (let day = week; day < Math.min(week + 7 * dayMs, end); day += dayMs) {
      const isChange = !isQuiet && zone.offset(day) !== zone.offset(day + dayMs)
      if (isChange) for (let half = 0; half < 48; half += 1) times.push(day + (half * dayMs) / 48)
      else if (day % (dayMs * 30) === 0) times.push(day)
    }
  }
  return times
}

test(
  'returns the correct offset before and after every change within a year, in every zone',
  { timeout: 60_000 },
  () => {
    const wrong: string[] = []
    for (const rule of rules) {
      const { timeZone } = rule
      const zone = IANAZone.create(timeZone)
      for (const instant of timesToTry(zone)) {
        if (zone.offset(instant) !== offsetByRule(rule, instant))
          wrong.push(`${timeZone} ${new Date(instant).toISOString()}`)
      }
    }
    expect(wrong).toEqual([])
  },
)

/** Zones that changed in the six years before 2026, the year of the change, and the tz release with it. */
const recentChanges = `
Africa/Casablanca 2026 2026c no yearly rule during Ramadan
Africa/El_Aaiun 2026 2026c no yearly rule during Ramadan
Africa/Juba 2021 2021a UTC+3 before
America/Asuncion 2024 2024b UTC-4 in winter before
America/Bahia_Banderas 2022 2022f daylight saving time before
America/Chihuahua 2022 2022f UTC-7 in winter before
America/Ciudad_Juarez 2022 2022g the same rule before, but not in November 2022
America/Coyhaique 2025 2025b Chile's changing rules before
America/Dawson 2020 2020d UTC-8 in winter before
America/Edmonton 2026 2026c UTC-7 in winter before
America/Havana 2026 2026f daylight saving time before
America/Inuvik 2026 2026f UTC-7 in winter before
America/Mazatlan 2022 2022f daylight saving time before
America/Merida 2022 2022f daylight saving time before
America/Mexico_City 2022 2022f daylight saving time before
America/Monterrey 2022 2022f daylight saving time before
America/Ojinaga 2022 2022f UTC-7 in winter before
America/Vancouver 2026 2026a UTC-8 in winter before
America/Whitehorse 2020 2020d UTC-8 in winter before
America/Winnipeg 2026 2026f UTC-6 in winter before
Antarctica/Casey 2023 2023d several changes
Antarctica/Vostok 2023 2023d UTC+7 before
Asia/Almaty 2024 2024a UTC+6 before
Asia/Amman 2022 2022f UTC+2 in winter before
Asia/Damascus 2022 2022f UTC+2 in winter before
Asia/Qostanay 2024 2024a UTC+6 before
Asia/Tehran 2022 2022b dates in the Persian calendar before
Europe/Chisinau 2026 2026a clock changes an hour earlier before
Europe/Volgograd 2020 2020e several changes
Pacific/Apia 2021 2021b daylight saving time before
Pacific/Easter 2023 2022c several changes
Pacific/Fiji 2021 2022f daylight saving time on changing dates before
`
  .trim()
  .split('\n')
  .map((line) => /^(\S+) (\d+) (\S+) (.*)$/.exec(line)?.slice(1) ?? [])

test('finds a former rule only for the zones that changed recently', { timeout: 60_000 }, () => {
  const release = process.versions.tz ?? ''
  const found = rules.filter((rule) => formerRuleFor(rule, year) !== undefined)
  const expected = recentChanges.filter(([, , since = '']) => since <= release)
  expect(found.map((rule) => rule.timeZone)).toEqual(expected.map(([timeZone]) => timeZone))
})
