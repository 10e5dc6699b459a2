import { expect, test } from 'vitest'
import {
  clockOn,
  clocksInWords,
  dayInWords,
  daysInWords,
  distanceInWords,
  longDayInWords,
  monthInWords,
  soonestFirst,
  spanInWords,
  spanOnTwoLines,
  timeInWords,
  type TimeSpan,
} from '../../src/records/date-words.ts'

const american = 'en-US'
const today = '2026-11-23'

/** Times are like `2026-11-28 10`, or `2026-11-28 10:30`. */
const timed = (start: string, end?: string): TimeSpan => ({
  allDay: false,
  start: siteTime(start),
  end: end && siteTime(end),
})
const siteTime = (text: string) => `${text.replace(' ', 'T')}:00:00`.slice(0, 19)
const days = (start: string, end: string): TimeSpan => ({ allDay: true, start, end })

test.for([
  ['2026-11-28', 'Sat Nov 28'],
  ['2026-11-22', 'Yesterday'],
  ['2026-11-23', 'Today'],
  ['2026-11-24', 'Tomorrow'],
  ['2026-07-10', 'Fri July 10'],
  ['2027-01-01', 'Fri Jan 1, 2027'],
  ['2025-11-10', 'Mon Nov 10, 2025'],
] as const)('calls %s "%s"', ([day, words]) => {
  expect(dayInWords(day, today, american)).toBe(words)
})

test.for<[string, TimeSpan, string]>([
  ['a start', timed('2026-11-28 10'), 'Sat Nov 28, 10 AM'],
  ['noon', timed('2026-11-28 10', '2026-11-28 12'), 'Sat Nov 28, 10 AM – noon'],
  ['one half of the day', timed('2026-12-04 17', '2026-12-04 20'), 'Fri Dec 4, 5 – 8 PM'],
  ['minutes', timed('2026-12-13 08', '2026-12-13 11:30'), 'Sun Dec 13, 8 – 11:30 AM'],
  ['both halves', timed('2026-11-28 11', '2026-11-28 14'), 'Sat Nov 28, 11 AM – 2 PM'],
  ['today', timed('2026-11-23 19'), 'Today, 7 PM'],
  ['tomorrow', timed('2026-11-24 19', '2026-11-24 21:15'), 'Tomorrow, 7 – 9:15 PM'],
  ['midnight', timed('2026-11-28 20', '2026-11-29 00'), 'Sat Nov 28, 8 PM – midnight'],
  ['a night', timed('2026-12-12 22', '2026-12-13 06'), 'Sat Dec 12, 10 PM – Sun 6 AM'],
  ['three days', timed('2026-12-04 18', '2026-12-06 14'), 'Fri Dec 4, 6 PM – Sun Dec 6, 2 PM'],
  ['another year', timed('2027-01-01 10'), 'Fri Jan 1, 2027, 10 AM'],
  ['a whole day', days('2026-11-28', '2026-11-29'), 'Sat Nov 28'],
  ['whole days', days('2026-11-28', '2026-11-30'), 'Nov 28 – 29'],
  ['two months', days('2026-11-28', '2026-12-03'), 'Nov 28 – Dec 2'],
  ['two years', days('2026-12-30', '2027-01-03'), 'Dec 30, 2026 – Jan 2, 2027'],
  ['a night between years', timed('2026-12-31 21', '2027-01-01 01'), 'Thu Dec 31, 9 PM – Fri 1 AM'],
  [
    'days between years',
    timed('2026-12-30 18', '2027-01-02 14'),
    'Wed Dec 30, 2026, 6 PM – Sat Jan 2, 2027, 2 PM',
  ],
  ['a later year', days('2027-01-02', '2027-01-06'), 'Jan 2 – 5, 2027'],
  ['months ahead', days('2026-12-01', '2027-03-04'), 'Dec 1, 2026 – Mar 3, 2027'],
  ['months running', days('2026-09-01', '2026-12-04'), 'until Dec 3'],
  ['days running', days('2026-11-21', '2026-11-25'), 'until tomorrow'],
  ['the last day', days('2026-11-21', '2026-11-24'), 'last day'],
  ['the last hours', timed('2026-11-22 22', '2026-11-23 06'), 'until 6 AM'],
  ['a running weekend', timed('2026-11-21 18', '2026-11-25 14'), 'until Nov 25, 2 PM'],
  ['the past', timed('2026-11-10 19'), 'Tue Nov 10, 7 PM'],
  ['past days', days('2025-12-30', '2026-01-03'), 'Dec 30, 2025 – Jan 2, 2026'],
])('describes %s', ([, span, words]) => {
  expect(spanInWords(span, today, american)).toBe(words)
})

test('names the year and the weekday in text that is kept for a long time', () => {
  expect(spanInWords(timed('2026-11-23 19'), undefined, american)).toBe('Mon Nov 23, 2026, 7 PM')
  expect(spanInWords(days('2026-09-01', '2026-12-04'), undefined, american)).toBe(
    'Sep 1 – Dec 3, 2026',
  )
  expect(daysInWords('2025-12-30', '2026-01-02', undefined, american)).toBe(
    'Dec 30, 2025 – Jan 2, 2026',
  )
})

test('names months and long days', () => {
  expect([
    monthInWords('2026-12', today, american),
    monthInWords('2027-01', today, american),
  ]).toEqual(['December', 'January 2027'])
  expect(longDayInWords('2026-11-28', today, american)).toBe('Saturday, November 28')
  expect(longDayInWords('2027-01-01', today, american)).toBe('Friday, January 1, 2027')
  expect(clocksInWords(days('2026-11-28', '2026-11-29'), american)).toBe('')
})

test.for<[string, TimeSpan, string, string, string]>([
  [
    'a day',
    timed('2026-11-28 10', '2026-11-28 12'),
    'Saturday, November 28',
    '10 AM – noon',
    'In 5 days',
  ],
  ['a whole day', days('2026-11-24', '2026-11-25'), 'Tuesday, November 24', '', 'Tomorrow'],
  [
    'whole days',
    days('2026-11-21', '2026-11-25'),
    'Saturday, November 21 – Tuesday, November 24',
    '',
    'In progress',
  ],
  [
    'a weekend',
    timed('2026-12-04 18', '2026-12-06 14'),
    'Friday, December 4, 6 PM – Sunday, December 6, 2 PM',
    '',
    'In 11 days',
  ],
  ['a far day', days('2027-01-01', '2027-01-02'), 'Friday, January 1, 2027', '', ''],
  [
    'the turn of the year',
    days('2026-12-31', '2027-01-02'),
    'Thursday, December 31, 2026 – Friday, January 1, 2027',
    '',
    '',
  ],
])('describes %s on two lines', ([, span, day, clock, distance]) => {
  expect(spanOnTwoLines(span, today, american)).toEqual({ day, clock })
  expect(distanceInWords(span, today, american)).toBe(distance)
})

test('lists entries that have been running for months last, by their end', () => {
  const [exhibition, permit, class_, drill] = [
    days('2026-08-01', '2027-01-10'),
    days('2026-09-01', '2026-12-04'),
    timed('2026-11-28 10'),
    timed('2026-11-24 19'),
  ]
  const weekend = days('2026-11-22', '2026-11-25')
  const entries = [exhibition, permit, class_, drill, weekend]
  const inOrder = [weekend, drill, class_, permit, exhibition]
  expect(soonestFirst(entries, today, (time) => time)).toEqual(inOrder)
})

test.for<[TimeSpan, string]>([
  [days('2026-03-08', '2026-03-09'), 'Sunday, March 8, 2026'],
  [days('2026-03-08', '2026-03-11'), 'Sunday, March 8, 2026 – Tuesday, March 10, 2026'],
  [timed('2026-03-08 08'), 'Sunday, March 8, 2026, 8:00 AM'],
  [timed('2026-03-08 08', '2026-03-08 11:30'), 'Sunday, March 8, 2026, 8:00 AM – 11:30 AM'],
  [
    timed('2026-03-08 22', '2026-03-09 06'),
    'Sunday, March 8, 2026, 10:00 PM – Monday, March 9, 2026, 6:00 AM',
  ],
  [timed('2026-03-08 22', '2026-03-09 00'), 'Sunday, March 8, 2026, 10:00 PM – midnight'],
  [
    timed('2026-03-08 22', '2026-03-11 00'),
    'Sunday, March 8, 2026, 10:00 PM – Tuesday, March 10, 2026, midnight',
  ],
])('describes %o with the full date', ([span, words]) => {
  expect(timeInWords(span, american)).toBe(words)
})

const monthFirst = ['Sat Nov 28', 'Nov 21 – 22', 'Dec 30, 2025 – Jan 2, 2026'] as const
const dayFirst = ['Sat 28 Nov', '21 – 22 Nov', '30 Dec 2025 – 2 Jan 2026'] as const
const clock24 = ['17:00 – 20:00', '10:00 – noon'] as const

test.for([
  ['en-US', ...monthFirst, '5 – 8 PM', '10 AM – noon'],
  ['zh-TW', ...monthFirst, '5 – 8 PM', '10 AM – noon'],
  ['en-CA', ...monthFirst, '5 – 8 p.m.', '10 a.m. – noon'],
  ['zh-CN', ...monthFirst, ...clock24],
  ['en-AU', ...dayFirst, '5 – 8 pm', '10 am – noon'],
  ['en-GB', ...dayFirst, ...clock24],
  ['nl', ...dayFirst, ...clock24],
  ['pt-BR', ...dayFirst, ...clock24],
  // Days have two digits in dates with a year.
  ['en-ZA', dayFirst[0], dayFirst[1], '30 Dec 2025 – 02 Jan 2026', ...clock24],
] as const)('writes dates and times in the formats of %s', ([language, ...words]) => {
  const clocks = (from: number, to: number) =>
    clocksInWords(timed(`2026-11-28 ${from}`, `2026-11-28 ${to}`), language)
  expect([
    dayInWords('2026-11-28', today, language),
    daysInWords('2026-11-21', '2026-11-22', today, language),
    daysInWords('2025-12-30', '2026-01-02', undefined, language),
    clocks(17, 20),
    clocks(10, 12),
  ]).toEqual(words)
})

test('writes full dates and times in the formats of a region', () => {
  const span = { allDay: false, start: '2026-06-08T08:00:00', end: '2026-06-08T11:30:00' }
  expect(timeInWords(span, 'en-GB')).toBe('Monday, 8 June 2026, 8:00 – 11:30')
  expect(timeInWords(span, 'en-CA')).toBe('Monday, June 8, 2026, 8:00 a.m. – 11:30 a.m.')
  expect(monthInWords('2027-01', today, 'en-GB')).toBe('January 2027')
  expect(spanInWords(span, undefined, 'en-AU')).toBe('Mon 8 June 2026, 8 – 11:30 am')
})

test.for([
  [
    'es-US',
    `sáb 28 nov, 10 a.m. – mediodía
    sáb 12 dic, 10 p.m. – dom 6 a.m.
    Mañana, 7 – 9:15 p.m.
    hasta la 1 a.m.
    hasta el mediodía
    28 – 29 nov
    28 nov – 2 dic
    30 dic 2026 – 2 ene 2027
    2 – 5 ene 2027
    hasta el 3 dic
    hasta mañana
    lunes, 8 de junio de 2026, 8:00 a.m. – medianoche
    En 5 días
    enero de 2027`,
  ],
  [
    'fr-CA',
    `sam. 28 nov., 10 h – midi
    sam. 12 déc., 22 h – dim. 6 h
    Demain, 19 h – 21 h 15
    jusqu’à 1 h
    jusqu’à midi
    28 – 29 nov.
    28 nov. – 2 déc.
    30 déc. 2026 – 2 janv. 2027
    2 – 5 janv. 2027
    jusqu’au 3 déc.
    jusqu’à demain
    lundi 8 juin 2026, 8 h – minuit
    Dans 5 jours
    janvier 2027`,
  ],
  [
    'de-DE',
    `Sa 28. Nov., 10:00 – 12:00
    Sa 12. Dez., 22:00 – So 6:00
    Morgen, 19:00 – 21:15
    bis 1 Uhr
    bis 12 Uhr
    28. – 29. Nov.
    28. Nov. – 2. Dez.
    30. Dez. 2026 – 2. Jan. 2027
    2. – 5. Jan. 2027
    bis 3. Dez.
    bis morgen
    Montag, 8. Juni 2026, 8:00 – Mitternacht
    In 5 Tagen
    Januar 2027`,
  ],
])('writes dates and times in %s', ([language = '', words = '']) => {
  const near = (span: TimeSpan) => spanInWords(span, today, language)
  expect([
    near(timed('2026-11-28 10', '2026-11-28 12')),
    near(timed('2026-12-12 22', '2026-12-13 06')),
    near(timed('2026-11-24 19', '2026-11-24 21:15')),
    near(timed('2026-11-22 22', '2026-11-23 01')),
    near(timed('2026-11-22 22', '2026-11-23 12')),
    near(days('2026-11-28', '2026-11-30')),
    near(days('2026-11-28', '2026-12-03')),
    near(days('2026-12-30', '2027-01-03')),
    near(days('2027-01-02', '2027-01-06')),
    near(days('2026-09-01', '2026-12-04')),
    near(days('2026-11-21', '2026-11-25')),
    timeInWords(timed('2026-06-08 08', '2026-06-09 00'), language),
    distanceInWords(days('2026-11-28', '2026-11-30'), today, language),
    monthInWords('2027-01', today, language),
  ]).toEqual(words.split(/\n */))
})

test.for([
  ['en-US', 'until 6 AM', 'until noon', 'last day'],
  ['es-US', 'hasta las 6 a.m.', 'hasta el mediodía', 'último día'],
  ['fr-CA', 'jusqu’à 6 h', 'jusqu’à midi', 'dernier jour'],
  ['de-DE', 'bis 6 Uhr', 'bis 12 Uhr', 'letzter Tag'],
] as const)('says in %s when an entry ends today', ([language, ...expected]) => {
  const words = [
    clockOn(timed('2026-11-22 22', '2026-11-23 06'), today, language),
    clockOn(timed('2026-11-22 22', '2026-11-23 12'), today, language),
    spanInWords(days('2026-11-21', '2026-11-24'), today, language),
  ]
  expect(words.map((text) => text.replaceAll(/\s/g, ' '))).toEqual(expected)
})
