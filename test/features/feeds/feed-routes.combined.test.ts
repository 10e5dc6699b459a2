import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fewRecords } from '../../support/few-records.ts'
import { exchangeUrl as ask } from '../../support/raw-http.ts'
import { resourcesAt } from '../../support/read-calendar.ts'
import { startTestService, testDirectory } from '../../support/service.ts'

const service = await startTestService({ publicFeedIds: ['events', 'rental', 'news'] })
afterAll(() => service[Symbol.asyncDispose]())
const link = await service.addLink({ feedIds: ['calendar', 'events', 'signup'] })

/** Returns the resources whose entries a calendar contains. */
const textAt = async (url: string) => (await ask(url)).body.toString()

test('combines the public calendars in all.ics', async () => {
  expect(await resourcesAt(`${service.url}/all.ics`)).toEqual(['events', 'rental'])
  expect(await resourcesAt(`${service.url}/all.ics?show=rental`)).toEqual(['rental'])
})

test('combines the calendars of a link in all.ics and my.ics below it', async () => {
  const expected = ['calendar', 'events', 'signup']
  expect(await resourcesAt(`${link}my.ics`)).toEqual(expected)
  expect(await resourcesAt(`${link}all.ics`)).toEqual(expected)
  expect(await resourcesAt(`${link}my.ics?show=signup`)).toEqual(['signup'])
})

/** Returns the ids of the entries of a calendar. */
const entriesAt = async (path: string) =>
  [...(await textAt(`${service.url}/${path}`)).matchAll(/^UID:([^@]+)@/gm)].map(([, id]) => id)

test('shows only single entries, and updates them', async () => {
  const [first = '', , third = ''] = await entriesAt('events.ics')
  const [booking = ''] = await entriesAt('rental.ics')
  const path = `all.ics?ids=${[third, booking, first].join(',')}`
  expect(new Set(await entriesAt(path))).toEqual(new Set([first, third, booking]))
  expect(await textAt(`${service.url}/${path}`)).toMatch(/^NAME:.*: Saved events/m)
  // Neither unknown entries nor those of private feeds are an error, if others can be read.
  expect(await entriesAt(`all.ics?ids=${first},events-987654,calendar-1`)).toEqual([first])
  expect(await entriesAt('all.ics?ids=events-987654')).toEqual([])
  expect((await ask(`${service.url}/all.ics?ids=calendar-1`)).status).toBe(403)
})

test('combines the news of a link in its my.rss', async () => {
  const both = await service.addLink({ feedIds: ['events', 'news'] })
  for (const format of ['rss', 'atom', 'json']) {
    const { status, body } = await ask(`${both}my.${format}?limit=200`)
    expect(status).toBe(200)
    expect(body.toString()).toContain(':news-')
    expect(body.toString()).toContain(':events-')
  }
  expect((await ask(`${service.url}/my.rss`)).status).toBe(403)
})

test.for([
  ['/all.ics?show=calendar', 'The feed "Calendar" is not public.'],
  ['/my.ics', 'The feed "My feeds" is not public.'],
] as const)('does not serve %s publicly', async ([path, sentence]) => {
  const { status, body } = await ask(`${service.url}${path}`)
  expect(status).toBe(403)
  expect(body.toString()).toContain(sentence)
})

test('does not serve a feed below a link that does not include it', async () => {
  const { status, body } = await ask(`${link}my.ics?show=events,rental`)
  expect(status).toBe(403)
  expect(body.toString()).toContain('This feed link does not include the feed "Rentals".')
  const news = await service.addLink({ feedIds: ['news'] })
  for (const feed of ['my.ics', 'changes.rss']) {
    expect([feed, (await ask(`${news}${feed}`)).status]).toEqual([feed, 403])
  }
})

test('keeps the feeds of different links apart', async () => {
  const drills = await service.addLink({ feedIds: ['calendar'] })
  const signUps = await service.addLink({ feedIds: ['signup'] })
  expect(await resourcesAt(`${drills}my.ics`)).toEqual(['calendar'])
  expect(await resourcesAt(`${signUps}my.ics`)).toEqual(['signup'])
  expect(await resourcesAt(`${drills}my.ics`)).toEqual(['calendar'])
})

test('limits the options that each client behind a proxy can ask for', async () => {
  await using own = await startTestService({
    publicFeedIds: ['events'],
    environment: { TRUST_PROXY: '1' },
  })
  await own.readAll()
  const status = async (address: string, past: number) => {
    const headers = { 'x-forwarded-for': address }
    return (await fetch(`${own.url}/events.ics?past=${past}`, { headers })).status
  }
  for (let past = 0; past < 30; past += 1) expect(await status('192.0.2.1', past)).toBe(200)
  expect(await status('192.0.2.1', 30)).toBe(429)
  expect(await status('192.0.2.2', 30)).toBe(200)
})

test('allows more options after a restart, when no feed with options is known', async () => {
  const directory = testDirectory()
  const start = () =>
    startTestService({
      publicFeedIds: ['news'],
      storeFileIn: () => join(directory, 'store.sqlite'),
      sandbox: fewRecords,
    })
  await using before = await start()
  await before.readAll()
  await using after = await start()
  const statuses = async (count: number) => {
    const all = Array.from({ length: count }, async (_, index) => {
      return (await fetch(`${after.url}/news.rss?category=${index + 1}`)).status
    })
    return new Set(await Promise.all(all))
  }
  expect(await statuses(60)).toEqual(new Set([200]))
  await after.clock.advance(60 * 60_000)
  const later = async (past: number) =>
    (await fetch(`${after.url}/news.rss?category=${1000 + past}`)).status
  for (let past = 0; past < 30; past += 1) expect(await later(past)).toBe(200)
  expect(await later(30)).toBe(429)
})

test('offers the combined calendar on the public page if several calendars are public', async () => {
  const text = await textAt(`${service.url}/feeds?feed=all&prefix=1`)
  expect(text).toMatch(/<h2 id="all-title">All in one<\/h2>/)
  expect(text).toContain('/all.ics?prefix=1"')
  expect(text).toContain('Every calendar in one, with each entry only once.')
  const repeating = await textAt(`${service.url}/feeds?feed=all&dedupe=0`)
  expect(repeating).toContain('Every calendar in one.')
  expect(repeating).not.toContain('only once')
  expect(await textAt(`${service.url}/feeds?feed=all&alarm=soon`)).toContain(
    'role="alert">alarm must be ',
  )
  expect(await textAt(`${link}feeds`)).not.toContain('/all.ics')
  await using single = await startTestService({ publicFeedIds: ['calendar', 'news'] })
  expect(await textAt(`${single.url}/feeds`)).not.toContain('id="all-title"')
})

test('combines all public news in all.rss, all.atom and all.json', async () => {
  await using several = await startTestService({ publicFeedIds: ['calendar', 'news', 'minutes'] })
  await several.readAll()
  const page = await textAt(`${several.url}/feeds`)
  expect(page).toContain('id="all-title"')
  expect(page).not.toContain('/all.ics')
  expect(page).toContain('Everything in one, for feed readers.')
  expect(page).not.toContain('Every calendar in one')
  expect(page).toMatch(
    /<details class="fold" name="feed" open>\s*<summary><h2 id="calendar-title">/,
  )
  for (const format of ['rss', 'atom', 'json']) {
    expect(page).toContain(`/all.${format}"`)
    const text = await textAt(`${several.url}/all.${format}`)
    expect(text).toContain(`${several.sandbox.siteName}: All news`)
    for (const kind of ['news', 'minutes']) expect(text).toMatch(new RegExp(`/${kind}/\\d+`))
    expect(text).not.toMatch(/\/(?:announcements|events)\/\d/)
  }
  const only = await textAt(`${several.url}/all.rss?show=minutes`)
  expect(only).not.toContain('/news/')
})

test('serves the digest publicly, but not below feed links', async () => {
  for (const format of ['rss', 'atom', 'json']) {
    expect((await fetch(`${service.url}/digest.${format}`)).status).toBe(200)
  }
  const link = await service.addLink({ profile: 'full' })
  expect((await fetch(`${link}digest.rss`)).status).toBe(404)
  for (const path of ['feeds', 'feeds.opml']) {
    expect(await (await fetch(`${link}${path}`)).text()).not.toContain('digest.rss')
    expect(await (await fetch(`${service.url}/${path}`)).text()).toContain('digest.rss')
  }
})
