import fc from 'fast-check'
import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { atOnce } from '../../src/steps.ts'
import { placeFinder, type Place } from '../../src/calendar/place.ts'
import { createRenderers } from '../../src/feeds/feed.ts'
import { lintCalendar } from '../support/calendar-lint.ts'
import { chosenOptions } from '../support/chosen-options.ts'
import { collectionAfter, feedWith } from '../support/feed-text.ts'
import { hostileText } from '../support/hostile-text.ts'
import { testSite } from '../support/site.ts'

const now = Date.parse('2026-03-05T15:00:00Z')

const station: Place = {
  name: 'Station 1',
  address: '12 Main Street, Cedar Hollow, NY 10001',
  latitude: 42.123456,
  longitude: -74.2,
}

const event = (location: string) => ({
  id: 1,
  title: 'Open house',
  status: 2,
  allDay: 0,
  location,
  startDate: '2026-03-06',
  startTime: '18:00',
  endDate: '2026-03-06',
  endTime: '20:00',
})

const feed = feedWith('events')

async function renderedWith(places: readonly Place[], location: string) {
  const site = { ...testSite, places }
  const collection = await collectionAfter('events', [[event(location)]], now)
  const chosen = chosenOptions(feed, 'ics')
  const request = { format: 'ics', profile: 'public', now, chosen } as const
  const { body } = atOnce(feed.renderSource(collection, request, createRenderers(site)))
  expect(lintCalendar(body)).toEqual([])
  const [entry] = new ICAL.Component(ICAL.parse(body.toString())).getAllSubcomponents('vevent')
  if (!entry) throw new TypeError('there is no entry')
  const structured = entry.getFirstProperty('x-apple-structured-location')
  return { body: body.toString(), entry, structured, site, collection }
}

test('writes the address, coordinates and Apple map location of a known place', async () => {
  const { body, entry, structured } = await renderedWith([station], 'station  1')
  const location = 'Station 1\n12 Main Street, Cedar Hollow, NY 10001'
  expect(entry.getFirstPropertyValue('location')).toBe(location)
  expect(entry.getFirstPropertyValue('geo')).toEqual([42.123456, -74.2])
  expect(structured?.getFirstValue()).toBe('geo:42.123456,-74.2')
  expect(structured?.getFirstParameter('x-title')).toBe('Station 1')
  expect(structured?.getFirstParameter('x-address')).toBe('12 Main Street, Cedar Hollow, NY 10001')
  expect(body.replaceAll('\r\n ', '')).toContain(
    '\r\nX-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="12 Main Street, Cedar Hollow, NY 10001";X-APPLE-RADIUS=72;X-TITLE="Station 1":geo:42.123456,-74.2\r\n',
  )
})

test('leaves any other location unchanged', async () => {
  const { entry, structured } = await renderedWith([station], 'Station 10')
  expect(entry.getFirstPropertyValue('location')).toBe('Station 10')
  expect(structured).toBeNull()
  expect(entry.hasProperty('geo')).toBe(false)
  expect(placeFinder([])('')).toBeUndefined()
})

test('writes the same title and address in LOCATION regardless of which name of a place is used', async () => {
  const text = hostileText.filter((each) => each.trim() !== '' && /^\P{Cc}+$/u.test(each))
  await fc.assert(
    fc.asyncProperty(text, async (hostile) => {
      const place = { ...station, name: 'Barn "x^2"', address: `12 ^n "${hostile}"` }
      const { entry, structured } = await renderedWith([place], 'Barn "x^2"')
      const title = structured?.getFirstParameter('x-title')
      const address = structured?.getFirstParameter('x-address')
      expect(entry.getFirstPropertyValue('location')).toBe(`${title}\n${address}`)
      expect(title).toBe("Barn 'x2'")
      expect(address).not.toMatch(/["^]/)
    }),
    { numRuns: 100 },
  )
})

test('shows only the name on pages and boards, and gives search engines the address', async () => {
  const { site, collection } = await renderedWith([station], 'Station 1')
  const context = { site, profile: 'public', now } as const
  const page = feed.page(collection, { id: 1, url: 'https://feeds.example/events/1' }, context).page
  expect(page?.lines).toContain('Station 1')
  expect(page?.structuredData).toMatchObject({
    location: {
      '@type': 'Place',
      name: 'Station 1',
      address: station.address,
      geo: { '@type': 'GeoCoordinates', latitude: 42.123456, longitude: -74.2 },
    },
  })
  expect(feed.overview(collection, context).board[0]?.location).toBe('Station 1')
})
