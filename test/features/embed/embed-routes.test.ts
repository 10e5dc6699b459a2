import { afterAll, expect, test } from 'vitest'
import { newLists } from '../../../src/web/context.ts'
import { newEmbeds } from '../../../src/features/embed/embed-routes.ts'
import { fewRecords } from '../../support/few-records.ts'
import { exchange, exchangeUrl, requestText } from '../../support/raw-http.ts'
import { openFrontedServer } from '../../support/fronted-server.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService()
afterAll(() => service[Symbol.asyncDispose]())
await service.readAll()

const ask = (path: string, origin = service.url) => exchange(origin, requestText(path))

test('serves a list that any page can embed', async () => {
  const { status, headers, body } = await ask('/embed/events?limit=3&theme=dark')
  expect(status).toBe(200)
  expect(headers['content-security-policy']).toContain('frame-ancestors *')
  expect(headers).not.toHaveProperty('x-frame-options')
  const text = body.toString()
  expect(text.match(/<li /g)).toHaveLength(3)
  expect(text).toContain('<html lang="en-US" class="dark">')
  expect(text).toMatch(/<title>Events\b/)
  const [, address = ''] = /<a class="ev" href="([^"]+)"/.exec(text) ?? []
  expect((await fetch(address)).status).toBe(200)
})

test('limits only new lists, in every language', async () => {
  await using site = await startTestService({ sandbox: fewRecords })
  await site.readAll()
  const statuses: number[] = []
  for (let visit = 0; visit <= newLists.burst; visit += 1) {
    const path = `/embed/news?category=2&lang=es&visit=${visit}`
    statuses.push((await ask(path, site.url)).status)
  }
  expect(new Set(statuses)).toEqual(new Set([200]))
})

test('shows cards with pictures in their size', async () => {
  const text = (await ask('/embed/news?layout=cards')).body.toString()
  expect(text).toContain('data-layout="cards"')
  const [, path = ''] = /<img src="([^"]+\.phone)"/.exec(text) ?? []
  const { status, headers } = await ask(path)
  expect([status, headers['access-control-allow-origin']]).toEqual([200, '*'])
  expect(text).toMatch(/<span class="summary" dir="auto">\w/)
})

test('shows the next entries in all calendars', async () => {
  const next = (await ask('/embed/next')).body.toString()
  expect(next.match(/<li /g)).toHaveLength(1)
  const all = (await ask('/embed/next?limit=30&layout=cards')).body.toString()
  const sources = new Set([...all.matchAll(/<li data-source="(\w+)"/g)].map(([, id]) => id))
  const kinds = new Set([...sources].map((source = '') => source.replace(/\d$/, '')))
  expect(kinds).toEqual(new Set(['events', 'calendar', 'rental', 'signup']))
  const some = (await ask('/embed/next?limit=30&show=events')).body.toString()
  expect(some).toContain('data-source="events"')
  expect(some).not.toContain('data-source="rental"')
})

test('leaves out entries that are over', async () => {
  await using later = await startTestService({ publicFeedIds: ['events'] })
  const nextTitle = async () =>
    /<strong[^>]*>([^<]+)/.exec((await ask('/embed/next', later.url)).body.toString())?.[1]
  expect(await nextTitle()).toBe('Friday fish fry')
  await later.clock.leap(Date.parse('2026-03-07T02:00:00Z') - later.clock.now())
  expect(await nextTitle()).toBe('Pancake breakfast')
})

test('shows a month of all calendars, of one feed, or of part of a feed', async () => {
  const idsIn = async (path: string) =>
    [...(await ask(path)).body.toString().matchAll(/href="[^"]*\/(\w+\/\d+)"/g)].map(([, id]) => id)
  const all = await idsIn('/embed/month?month=2026-05')
  const calendar = await idsIn('/embed/calendar?layout=month&month=2026-05')
  const part = await idsIn('/embed/calendar?layout=month&month=2026-05&calendar=2')
  expect(all.length).toBeGreaterThan(calendar.length)
  expect(calendar.length).toBeGreaterThan(part.length)
  expect(part.length).toBeGreaterThan(0)
  expect(await idsIn('/embed/month?month=2026-05&show=calendar:2')).toEqual(part)
  const text = (await ask('/embed/month?month=2026-05&theme=dark')).body.toString()
  expect(text).toContain('href="?month=2026-04&amp;theme=dark"')
})

test.for([
  '/embed/events?limit=30&',
  '/embed/events?layout=cards&limit=30&',
  '/embed/events?layout=month&month=2026-04&',
  '/embed/next?limit=30&',
  '/embed/month?month=2026-04&',
])('filters %s by words and place', async (path) => {
  const titlesIn = async (query: string) => {
    const { status, body } = await ask(`${path}${query}`)
    const text = body.toString()
    expect(status).toBe(200)
    return [text.includes('Friday fish fry'), text.includes('Pancake breakfast')]
  }
  expect(await titlesIn('')).toEqual([true, true])
  expect(await titlesIn('q=fish')).toEqual([true, false])
  expect(await titlesIn('place=station+1')).toEqual([false, true])
  expect(await titlesIn('q=fish&place=station+1')).toEqual([false, false])
})

test('limits new searches of all calendars, but not those that the front has cached', async () => {
  await using site = await startTestService({ sandbox: fewRecords, openServer: openFrontedServer })
  await site.readAll()
  const statusesOf = async (queryOf: (visit: number) => string) => {
    const statuses: number[] = []
    for (let visit = 0; visit <= newEmbeds.burst; visit += 1) {
      statuses.push((await ask(`/embed/next?${queryOf(visit)}`, site.url)).status)
    }
    return new Set(statuses)
  }
  expect(await statusesOf(() => 'q=fish&place=social+hall')).toEqual(new Set([200]))
  expect(await statusesOf((visit) => `q=word${visit}`)).toEqual(new Set([200, 429]))
})

test('keeps a search in the links to other months', async () => {
  const text = (await ask('/embed/month?month=2026-05&q=fish')).body.toString()
  expect(text).toContain('href="?month=2026-04&amp;q=fish"')
})

test('applies an accent color that is readable on light and dark backgrounds', async () => {
  const text = (await ask('/embed/events?accent=yellow&font=inherit')).body.toString()
  expect(text).toContain('class="embed auto inherit"')
  const [, path = ''] = /href="(\/embed\/accent\/[^"]+)"/.exec(text) ?? []
  const { headers, body } = await ask(path)
  expect(headers['content-type']).toBe('text/css; charset=utf-8')
  expect(headers['access-control-allow-origin']).toBe('*')
  expect(body.toString()).toMatch(/:root\.light, \.embed \{ --accent: #(?!ffff00)/)
  expect(body.toString()).toContain('--accent: #ffff00')
  expect((await ask('/embed/accent/red.css')).status).toBe(404)
})

test.for([
  ['/embed/events?limit=0', 'limit must be a whole number from 1 to 30.'],
  [
    '/embed/events?accent=reddish',
    'accent must be a CSS color name like firebrick, or six hexadecimal digits like b22222.',
  ],
  ['/embed/events?font=serif', 'font must be system or inherit.'],
  ['/embed/events?layout=grid', 'layout must be list or cards or month.'],
  ['/embed/news?layout=month', 'layout must be list or cards.'],
  ['/embed/next?layout=month', 'layout must be list or cards.'],
  ['/embed/month?layout=list', 'layout must be month.'],
  ['/embed/month?month=soon', 'month must be a year and a number, like month=2026-11.'],
  ['/embed/month?month=1926-11', 'month must be within ten years.'],
  ['/embed/month?limit=3', 'limit has no effect with layout=month. Leave it out.'],
  ['/embed/events?month=2026-11', 'month has no effect with layout=list. Leave it out.'],
  ['/embed/calendar?layout=month&past=3', 'past has no effect with layout=month. Leave it out.'],
  [
    '/embed/next?show=parties',
    'show must be a list of the feeds calendar, events, rental and signup, and "parties" is not one of them.',
  ],
])('explains why %s is invalid', async ([path = '', sentence]) => {
  const { status, body } = await ask(path)
  expect([status, body.toString()]).toEqual([400, `${sentence}\n`])
})

test('has a strong ETag, compressed copies and 304 responses, and can be read by scripts', async () => {
  const url = `${service.url}/embed/month?theme=light`
  const accepted = { 'Accept-Encoding': 'br' }
  const { headers } = await exchangeUrl(url, accepted)
  expect(headers).toMatchObject({
    etag: expect.stringMatching(/^"/),
    'content-encoding': 'br',
    'cache-control': 'public, max-age=300',
    'access-control-allow-origin': '*',
  })
  const etag = headers['etag'] ?? ''
  expect((await exchangeUrl(url, { ...accepted, 'If-None-Match': etag })).status).toBe(304)
})

test('explains private feeds', async () => {
  await using part = await startTestService({ sandbox: fewRecords, publicFeedIds: ['events'] })
  expect((await ask('/embed/calendar', part.url)).status).toBe(403)
  const link = await part.addLink({ expiresAt: part.clock.now() + 1000 })
  await fetch(`${link}calendar.ics`)
  const path = `${link.slice(part.url.length)}embed/calendar`
  const { status, headers } = await ask(path, part.url)
  expect([status, headers['cache-control']]).toEqual([200, 'private, no-cache'])
  expect(headers).not.toHaveProperty('access-control-allow-origin')
  expect(headers['cross-origin-resource-policy']).toBe('same-origin')
  await part.clock.leap(1000)
  expect((await ask(path, part.url)).status).toBe(404)
})
