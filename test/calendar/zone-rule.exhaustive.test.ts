import { IANAZone } from 'luxon'
import { expect, test } from 'vitest'
import { offsetByRule, zoneRuleFor } from '../../src/calendar/zone-rule.ts'

const year = 2026
const dayMs = 24 * 60 * 60 * 1000

/** Returns the days on which a zone's offset changes, plus one day per month. */
function daysToTry(zone: IANAZone): readonly number[] {
  const days: number[] = []
  const end = Date.UTC(year + 2, 0, 1)
  for (let week = Date.UTC(year + 1, 0, 1); week < end; week += 7 * dayMs) {
    const isQuiet = zone.offset(week) === zone.offset(week + 7 * dayMs)
    for (let day = week; day < Math.min(week + 7 * dayMs, end); day += dayMs) {
      const isChange = !isQuiet && zone.offset(day) !== zone.offset(day + dayMs)
      if (isChange || day % (dayMs * 30) === 0) days.push(day)
    }
  }
  return days
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
      for (const day of daysToTry(zone)) {
        for (let instant = day; instant < day + dayMs; instant += dayMs / 48) {
          if (zone.offset(instant) !== offsetByRule(rule, instant))
            wrong.push(`${timeZone} ${new Date(instant).toISOString()}`)
        }
      }
    }
    expect(wrong).toEqual([])
  },
)
