import { expect, test } from 'vitest'
import {
  eventServices,
  mapUrl,
  maxServiceUrlLength,
  type SentEvent,
} from '../../../src/features/items/event-services.ts'

const zone = 'America/New_York'

const fry: SentEvent = {
  title: 'Fish fry & friends',
  time: { allDay: false, start: '2026-07-04T18:00:00', end: '2026-07-04T20:00:00' },
  location: '14 Mill Road',
  description: 'Come early.',
  url: 'https://feeds.example.org/events/4',
}
const festival: SentEvent = {
  ...fry,
  time: { allDay: true, start: '2026-07-04', end: '2026-07-07' },
}

function parametersOf(event: SentEvent) {
  const services = eventServices(event, zone)
  const pairs = services.map(({ id, url }) => [id, Object.fromEntries(new URL(url).searchParams)])
  return Object.fromEntries(pairs) as Readonly<Record<string, Readonly<Record<string, string>>>>
}

test('sends instants to Google and Outlook, and wall-clock times to Yahoo', () => {
  const { google, outlook, microsoft365, yahoo } = parametersOf(fry)
  expect(google).toEqual({
    action: 'TEMPLATE',
    text: 'Fish fry & friends',
    dates: '20260704T220000Z/20260705T000000Z',
    details: 'Come early.\n\nhttps://feeds.example.org/events/4',
    location: '14 Mill Road',
  })
  expect(outlook).toMatchObject({
    path: '/calendar/action/compose',
    rru: 'addevent',
    startdt: '2026-07-04T22:00:00Z',
    enddt: '2026-07-05T00:00:00Z',
    subject: 'Fish fry & friends',
  })
  expect(microsoft365).toEqual(outlook)
  expect(yahoo).toMatchObject({ v: '60', ST: '20260704T180000', ET: '20260704T200000' })
})

test('sends whole days with an exclusive end, without a time zone', () => {
  const { google, outlook, yahoo } = parametersOf(festival)
  expect(google?.['dates']).toBe('20260704/20260707')
  expect(outlook).toMatchObject({ startdt: '2026-07-04', enddt: '2026-07-07', allday: 'true' })
  expect(yahoo).toBeUndefined()
  const day = parametersOf({
    ...fry,
    time: { allDay: true, start: '2026-07-04', end: '2026-07-05' },
  })
  expect(day['yahoo']).toMatchObject({ ST: '20260704', DUR: 'allday' })
})

test('assumes an hour for an entry without an end, and across a skipped hour', () => {
  const open = {
    ...fry,
    time: { allDay: false, start: '2026-03-08T02:30:00', end: undefined },
  } as const
  expect(parametersOf(open)['google']?.['dates']).toBe('20260308T073000Z/20260308T083000Z')
})

test.for<[string, string]>([
  ['words', 'word '.repeat(1_000)],
  ['Chinese', '消防'.repeat(2_000)],
  ['emoji', '🚒'.repeat(2_000)],
])('keeps addresses short for %s', ([, text]) => {
  const long = { ...fry, title: text, location: text, description: text }
  for (const { url } of eventServices(long, zone)) {
    expect(url.length).toBeLessThanOrEqual(maxServiceUrlLength)
    expect(url).not.toContain('+')
    expect(decodeURIComponent(url)).toContain(fry.url)
  }
})

test('leaves out the address of a private page', () => {
  const { google } = parametersOf({ ...fry, description: '', url: undefined })
  expect(google).not.toHaveProperty('details')
})

test.for([
  ['Station 1', undefined],
  ['Training room; use the side door', undefined],
  ['https://meet.example/j/123456 Passcode 99', undefined],
  ['Station 1, 12 Mill Road, Cedar Hollow', 'Station 1, 12 Mill Road, Cedar Hollow'],
] as const)('links "%s" to a map only if it is an address', ([location, query]) => {
  const url = mapUrl({ location, place: undefined })
  expect(url && new URL(url).searchParams.get('query')).toBe(query)
})

test('maps the address of a place from the settings', () => {
  const place = { name: 'Hall', address: '14 Mill Road', latitude: 40.7, longitude: -74 }
  expect(mapUrl({ location: 'Hall', place })).toContain('query=14%20Mill%20Road')
})
