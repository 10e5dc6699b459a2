import { IANAZone } from 'luxon'
import { expect, test } from 'vitest'
import { offsetByRule, zoneRuleFor } from '../../src/calendar/zone-rule.ts'

const year = 2026
const dayMs = 24 * 60 * 60 * 1000

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
    for (const timeZone of Intl.supportedValuesOf('timeZone')) {
      const rule = zoneRuleFor(timeZone, year)
      if (!rule) continue
      const zone = IANAZone.create(timeZone)
      for (const instant of timesToTry(zone)) {
        if (zone.offset(instant) !== offsetByRule(rule, instant))
          wrong.push(`${timeZone} ${new Date(instant).toISOString()}`)
      }
    }
    expect(wrong).toEqual([])
  },
)
