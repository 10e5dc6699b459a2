import { expect, test } from 'vitest'
import { renderFreeBusy } from '../../../src/features/dav/free-busy.ts'

function entry(...properties: readonly string[]): string {
  return ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...properties, 'END:VEVENT', ''].join('\r\n')
}

const at = (start: string, end: string, ...others: readonly string[]) =>
  entry(`DTSTART:202605${start}00Z`, `DTEND:202605${end}00Z`, ...others)

/** Returns the busy times from May 7 to 10. */
async function busyTimes(...bodies: readonly string[]): Promise<readonly string[]> {
  const items = bodies.map((body) => ({ body: () => body }))
  const text = await renderFreeBusy(items, {
    range: { start: Date.UTC(2026, 4, 7), end: Date.UTC(2026, 4, 10) },
    timeZone: 'America/New_York',
    id: 'x',
    now: Date.UTC(2026, 4, 1),
  })
  return text.split('\r\n').filter((line) => line.startsWith('FREEBUSY'))
}

test('describes the range even if there are no entries', async () => {
  const range = { start: Date.UTC(2026, 4, 7, 6, 30), end: Date.UTC(2026, 4, 10) }
  const context = { range, timeZone: 'UTC', id: 'x', now: Date.UTC(2026, 4, 1) }
  const text = await renderFreeBusy([], context)
  expect(text.split('\r\n')).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Feedhouse//Feedhouse//EN',
    'BEGIN:VFREEBUSY',
    'UID:x-20260507T063000Z-20260510T000000Z',
    'DTSTAMP:20260501T000000Z',
    'DTSTART:20260507T063000Z',
    'DTEND:20260510T000000Z',
    'END:VFREEBUSY',
    'END:VCALENDAR',
    '',
  ])
})

test.each([
  ['an opaque entry', [at('08T1000', '08T1200', 'TRANSP:OPAQUE')], ['08T100000Z/08T120000Z']],
  ['an entry without TRANSP', [at('08T1000', '08T1200')], ['08T100000Z/08T120000Z']],
  ['a transparent entry', [at('08T1000', '08T1200', 'TRANSP:TRANSPARENT')], []],
  ['a cancelled entry', [at('08T1000', '08T1200', 'STATUS:CANCELLED')], []],
  ['an entry without a duration', [at('08T1000', '08T1000')], []],
  ['an entry before the range', [at('06T1000', '07T0000')], []],
  ['an entry after the range', [at('10T0000', '10T1000')], []],
  ['an entry across the start', [at('06T1000', '07T0100')], ['07T000000Z/07T010000Z']],
  ['an entry across the end', [at('09T2300', '11T0100')], ['09T230000Z/10T000000Z']],
  [
    'an all-day entry, in the time zone of the site',
    [entry('DTSTART;VALUE=DATE:20260508', 'DTEND;VALUE=DATE:20260509')],
    ['08T040000Z/09T040000Z'],
  ],
  [
    'an entry with a time zone',
    [entry('DTSTART;TZID=Asia/Tokyo:20260508T090000', 'DTEND;TZID=Asia/Tokyo:20260508T100000')],
    ['08T000000Z/08T010000Z'],
  ],
  [
    'entries that overlap or touch',
    [at('08T1200', '08T1300'), at('08T1000', '08T1130'), at('08T1100', '08T1200')],
    ['08T100000Z/08T130000Z'],
  ],
  [
    'an entry within another one',
    [at('08T1000', '08T1800'), at('08T1100', '08T1200')],
    ['08T100000Z/08T180000Z'],
  ],
  [
    'separate entries in order',
    [at('08T1200', '08T1300'), at('08T1000', '08T1130')],
    ['08T100000Z/08T113000Z', '08T120000Z/08T130000Z'],
  ],
])('counts %s', async (_, bodies, expected) => {
  const lines = expected.map((period) => `FREEBUSY:202605${period.replace('/', '/202605')}`)
  expect(await busyTimes(...bodies)).toEqual(lines)
})

test('lists tentative entries separately', async () => {
  const tentative = at('08T1100', '08T1400', 'STATUS:TENTATIVE')
  expect(await busyTimes(tentative, at('08T1000', '08T1200'))).toEqual([
    'FREEBUSY:20260508T100000Z/20260508T120000Z',
    'FREEBUSY;FBTYPE=BUSY-TENTATIVE:20260508T110000Z/20260508T140000Z',
  ])
})
