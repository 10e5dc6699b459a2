import supertest from 'supertest'
import { escapeHtml } from '../../../src/syndication/html.ts'
import { afterAll, expect, test } from 'vitest'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { lintCalendar } from '../../support/calendar-lint.ts'
import { readCalendar } from '../../support/read-calendar.ts'
import { startTestService } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'

const sample = sampleDatasetOn('2026-03-05')

const service = await startTestService()
afterAll(() => service[Symbol.asyncDispose]())
const http = supertest(service.url)
for (const feed of ['calendar', 'events', 'rental', 'signup', 'news']) {
  await fetch(`${service.url}/${feed}.${feed === 'news' ? 'rss' : 'ics'}`)
}

async function calendar(path: string) {
  const { text, headers } = await http.get(path).expect(200)
  expect(lintCalendar(Buffer.from(text))).toEqual([])
  return { text, etag: headers['etag'], ...readCalendar(text) }
}

const onlineOf = (calendarId: number) =>
  sample.calendar.filter((event) => event.status === 2 && event.calendarId === calendarId)

test('names a file after its calendar if only one calendar is selected', async () => {
  const [event] = onlineOf(2)
  const { events, text } = await calendar('/calendar.ics?calendar=2')
  expect(events).toHaveLength(onlineOf(2).length)
  expect(new Set(events.flatMap(({ categories }) => categories))).toEqual(
    new Set([event?.calendar]),
  )
  expect(text).toContain(`X-WR-CALNAME:Cedar Hollow Volunteer Fire Department: ${event?.calendar}`)
  expect(text.replaceAll('\r\n ', '')).toContain(
    `SOURCE;VALUE=URI:${service.url}/calendar.ics?calendar=2\r\n`,
  )
})

test('serves the same bytes for equivalent options, and ignores unknown options', async () => {
  const { etag } = await calendar('/calendar.ics?calendar=1,2&alarm=30')
  for (const query of [
    'alarm=30&calendar=2,1',
    'calendar=2&calendar=1&alarm=030&cancelled=drop',
    'x=%zz&alarm=30&calendar=1,2',
  ]) {
    expect((await calendar(`/calendar.ics?${query}`)).etag).toBe(etag)
  }
  expect((await calendar('/calendar.ics?type=99')).etag).toBe(
    (await calendar('/calendar.ics')).etag,
  )
})

test('lists calendars and rental types by name on the feeds page, with working URLs', async () => {
  const { text } = await http.get('/feeds').expect(200)
  const names = new Set(
    sample.calendar.filter(({ status }) => status === 2).map((event) => event.calendar),
  )
  const choices = [
    ...text.matchAll(/<input type="checkbox" name="(calendar|type)" value="(\d+)"> ([^<]+)</g),
  ]
  expect(new Set(choices.map(([, , , name]) => name))).toEqual(
    new Set([...names, 'Social Hall', 'Pavilion', 'Training Room'].map(escapeHtml)),
  )
  for (const [, parameter, value] of choices) {
    const feed = parameter === 'calendar' ? 'calendar' : 'rental'
    const composed = await http.get(`/feeds?feed=${feed}&${parameter}=${value}`).expect(200)
    const [, url = ''] = /value="(http:[^"]+\.ics\?[^"]+)"/.exec(composed.text) ?? []
    expect(url).toBe(`${service.url}/${feed}.ics?${parameter}=${value}`)
    expect((await fetch(url)).status).toBe(200)
  }
})

test('serves a page at the URL of each entry', async () => {
  const { text } = await calendar('/events.ics')
  const [, path = ''] = /\r\nURL:http:\/\/[^/]+(\S+)\r\n/.exec(text.replaceAll('\r\n ', '')) ?? []
  expect(path).toMatch(/^\/events\/\d+$/)
  const page = await http
    .get(path)
    .expect(200)
    .expect('Content-Type', /text\/html/)
  const event = sample.events.find(({ id }) => path.endsWith(`/${id}`))
  expect(page.text).toContain(`<h1 dir="auto">${event?.title}</h1>`)
})

test('shows no more of a booking on its page than in the calendar', async () => {
  const [booking] = sample.rental
  const { text } = await http.get(`/rental/${booking?.id}`).expect(200)
  expect(text).toContain(`<h1 dir="auto">Reserved: ${booking?.type}</h1>`)
  expect(text).not.toContain(booking?.renter)
})

test('does not show the pages of entries in a private feed', async () => {
  await using closed = await startTestService({ publicFeedIds: ['news'] })
  expect((await fetch(`${closed.url}/events/2025090`)).status).toBe(403)
})

test('links entries and stories to their pages on the website', async () => {
  const links = {
    events: 'https://www.example.org/?event={id}',
    news: 'https://www.example.org/n/{id}',
  }
  await using linked = await startTestService({ links })
  const events = await (await fetch(`${linked.url}/events.ics`)).text()
  expect(events).toMatch(/\r\nURL:https:\/\/www\.example\.org\/\?event=\d+\r\n/)
  expect(await (await fetch(`${linked.url}/news.rss`)).text()).toMatch(
    /<link>https:\/\/www\.example\.org\/n\/\d+<\/link>/,
  )
  expect(await (await fetch(`${linked.url}/calendar.ics`)).text()).toContain(
    `URL:${linked.url}/calendar/`,
  )
})

test('lists feeds and repaired records at /status', async () => {
  const [first] = sample.events
  if (!first) throw new TypeError('no event')
  const spoilt = { ...first, status: 2, startDate: '2026-03-06', endDate: '2026-03-01' } as const
  await using odd = await startTestService({
    sandbox: { datasetOn: (today) => ({ ...sampleDatasetOn(today), events: [spoilt] }) },
  })
  await fetch(`${odd.url}/events.ics`)
  const { ok, sentences, feeds } = await odd.status()
  expect(feeds).toContainEqual({
    name: 'events',
    repairedCount: 1,
    repaired: [{ id: first.id, reason: 'ends before it starts' }],
    omittedCount: 0,
  })
  expect(sentences.join('\n')).toContain('events has 1 record with invalid times')
  expect(ok === true).toBe(sentences.includes('Everything has been read and is up to date.'))
  const told = odd.lines.filter((line) => line.includes('records shown with repaired times'))
  expect(told).toHaveLength(1)
})

test('compresses feeds with brotli only for clients that accept it', async () => {
  const compressed = async () => {
    const { text } = await http.get('/metrics')
    const samples = text.matchAll(/representation_bytes\{feed="(\w+)".*encoding="br"\}/g)
    return samples.map(([, feed]) => feed).toArray()
  }
  await http.get('/events.ics').set('Accept-Encoding', 'gzip').expect(200)
  await http.get('/rental.ics').set('Accept-Encoding', 'br').expect(200)
  // Feeds are compressed in the order of their requests.
  await waitFor(async () => expect(await compressed()).toContain('rental'))
  expect(await compressed()).not.toContain('events')
})
