import fc from 'fast-check'
import { DateTime } from 'luxon'
import { expect, test } from 'vitest'
import { dayReminders, reminderMinutes } from '../../src/calendar/reminders.ts'
import { siteZoneOf } from '../../src/calendar/site-zone.ts'

const zone = siteZoneOf('America/New_York', 2026)

const wholeDay = (start: string) => ({ allDay: true, start, end: '2026-12-31' }) as const

const minutesOn = (
  start: string,
  times: readonly string[] | undefined,
  alarmMinutes: readonly number[] = [],
) => reminderMinutes(wholeDay(start), { alarmMinutes, dayReminders: times }, zone)

test.for([
  ['18:00', ['18:00']],
  ['18:00,+08:00', ['+08:00', '18:00']],
  // In a query string, a plus sign stands for a space.
  [' 08:00', ['+08:00']],
  ['21:00,07:30,21:00', ['07:30', '21:00']],
  ['00:00,+23:59', ['+23:59', '00:00']],
  ['none', []],
  ['1,2', undefined],
  ['24:00', undefined],
  ['18:60', undefined],
  ['8:00', undefined],
  ['-08:00', undefined],
  ['18:00,', undefined],
  ['', undefined],
  ['none,18:00', undefined],
  ['01:00,02:00,03:00,04:00,05:00,06:00', undefined],
] as const)('reads the times "%s" as %j', ([text, times]) => {
  expect(dayReminders.read(text.split(','))).toEqual(times)
})

test('formats times that can be parsed again', () => {
  for (const times of [['+08:00', '18:00'], ['07:30'], []]) {
    expect(dayReminders.read(dayReminders.format(times).split(','))).toEqual(times)
  }
})

test.for<[string, readonly string[], readonly number[]]>([
  ['2026-06-10', ['18:00'], [360]],
  ['2026-06-10', ['+08:00', '18:00'], [-480, 360]],
  ['2026-06-10', [], []],
  // Clocks go forward at 2 AM on March 8, and back on November 1.
  ['2026-03-08', ['+08:00', '18:00'], [-420, 360]],
  ['2026-03-09', ['+08:00', '01:00'], [-480, 22 * 60]],
  ['2026-03-09', ['18:00'], [360]],
  ['2026-11-01', ['+08:00'], [-540]],
  ['2026-11-02', ['01:00'], [24 * 60]],
])('reminds of an all-day entry on %s at %j', ([start, times, minutes]) => {
  expect(minutesOn(start, times)).toEqual(minutes)
})

const at18 = (days: number) => days * 24 * 60 - 18 * 60

test('reminds at 18:00 by default, rounding minutes up to whole days', () => {
  expect(minutesOn('2026-06-10', undefined, [])).toEqual([])
  expect(minutesOn('2026-06-10', undefined, [0, 30, 1440])).toEqual([at18(1)])
  expect(minutesOn('2026-06-10', undefined, [30, 1441, 10_080])).toEqual([
    at18(1),
    at18(2),
    at18(7),
  ])
})

test('leaves the reminders of timed entries unchanged', () => {
  const time = { allDay: false, start: '2026-06-10T19:00:00', end: undefined } as const
  const options = { alarmMinutes: [30, 1440], dayReminders: ['18:00'] }
  expect(reminderMinutes(time, options, zone)).toEqual([30, 1440])
})

test('reminds at the chosen wall-clock time, on any day in any zone', () => {
  const zones = [
    'America/New_York',
    'Europe/Berlin',
    'Africa/Cairo',
    'Australia/Lord_Howe',
    'Asia/Beirut',
  ]
  const siteZones = zones.map((name) => siteZoneOf(name, 2026))
  const day = fc.integer({ min: 0, max: 3650 })
  const hour = fc.integer({ min: 3, max: 22 })
  fc.assert(
    fc.property(
      fc.constantFrom(...siteZones),
      day,
      hour,
      fc.boolean(),
      (siteZone, days, at, isSame) => {
        const date = DateTime.utc(2024, 1, 1).plus({ days })
        const clock = `${String(at).padStart(2, '0')}:30`
        const times = [isSame ? `+${clock}` : clock]
        const time = wholeDay(date.toFormat('yyyy-MM-dd'))
        const [minutes = 0] = reminderMinutes(
          time,
          { alarmMinutes: [], dayReminders: times },
          siteZone,
        )
        const start = siteZone.momentOf(`${time.start}T00:00:00`).instant
        const reminder = DateTime.fromMillis(start - minutes * 60_000, { zone: siteZone.timeZone })
        const expected = date.minus({ days: isSame ? 0 : 1 }).toFormat('yyyy-MM-dd')
        expect(reminder.toFormat("yyyy-MM-dd'T'HH:mm")).toBe(`${expected}T${clock}`)
      },
    ),
    { numRuns: 500 },
  )
})
