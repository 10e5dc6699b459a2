import { expect, test } from 'vitest'
import { zoneRuleFor } from '../../src/calendar/zone-rule.ts'

const year = 2026

test('finds New York’s clock changes on the second Sunday in March and the first Sunday in November', () => {
  expect(zoneRuleFor('America/New_York', year)).toEqual({
    kind: 'yearly',
    timeZone: 'America/New_York',
    standardOffset: -300,
    daylightOffset: -240,
    toDaylight: { month: 3, weekday: 0, nth: 2, hour: 2, minute: 0 },
    toStandard: { month: 11, weekday: 0, nth: 1, hour: 2, minute: 0 },
  })
})

test('finds Berlin’s clock changes on the last Sunday of the month, and Sydney’s in the opposite order', () => {
  expect(zoneRuleFor('Europe/Berlin', year)).toMatchObject({
    toDaylight: { month: 3, nth: -1, hour: 2 },
    toStandard: { month: 10, nth: -1, hour: 3 },
  })
  expect(zoneRuleFor('Australia/Sydney', year)).toMatchObject({
    toDaylight: { month: 10, nth: 1 },
    toStandard: { month: 4, nth: 1 },
  })
})

test('finds a single offset for a zone without daylight saving time', () => {
  expect(zoneRuleFor('America/Phoenix', year)).toEqual({
    kind: 'fixed',
    timeZone: 'America/Phoenix',
    offset: -420,
  })
})

test.for(['Africa/Cairo', 'America/Santiago', 'Asia/Gaza'])('finds no rule for %s', (zone) => {
  expect(zoneRuleFor(zone, year)).toBeUndefined()
})
