import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { sampleEvent } from '../../support/sample-event.ts'
import { sharedPages } from '../../support/shared-service.ts'
import { advanceUntil } from '../../support/wait-for.ts'

const sample = sampleDatasetOn('2026-03-05')
const [sheet] = sample.signup
if (!sheet) throw new TypeError('an empty sample')

const fryOn = (id: number, day: string, status: 1 | 2 = 2) => {
  const about = { title: 'Fish "fry" & friends', location: 'Social Hall, 14 Mill Road', status }
  return sampleEvent(id, `${day}T17:00:00`, `${day}T20:00:00`, about)
}
const crewId =
  sample.signup.find(
    ({ title, status, date }) =>
      title === 'Weekend standby crew' && status === 2 && date > '2026-03-05',
  )?.id ?? 0
const dataset = {
  ...sample,
  events: [
    fryOn(3, '2026-03-01'),
    fryOn(5, '2026-03-06', 1),
    fryOn(7, '2026-03-06'),
    fryOn(8, '2026-03-20'),
    sampleEvent(6, '2026-01-15', '2026-06-30'),
  ],
}

const { service, get } = sharedPages(dataset)

test('shows when and where an event takes place, and the next events', async () => {
  const { status, text } = await get('events/7')
  expect(status).toBe(200)
  expect(text).toMatch(/Friday, March 6<br>5 – 8 PM <span class="badge">Tomorrow</)
  expect(text).toContain('query=Social%20Hall%2C%2014%20Mill%20Road')
  expect(text).toMatch(/<a class="ev" href="8">/)
  expect(text).toContain('href="7.ics"')
  expect(text).toContain('<h2 id="next">Also coming up</h2>')
})

test('shows today beside an event that has been running for months', async () => {
  const { text } = await get('events/7')
  const tile = /<a class="ev" href="6"><span class="tile">(.*?)<\/span>/.exec(text)?.[1]
  expect(tile).toBe('<i>Mar</i><b>5</b>')
})

test('offers a calendar with the event that stays up to date, except on private pages', async () => {
  const { text } = await get('events/7?lang=es')
  const url = `${service().url}/all.ics?ids=events-7&amp;lang=es`
  expect(text).toContain(`href="webcal:${url.slice('http:'.length)}"`)
  expect(text).toContain('data-star="events-7"')
  const link = await service().addLink({ feedIds: ['events'] })
  for (const path of ['events/7', 'agenda']) {
    expect((await get(path, link)).text).not.toContain('data-kept')
  }
})

test('offers the next events in place of an event that has ended', async () => {
  const { text } = await get('events/3')
  expect(text).toContain('This event has ended.')
  expect(text).not.toContain('3.ics')
  expect(text).toContain('<h2 id="next">Coming up</h2>')
})

test('says how many places are open wherever sign-up sheets are listed', async () => {
  const day = sample.signup.find(({ id }) => id === crewId)?.date ?? ''
  // Each sheet is read separately.
  await advanceUntil(service().clock, async () => {
    const { text: month } = await get(`month/${day.slice(0, 7)}`)
    expect(month).toMatch(/Weekend standby crew<\/span><span class="muted"> \(\d open\)</)
    const { text: page } = await get(`signup/${crewId}`)
    expect(page.split('Also coming up')[1]).toMatch(/\d of \d+ places open/)
  })
})

test('links to an email whose line breaks work in every mail program', async () => {
  const { text } = await get('events/7')
  const body = /href="mailto:\?subject=[^&]+&amp;body=([^"]+)"/.exec(text)?.[1] ?? ''
  // RFC 6068, section 5.
  expect(decodeURIComponent(body).split('\r\n')).toEqual([
    'Fish "fry" & friends',
    'Friday, March 6',
    '5 – 8 PM',
    'Social Hall, 14 Mill Road',
    '',
    `${service().url}/events/7`,
  ])
})

test('offers the event alone, with the UID that subscribers have', async () => {
  const { status, headers, text } = await get('events/7.ics')
  expect(status).toBe(200)
  expect(headers.get('Content-Type')).toBe('text/calendar; charset=utf-8')
  expect(headers.get('Content-Disposition')).toMatch(/^inline; filename="Fish fry & friends\.ics"/)
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[])
  const [entry, ...others] = calendar.getAllSubcomponents('vevent')
  expect(others).toEqual([])
  expect((await get('events.ics')).text).toContain(
    `UID:${String(entry?.getFirstPropertyValue('uid'))}`,
  )
  const etag = headers.get('ETag') ?? ''
  const again = await fetch(`${service().url}/events/7.ics`, { headers: { 'If-None-Match': etag } })
  expect(again.status).toBe(304)
  expect((await get('events/5.ics')).status).toBe(404)
  expect((await get('events/7.rss')).status).toBe(404)
})

/** Removes the ids in links to translations. */
const withoutId = (text: string) => text.replaceAll(/(?:events\/|href=")[45](?=[?"])/g, '')

test('explains in the same way that an event was removed or is not published, and shows the next ones', async () => {
  const [hidden, gone] = await Promise.all([get('events/5'), get('events/4')])
  expect([gone.status, gone.headers.get('Cache-Control')]).toEqual([410, 'no-store'])
  expect(gone.text).toContain('This is no longer on the website')
  expect(gone.text).toMatch(/<h2 id="next">Coming up<\/h2>[^]*<a class="ev" href="7">/)
  expect([hidden.status, withoutId(hidden.text)]).toEqual([410, withoutId(gone.text)])
})

test.for(['events/9', 'events/0', 'events/07', 'events/x', 'events/7.ICS', 'events/x.ics'])(
  'does not find %s',
  async (path) => {
    expect((await get(path)).status).toBe(404)
  },
)

test('links a sign-up sheet to the website, where people can sign up until it ends', async () => {
  const link = `<a class="(?:pill|cta)" href="${service().sandbox.url}"[^>]*>`
  const coming = sample.signup.find(({ status, date }) => status === 2 && date > '2026-03-05')
  expect((await get(`signup/${coming?.id}`)).text).toMatch(
    new RegExp(`${link}Sign up on the website`),
  )
  expect((await get(`signup/${sheet.id}`)).text).toMatch(
    new RegExp(`${link}See the sheet on the website`),
  )
})

/** Returns the rows of the tables on a sign-up sheet's page as text. */
const rowsOn = (page: string) =>
  [...page.matchAll(/<tr>[^]*?<\/tr>/g)].map(([row]) =>
    row
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )

test('shows the positions of a sign-up sheet as tables, with names only for links that may see them', async () => {
  const crew = sample.signup.find(({ id }) => id === crewId)
  if (!crew) throw new TypeError('no crew in the sample')
  const people = crew.groups.flatMap(({ slots }) => slots.flatMap(({ signedUp }) => signedUp))
  const page = await advanceUntil(service().clock, async () => {
    const { text } = await get(`signup/${crewId}`)
    expect(rowsOn(text)).toEqual([
      'Officer open',
      'Driver taken',
      'Firefighter 2 taken 1 open',
      'Driver open',
      'EMT taken',
    ])
    return text
  })
  expect(page).toMatch(/4 of 7 places taken/)
  expect(page).not.toMatch(/22:00(?!:00)/)
  for (const { name } of people) expect(page).not.toContain(name)
  const full = (await get(`signup/${crewId}`, await service().addLink({ profile: 'full' }))).text
  for (const { name } of people) expect(full).toContain(name)
  expect(full).toContain('Capt. Pat Okafor')
})

test('keeps a sign-up sheet’s description of its time, unless it is only the time', async () => {
  const withText = sample.signup.find(({ eventDate }) => eventDate === 'to be announced')
  const full = await service().addLink({ profile: 'full' })
  expect((await get(`signup/${withText?.id}`, full)).text).toContain('to be announced')
})

test('keeps the address and the text of a private page out of links to other services', async () => {
  const link = await service().addLink({})
  const { status, headers, text } = await get('events/7', link)
  const key = new URL(link).pathname.split('/')[2] ?? ''
  expect([status, headers.get('Referrer-Policy')]).toEqual([200, 'no-referrer'])
  const outside = [...text.matchAll(/"(https:[^"]+)"/g)].map(([, url = '']) => url)
  expect(outside.length).toBeGreaterThan(3)
  for (const url of outside) expect(decodeURIComponent(url)).not.toContain(key)
  expect(text).not.toMatch(/data-share|mailto:/)
  expect((await get('events/7.ics', link)).status).toBe(200)
})
