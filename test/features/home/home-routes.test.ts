import { afterAll, expect, test } from 'vitest'
import { fewOn } from '../../support/few-records.ts'
import { exchangeUrl as ask } from '../../support/raw-http.ts'
import { resourcesAt } from '../../support/read-calendar.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService()
afterAll(() => service[Symbol.asyncDispose]())
await service.readAll()
const link = await service.addLink({ label: 'Crew' })

const textAt = async (url: string) => (await ask(url)).body.toString()

/** Returns the address in the fields of a page. */
const addressIn = (page: string) =>
  (/<input id="address-other" value="([^"]*)"/.exec(page)?.[1] ?? '').replaceAll('&amp;', '&')

const chosenIn = (page: string) =>
  [...page.matchAll(/name="show" value="([^"]+)" checked/g)].map(([, value]) => value)

const save = (page: string, body: string) =>
  fetch(page, {
    method: 'POST',
    body: new URLSearchParams(body),
    redirect: 'manual',
    headers: { origin: new URL(page).origin },
  })

test('offers all calendars except bookings in one address', async () => {
  const page = await textAt(`${service.url}/`)
  expect(page).toContain('<h1>Follow us in your calendar</h1>')
  expect(addressIn(page)).toBe(`${service.url}/all.ics?show=events,calendar,signup`)
  expect(await resourcesAt(addressIn(page))).toEqual(['calendar', 'events', 'signup'])
  expect(page).toContain(`href="webcal:${addressIn(page).slice('http:'.length)}"`)
  for (const path of ['agenda', 'month/2026-03', 'feeds', 'rental/free', 'board']) {
    expect(page).toContain(`href="${path}"`)
    expect([path, (await ask(`${service.url}/${path}`)).status]).toEqual([path, 200])
  }
})

/** Returns the kind, the label with the distance, and the title of the entry in the first card. */
const nextIn = (page: string) =>
  /class="ev next" data-source="(\w+)".*?<small class="eyebrow">(Next(?: event)? · .*?)<\/small><strong[^>]*>(.*?)<\/strong>/
    .exec(page)
    ?.slice(1)

test('begins with the next public event, or with the next entry of a link', async () => {
  const next = nextIn(await textAt(`${service.url}/`))
  expect(next).toEqual(['events', 'Next event · Tomorrow', 'Friday fish fry'])
  expect(nextIn(await textAt(`${service.url}/?show=calendar`))).toEqual(next)
  const crew = await service.addLink({ feedIds: ['calendar'] })
  const [kind, distance] = nextIn(await textAt(crew)) ?? []
  expect(kind).toMatch(/^calendar\d?$/)
  expect(distance).toMatch(/^Next · /)
  // A certification that expires is not an event.
  const officer = await service.addLink({ feedIds: ['training'], profile: 'full' })
  await service.get(`${officer}training.ics`)
  const page = await textAt(officer)
  expect(page).toContain(' expires</strong>')
  expect(nextIn(page)).toBeUndefined()
})

test('offers public events first, then members’ calendars, and certifications last', async () => {
  const crew = await service.addLink({ feedIds: ['training', 'calendar', 'events'] })
  await service.readAll()
  const offered = chosenIn(await textAt(crew)).map((value) => value?.split(':')[0])
  expect([...new Set(offered)]).toEqual(['events', 'calendar', 'training'])
})

test('changes the address without scripts, and shows the entries of chosen calendars', async () => {
  const first = chosenIn(await textAt(`${service.url}/`)).find((each) => each?.includes(':')) ?? ''
  const query = `show=&show=${encodeURIComponent(first)}&show=rental`
  const page = await textAt(`${service.url}/?${query}`)
  expect(chosenIn(page)).toEqual([first, 'rental'])
  expect(addressIn(page)).toBe(`${service.url}/all.ics?show=${first},rental`)
  expect(await resourcesAt(addressIn(page))).toEqual(['calendar', 'rental'])
  const shown = [...page.matchAll(/<li data-source="\w+" data-show="([^"]*)">/g)]
  expect(shown).toHaveLength(6)
  for (const [, chips = ''] of shown)
    expect(chips.split(' ').some((chip) => [first, 'rental'].includes(chip))).toBe(true)
  // The address of the page itself has the canonical form, which QR codes contain.
  expect(await textAt(`${service.url}/?show=${first},rental`)).toContain(addressIn(page))
})

test.for(['?show=', '?show=nothing&show=%3Cscript%3E'])(
  'asks for at least one calendar after %s',
  async (query) => {
    const page = await textAt(`${service.url}/${query}`)
    expect(page).toContain('Choose at least one calendar.')
    expect(chosenIn(page)).toEqual(chosenIn(await textAt(`${service.url}/`)))
    expect(page).not.toContain('<script>')
  },
)

test('saves the choice made on the page of a link, and keeps its other options', async () => {
  const saved = await save(`${link}feeds`, 'calendar.feed=events&calendar.alarm=60&news.feed=news')
  expect(saved.status).toBe(303)
  const before = await textAt(link)
  expect([addressIn(before), chosenIn(before)]).toEqual([`${link}my.ics`, ['events']])
  const answer = await save(link, 'show=&show=events&show=rental')
  expect([answer.status, answer.headers.get('location')]).toEqual([303, './?saved=1'])
  const page = await textAt(`${link}?saved=1`)
  expect(page).toContain('Saved. Your apps will show your selection')
  expect(chosenIn(page)).toEqual(['events', 'rental'])
  expect(await resourcesAt(`${link}my.ics`)).toEqual(['events', 'rental'])
  expect(await textAt(`${link}my.ics`)).toContain('TRIGGER:-PT60M')
  expect(await textAt(`${link}my.rss`)).not.toContain(':announcements-')
})

test('explains an empty choice on the page of a link, and saves nothing', async () => {
  await save(link, 'show=events')
  for (const url of [link, `${link}?feed=events`]) {
    const answer = await save(url, 'show=')
    expect(answer.status).toBe(400)
    const page = await answer.text()
    expect(page).toContain('Choose at least one calendar.')
    expect(chosenIn(page)).toEqual(['events'])
    // A link would load the page without the form's content.
    expect(page).not.toContain('class="languages')
  }
  expect(await resourcesAt(`${link}my.ics`)).toEqual(['events'])
})

test('keeps the key of a link away from services that the person has not chosen', async () => {
  const page = await textAt(link)
  const addresses = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address = '']) => address)
  const { pathname } = new URL(link)
  const exposing = addresses.filter(
    (address) => decodeURIComponent(address).includes(pathname) && !address.startsWith(service.url),
  )
  const schemes = exposing.map((address) => address.replace(/:.*/, '')).sort()
  expect(schemes.join(' ')).toBe('feed https https intent intent webcal x-safari-http')
  expect(page).not.toContain('feedly.com')
  expect(page).toMatch(/<button[^>]*data-copy="address-apple"[^>]*>Copy the address</)
  expect(page).not.toContain('og:url')
})

test('gives Google the address of a public calendar, but not of a link', async () => {
  const inGoogle = /https:\/\/calendar\.google\.com\/calendar\/r\?cid=/
  expect(await textAt(`${service.url}/feeds`)).toMatch(inGoogle)
  const page = await textAt(`${link}feeds`)
  expect(page).not.toMatch(inGoogle)
  expect(page).toMatch(/href="[^"]+\/addbyurl"[^>]*data-copy="my-ics"/)
  expect(page).toContain('id="my-ics"')
})

test('has the same bytes for all devices', async () => {
  const pages = await Promise.all(
    ['iPhone', 'Android', 'Windows'].map((agent) =>
      ask(`${service.url}/`, { 'User-Agent': agent }),
    ),
  )
  expect(new Set(pages.map(({ headers }) => headers['etag'])).size).toBe(1)
  for (const { headers } of pages) expect(headers['vary']).toBe('Accept-Encoding')
})

test('offers a single calendar at its own address, without a choice', async () => {
  await using small = await startTestService({ publicFeedIds: ['events', 'news'] })
  const loading = await textAt(`${small.url}/`)
  expect(loading).toContain('The calendar is being loaded.')
  await small.readAll()
  await small.clock.advance(60_000)
  const page = await textAt(`${small.url}/`)
  expect(addressIn(page)).toBe(`${small.url}/events.ics`)
  expect(page).not.toContain('<form')
  expect(page).toContain(`feedly.com/i/subscription/feed%2F${encodeURIComponent(small.url)}`)
})

test('invites people to follow before anything is planned', async () => {
  await using empty = await startTestService({
    publicFeedIds: ['events', 'news'],
    sandbox: { datasetOn: (today) => ({ ...fewOn(today), events: [], news: [] }) },
  })
  await empty.readAll()
  const page = await textAt(`${empty.url}/`)
  expect(page).toContain(
    'Nothing planned yet. Follow now, and new events will show up automatically.',
  )
  expect(page).toContain('No news yet. Follow now, and new stories will show up automatically.')
})

test('has only news if no calendar is public', async () => {
  await using news = await startTestService({ publicFeedIds: ['news'] })
  await news.readAll()
  const page = await textAt(`${news.url}/`)
  expect(page).toContain('<h1 id="news">Follow our news</h1>')
  expect(page).not.toContain('Coming up')
  expect(page).toContain('<a class="pill" href="news">All news</a>')
  expect((await ask(`${news.url}/news`)).status).toBe(200)
})
