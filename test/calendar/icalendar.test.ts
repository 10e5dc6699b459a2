import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { renderICalendar } from '../../src/calendar/icalendar.ts'
import { siteZoneOf } from '../../src/calendar/site-zone.ts'
import { lintCalendar } from '../support/calendar-lint.ts'
import { readCalendar } from '../support/read-calendar.ts'

const newYork = siteZoneOf('America/New_York', 2026)
const properties = {
  name: 'Cedar Hollow: Events',
  description: 'What is on.',
  url: 'https://feeds.cedarhollow.example/events.ics',
}

test('writes calendar properties in a fixed order, before components', () => {
  const text = renderICalendar([], newYork, properties).toString()
  expect(text.split('\r\n').slice(0, 13)).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Feedhouse//Feedhouse//EN',
    'CALSCALE:GREGORIAN',
    'NAME:Cedar Hollow: Events',
    'X-WR-CALNAME:Cedar Hollow: Events',
    'DESCRIPTION:What is on.',
    'X-WR-CALDESC:What is on.',
    'X-WR-TIMEZONE:America/New_York',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    'SOURCE;VALUE=URI:https://feeds.cedarhollow.example/events.ics',
    'BEGIN:VTIMEZONE',
  ])
})

test.for(['America/New_York', 'America/Phoenix', 'Africa/Cairo'])(
  'renders a valid calendar without entries in %s',
  (zone) => {
    const bytes = renderICalendar([], siteZoneOf(zone, 2026), properties)
    expect(lintCalendar(bytes)).toEqual([])
    const zones = [zone === 'Africa/Cairo' ? 'Etc/UTC' : zone]
    expect(readCalendar(bytes.toString())).toMatchObject({ zones, events: [] })
  },
)

test('writes a color as a CSS name, and as a hex value for Apple', () => {
  const bytes = renderICalendar([], newYork, { ...properties, color: 'b52420' })
  expect(lintCalendar(bytes)).toEqual([])
  const calendar = new ICAL.Component(ICAL.parse(bytes.toString()) as unknown[])
  expect(calendar.getFirstPropertyValue('color')).toBe('firebrick')
  expect(calendar.getFirstPropertyValue('x-apple-calendar-color')).toBe('#B52420')
})

test('omits a secret URL', () => {
  const bytes = renderICalendar([], newYork, { ...properties, url: undefined })
  expect(bytes.toString()).not.toContain('SOURCE')
})

test('prevents the name and description from injecting properties', () => {
  const hostile = 'A; B, C\\\r\nATTENDEE:mailto:x@example.org'
  const bytes = renderICalendar([], newYork, { ...properties, name: hostile, description: hostile })
  expect(bytes.toString()).toContain('\r\nNAME:A\\; B\\, C\\\\ ATTENDEE:mailto:x@example.org\r\n')
  expect(lintCalendar(bytes)).toEqual([])
})
