import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isPlaceholderDate,
  readSiteDate,
  readSiteDateTime,
  readSiteTime,
} from '../../src/records/read-site-time.ts'

test.for([
  { text: '2026-03-08', date: '2026-03-08' },
  { text: ' 2026-03-08 ', date: '2026-03-08' },
  { text: '2024-02-29', date: '2024-02-29' },
  { text: '2026-12-05 00:00:00', date: '2026-12-05' },
  { text: '2026-12-05T00:00:00', date: '2026-12-05' },
  { text: '2026-12-05T23:30:00-05:00', date: '2026-12-05' },
  { text: '2026-12-05T05:00:00.000Z', date: '2026-12-05' },
  { text: '2026-12-05 24:00', date: '2026-12-05' },
  { text: '2026-12-05Z', date: '2026-12-05' },
  { text: '2026-12-05+00:00', date: '2026-12-05' },
  { text: "{d '2026-12-05'}", date: '2026-12-05' },
  { text: "{ts '2026-12-05 00:00:00'}", date: '2026-12-05' },
  { text: 'December, 05 2026 00:00:00', date: '2026-12-05' },
  { text: 'December, 05 2026 00:00:00 -0500', date: '2026-12-05' },
  { text: 'Dec 5, 2026', date: '2026-12-05' },
  { text: 'Smarch, 05 2026', date: undefined },
  { text: '2026-12-05 - 2026-12-07', date: undefined },
  { text: '2026-12-05 or later', date: undefined },
  { text: '2026-02-29', date: undefined },
  { text: '2026-02-30', date: undefined },
  { text: '2026-13-01', date: undefined },
  { text: '0000-00-00', date: undefined },
  { text: '0001-01-01', date: undefined },
  { text: '9999-12-31', date: undefined },
  { text: '03/08/2026', date: undefined },
  { text: '2026-3-8', date: undefined },
  { text: 'noon', date: undefined },
  { text: '', date: undefined },
])('reads the date "$text"', ({ text, date }) => {
  expect(readSiteDate(text)).toBe(date)
})

test.for([
  { text: '19:00:00', time: '19:00:00' },
  { text: '19:00', time: '19:00:00' },
  { text: '9:05', time: '09:05:00' },
  { text: '7:00 PM', time: '19:00:00' },
  { text: '7:30pm', time: '19:30:00' },
  { text: '7:30p', time: '19:30:00' },
  { text: '7:00\u202fPM', time: '19:00:00' },
  { text: '7:00 p. m.', time: '19:00:00' },
  { text: '7 PM', time: '19:00:00' },
  { text: '7', time: undefined },
  { text: '13 PM', time: undefined },
  { text: '12:00 AM', time: '00:00:00' },
  { text: '12:15 p.m.', time: '12:15:00' },
  { text: '00:00:00', time: '00:00:00' },
  { text: '0', time: '00:00:00' },
  { text: '19:00:00.000', time: '19:00:00' },
  { text: '24:00', time: '24:00:00' },
  { text: '24:00:00', time: '24:00:00' },
  { text: '24:01', time: undefined },
  { text: '13:00 PM', time: undefined },
  { text: '0:30 AM', time: undefined },
  { text: '19:60', time: undefined },
  { text: 'noon', time: '12:00:00' },
  { text: '12 Noon', time: '12:00:00' },
  { text: 'midnight', time: '00:00:00' },
  { text: '12:00 midnight', time: '00:00:00' },
  { text: '7:00 PM EST', time: '19:00:00' },
  { text: '7 PM (EDT)', time: '19:00:00' },
  { text: '7:00 PT', time: '07:00:00' },
  { text: '7:00 AEST', time: '07:00:00' },
  { text: '19:00 GMT-5', time: '19:00:00' },
  { text: '19:00Z', time: '19:00:00' },
  { text: '19:00:00-05:00', time: '19:00:00' },
  { text: '19:00:00 +0000', time: '19:00:00' },
  { text: '19.00', time: '19:00:00' },
  { text: '7.30 PM', time: '19:30:00' },
  { text: '19.00.00', time: '19:00:00' },
  { text: '19h30', time: '19:30:00' },
  { text: '19 h', time: '19:00:00' },
  { text: '19 Uhr', time: '19:00:00' },
  { text: '0700', time: '07:00:00' },
  { text: '700', time: '07:00:00' },
  { text: '1900 hrs', time: '19:00:00' },
  { text: '730 PM', time: '19:30:00' },
  { text: '2460', time: undefined },
  { text: '1899-12-30T19:00:00.000Z', time: '19:00:00' },
  { text: '1900-01-01 19:00:00', time: '19:00:00' },
  { text: '0000-00-00 19:00:00', time: '19:00:00' },
  { text: '2026-12-05 7:00 PM', time: '19:00:00' },
  { text: '1899-12-30', time: '00:00:00' },
  { text: "{t '19:00:00'}", time: '19:00:00' },
  { text: 'December, 30 1899 19:00:00', time: '19:00:00' },
  { text: '9:00-11:00', time: undefined },
  { text: '19:00:00-21:00:00', time: undefined },
  { text: '7 or 8 PM', time: undefined },
  { text: 'after dark', time: undefined },
  { text: `${'9'.repeat(1_000_000)}:00`, time: undefined },
  { text: '', time: undefined },
])('reads the time "$text"', ({ text, time }) => {
  expect(readSiteTime(text)).toBe(time)
})

test.for([
  { text: '2026-03-08 09:15:00', dateTime: '2026-03-08T09:15:00' },
  { text: '2026-03-08T09:15:00', dateTime: '2026-03-08T09:15:00' },
  { text: '2026-03-08T09:15:00.000Z', dateTime: '2026-03-08T09:15:00' },
  { text: '2026-03-08 7:00 PM', dateTime: '2026-03-08T19:00:00' },
  { text: '2026-03-08 24:00:00', dateTime: '2026-03-09T00:00:00' },
  { text: "{ts '2026-03-08 09:15:00'}", dateTime: '2026-03-08T09:15:00' },
  { text: 'March, 08 2026 09:15:00', dateTime: '2026-03-08T09:15:00' },
  { text: '2026-03-08', dateTime: '2026-03-08T00:00:00' },
  { text: '2026-02-30 09:15:00', dateTime: undefined },
  { text: '09:15:00', dateTime: undefined },
  { text: '2026-03-08 late', dateTime: undefined },
  { text: '', dateTime: undefined },
])('reads the date and time "$text"', ({ text, dateTime }) => {
  expect(readSiteDateTime(text)).toBe(dateTime)
})

test.for([
  ['0000-00-00', true],
  ['0000-00-00 00:00:00', true],
  ['0001-01-01T00:00:00', true],
  ['1753-01-01', true],
  ['1899-12-30T00:00:00.000Z', true],
  ['1900-01-01', true],
  ['1969-12-31 19:00:00', true],
  ['1970-01-01', true],
  ['9999-12-31 23:59:59', true],
  ['1955-06-01', false],
  ['2026-12-05', false],
  ['19:00', false],
  ['never', false],
  ['', false],
] as const)('decides whether "%s" stands for no date: %s', ([text, isPlaceholder]) => {
  expect(isPlaceholderDate(text)).toBe(isPlaceholder)
})

describe('a date', () => {
  const date = fc
    .date({ min: new Date('1901-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((each) => each.toISOString().slice(0, 10))
  const fraction = fc.constantFrom('', '.0', '.000', '.123456')
  const zone = fc.constantFrom(
    '',
    'Z',
    ' Z',
    '+00:00',
    '-0500',
    '+05:30',
    ' EST',
    ' (PDT)',
    ' GMT-5',
  )
  const time = fc
    .tuple(fc.nat(23), fc.nat(59), fc.nat(59), fraction, zone)
    .map(([hour, minute, second, fractionText, zoneText]) => {
      const clock = [hour, minute, second].map((part) => String(part).padStart(2, '0')).join(':')
      return { clock, text: `${clock}${fractionText}${zoneText}` }
    })
  const between = fc.constantFrom(' ', 'T', '  ')

  test('is the same with any time and any time zone after it', () => {
    fc.assert(
      fc.property(date, between, time, (day, separator, { clock, text }) => {
        const written = `${day}${separator}${text}`
        expect(readSiteDate(written)).toBe(day)
        expect(readSiteDateTime(written)).toBe(`${day}T${clock}`)
        expect(readSiteTime(written)).toBe(clock)
        expect(readSiteTime(text)).toBe(clock)
      }),
    )
  })

  test('or a time that is read from any text is valid', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[-0-9:. TZapm]*$/), (text) => {
        expect(readSiteDate(text) ?? '2026-01-01').toMatch(/^\d{4}-\d\d-\d\d$/)
        expect(readSiteTime(text) ?? '24:00:00').toMatch(
          /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$|^24:00:00$/,
        )
        expect(Date.parse(`${readSiteDateTime(text) ?? '2026-01-01T00:00:00'}Z`)).not.toBeNaN()
      }),
    )
  })
})
