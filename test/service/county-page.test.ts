import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { newFeedVariants, pageVariants } from '../../src/web/context.ts'
import { startTestHosting } from '../support/hosting.ts'
import { advanceUntil, waitFor } from '../support/wait-for.ts'

const county = 'https://feeds.example'
const listed = { COUNTY_LISTING: 'yes', PUBLIC_FEEDS: 'events,news' }
const ashton = {
  publicUrl: 'https://feeds.example/ashton',
  environment: { ...listed, ID_HOST: 'www.ashton.example' },
}
const milbrook = {
  publicUrl: 'https://milbrook.example',
  environment: { ...listed, ID_HOST: 'www.milbrook.example' },
}
const dover = {
  publicUrl: 'https://feeds.example/dover',
  environment: { PUBLIC_FEEDS: 'events,news' },
}

const environment = { SITES_FILE: 'sites.json', SITES_URL: county, COUNTY_NAME: 'Cedar County' }

/** Starts the sites, and waits until the county page has read them. */
async function withCounty(sites: Parameters<typeof startTestHosting>[0]) {
  const hosting = await startTestHosting(sites, { environment })
  await waitFor(async () => expect((await hosting.ask(`${county}/county.ics`)).status).toBe(200))
  return hosting
}

type Ask = Awaited<ReturnType<typeof withCounty>>['ask']

const entriesIn = (text: string) =>
  new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents('vevent')
    .map((event) => new ICAL.Event(event))

const entriesAt = async (ask: Ask, address: string) => entriesIn((await ask(address)).text)

/** Returns the departments named in the titles of the county's entries. */
async function departmentsIn(ask: Ask) {
  const entries = await entriesAt(ask, `${county}/county.ics`)
  return [...new Set(entries.map(({ summary }) => /\((\w+)\)$/.exec(summary)?.[1] ?? ''))].sort()
}

describe('the county calendar', () => {
  test('has the public entries of each listed department, with their UIDs', async () => {
    const { ask } = await withCounty({ ashton, milbrook, dover })
    const response = await ask(`${county}/county.ics`)
    expect(response.status).toBe(200)
    expect(response.headers['content-type']).toBe('text/calendar; charset=utf-8')
    const calendar = new ICAL.Component(ICAL.parse(response.text))
    expect(calendar.getFirstPropertyValue('name')).toBe('Cedar County: All departments')
    const entries = entriesIn(response.text)
    const own = await Promise.all(
      [ashton, milbrook].map(({ publicUrl }) =>
        entriesAt(ask, `${publicUrl}/all.ics?past=30&future=180`),
      ),
    )
    expect(entries.map(({ uid }) => uid).toSorted()).toEqual(
      own
        .flat()
        .map(({ uid }) => uid)
        .toSorted(),
    )
    const [first] = own[1] ?? []
    const merged = entries.find(({ uid }) => uid === first?.uid)
    expect(merged?.summary).toBe(`${first?.summary} (milbrook)`)
    expect(merged?.description).toMatch(/\n\nmilbrook: https:\/\/milbrook\.example\/$/)
    expect(merged?.sequence).toBe(first?.sequence)
    const properties = ['dtstart', 'dtend', 'url', 'last-modified', 'location']
    for (const name of properties) {
      expect(String(merged?.component.getFirstPropertyValue(name))).toBe(
        String(first?.component.getFirstPropertyValue(name)),
      )
    }
    expect(merged?.component.getFirstProperty('categories')?.getValues()).toContain('milbrook')
    expect(response.text).not.toContain('dover')
  })

  test('never changes for unchanged entries, and is compressed', async () => {
    const { ask, clock } = await withCounty({ ashton })
    const address = `${county}/county.ics`
    const first = await ask(address)
    await clock.advance(40_000)
    const etag = String(first.headers['etag'])
    const again = await ask(address, { headers: { 'if-none-match': etag } })
    expect([again.status, again.text]).toEqual([304, ''])
    const zipped = await ask(address, { headers: { 'accept-encoding': 'gzip' } })
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(zipped.headers['cache-control']).toContain('public')
    const post = await ask(address, { method: 'POST' })
    expect(post.status).toBe(405)
  })

  test('follows departments that come, go or are no longer listed', async () => {
    const { ask, changeSites, clock } = await withCounty({ ashton, dover })
    const listsOnly = (names: readonly string[]) =>
      advanceUntil(clock, async () => expect(await departmentsIn(ask)).toEqual(names), 31_000)
    await listsOnly(['ashton'])
    await changeSites({ ashton, dover, milbrook })
    await listsOnly(['ashton', 'milbrook'])
    await changeSites({
      ashton: { ...ashton, environment: { ...ashton.environment, COUNTY_LISTING: 'no' } },
      dover,
      milbrook,
    })
    expect(await departmentsIn(ask)).toEqual(['milbrook'])
    await changeSites({ ashton, dover })
    await listsOnly(['ashton'])
  })

  test('is a calendar without entries if no department is listed', async () => {
    const { ask } = await withCounty({ dover })
    expect(await entriesAt(ask, `${county}/county.ics`)).toEqual([])
    expect((await ask(`${county}/county`)).text).toContain('No departments are listed here yet.')
  })
})

test('the county’s news names the department of each item, in every format', async () => {
  const { ask } = await withCounty({ ashton, milbrook, dover })
  const [rss, atom, json] = await Promise.all(
    ['rss', 'atom', 'json'].map(async (format) => (await ask(`${county}/county.${format}`)).text),
  )
  const items = parseRssFeed(rss ?? '').items ?? []
  expect(items.length).toBeGreaterThan(2)
  for (const { title } of items) expect(title).toMatch(/ \((?:ashton|milbrook)\)$/)
  const ids = items.map(({ guid }) => guid?.value)
  expect(parseAtomFeed(atom ?? '').entries?.map(({ id }) => id)).toEqual(ids)
  const feed = parseJsonFeed(json ?? '')
  expect(feed.items?.map(({ id }) => id)).toEqual(ids)
  const own = parseJsonFeed((await ask(`${milbrook.publicUrl}/news.json`)).text).items ?? []
  expect(ids).toEqual(expect.arrayContaining(own.slice(0, 5).map(({ id }) => id)))
  const item = feed.items?.find(({ id }) => id === own[0]?.id)
  expect(item?.url).toBe(own[0]?.url)
  expect(item?.content_html).toContain('<a href="https://milbrook.example/">')
  expect(rss).not.toContain('dover')
})

test('omits the news of a department that are no longer public', async () => {
  const { ask, changeSites, clock } = await withCounty({ ashton, milbrook })
  const departments = async () => {
    const { text } = await ask(`${county}/county.json`)
    const titles = parseJsonFeed(text).items?.map(({ title = '' }) => title) ?? []
    return [...new Set(titles.map((title) => /\((\w+)\)$/.exec(title)?.[1] ?? ''))].toSorted()
  }
  expect(await departments()).toEqual(['ashton', 'milbrook'])
  const closed = { ...ashton, environment: { ...ashton.environment, PUBLIC_FEEDS: 'events' } }
  await changeSites({ ashton: closed, milbrook })
  await waitFor(async () => {
    const { text } = await ask(`${ashton.publicUrl}/news.json`)
    expect(text).toContain('no longer public')
  })
  await advanceUntil(clock, async () => expect(await departments()).toEqual(['milbrook']), 31_000)
  expect((await ask(`${county}/county`)).text).not.toContain('no longer public')
})

describe('a search in the county’s feeds', () => {
  test('finds words in entries, and names of departments', async () => {
    const { ask } = await withCounty({ ashton, milbrook })
    const all = await entriesAt(ask, `${county}/county.ics`)
    const found = async (query: string) => {
      const entries = await entriesAt(ask, `${county}/county.ics?${query}`)
      return entries.map(String)
    }
    const matching = (isMatch: (entry: ICAL.Event) => boolean) => all.filter(isMatch).map(String)
    const pancakes = matching(({ summary }) => summary.startsWith('Pancake breakfast'))
    expect(pancakes.length).toBeGreaterThan(3)
    expect(await found('q=PANCAKE+breakfast')).toEqual(pancakes)
    expect(await found('q=pancake+milbrook')).toEqual(
      pancakes.filter((text) => text.includes('(milbrook)')),
    )
    expect(await found('q=-pancake')).toHaveLength(all.length - pancakes.length)
    const { text } = await ask(`${county}/county.ics?q=Pancake`)
    const calendar = new ICAL.Component(ICAL.parse(text))
    expect(calendar.getFirstPropertyValue('name')).toBe('Cedar County: All departments (pancake)')
    expect(calendar.getFirstPropertyValue('source')).toBe(`${county}/county.ics?q=pancake`)
  })

  test('finds words in news', async () => {
    const { ask } = await withCounty({ ashton, milbrook })
    const itemsAt = async (query: string) =>
      parseJsonFeed((await ask(`${county}/county.json${query}`)).text).items ?? []
    const all = await itemsAt('')
    const alarms = all.filter(({ title, content_html: html }) => /alarm/i.test(`${title} ${html}`))
    expect(alarms.length).toBeGreaterThan(1)
    expect(await itemsAt('?q=alarm')).toEqual(alarms)
    expect(await itemsAt('?q=alarm+ashton')).toEqual(
      alarms.filter(({ title }) => title?.endsWith('(ashton)')),
    )
    const { text } = await ask(`${county}/county.atom?q=alarm`)
    expect(parseAtomFeed(text).id).toMatch(/:county\?q=alarm$/)
  })

  test('is limited for each client, and not cached if it fails', async () => {
    const { ask } = await withCounty({ ashton })
    const invalid = await ask(`${county}/county.ics?q=${'W'.repeat(101)}`)
    expect(invalid.status).toBe(400)
    for (let index = 0; index < 30; index += 1) {
      expect((await ask(`${county}/county.rss?q=${index}`)).status).toBe(200)
    }
    const excess = await ask(`${county}/county.rss?q=more`)
    expect(excess.status).toBe(429)
    for (const { headers } of [invalid, excess]) {
      expect(headers['cache-control']).not.toContain('public')
      expect(headers['content-type']).toMatch(/^text\/plain/)
    }
    for (const query of ['', '?q=0', '?q=29']) {
      expect((await ask(`${county}/county.rss${query}`)).status).toBe(200)
    }
  })
})

test.for(['county?show=ashton&x=', 'county?x=', 'county.ics?x='])(
  'limits made-up parameters of the county for each client, like those of a site: %s',
  async (path) => {
    const { ask } = await withCounty({ ashton })
    for (let index = 0; index < pageVariants.burst; index += 1) {
      expect((await ask(`${county}/${path}${index}`)).status).toBe(200)
    }
    const excess = await ask(`${county}/${path}more`)
    expect(excess.status).toBe(429)
    expect(excess.headers['retry-after']).toBe('1')
    for (const usual of ['county', 'county?lang=es', 'county.ics', 'county.ics?q=a']) {
      expect((await ask(`${county}/${usual}`)).status).toBe(200)
    }
  },
)

test('limits new selections of departments for each client, like searches', async () => {
  const { ask } = await withCounty({ ashton, milbrook })
  const statusOf = async (path: string) => (await ask(`${county}/${path}`)).status
  const months = ['03', '04', '05', '06', '07', '08'].map((month) => `county/month/2026-${month}`)
  const languages = ['en', 'es', 'fr', 'de']
  const selections = ['county', ...months]
    .flatMap((path) => ['ashton', 'milbrook'].map((id) => `${path}?show=${id}`))
    .flatMap((url) => languages.map((language) => `${url}&lang=${language}`))
  const { burst } = newFeedVariants
  for (const path of selections.slice(0, burst)) expect(await statusOf(path)).toBe(200)
  expect(await statusOf(selections[burst] ?? '')).toBe(429)
  for (const known of [
    'county',
    'county?lang=fr',
    selections[0] ?? '',
    selections[burst - 1] ?? '',
  ]) {
    expect(await statusOf(known)).toBe(200)
  }
})

describe('the county page', () => {
  test('lists the departments with their pages', async () => {
    const { ask } = await withCounty({ milbrook, ashton, dover })
    const { status, text } = await ask(`${county}/county`)
    expect(status).toBe(200)
    expect(text).toContain('2 departments')
    expect(text.indexOf('https://feeds.example/ashton/')).toBeGreaterThan(0)
    expect(text.indexOf('https://feeds.example/ashton/')).toBeLessThan(
      text.indexOf('https://milbrook.example/'),
    )
    expect(text).not.toContain('dover')
    const [, style = ''] = /href="(\/assets\/style[^"]+)"/.exec(text) ?? []
    expect((await ask(`${county}${style}`)).status).toBe(200)
  })

  test('shows the next entries and the news of all departments, or of some', async () => {
    const { ask } = await withCounty({ milbrook, ashton, dover })
    const linked = async (query: string) => {
      const { text } = await ask(`${county}/county${query}`)
      const links = [...text.matchAll(/href="(https:[^"]+)\/(events|news)\/\d+"/g)]
      return [...new Set(links.map(([, url, feed]) => `${url} ${feed}`))].sort()
    }
    const [ashtons, milbrooks] = [ashton, milbrook].map(({ publicUrl }) =>
      ['events', 'news'].map((feed) => `${publicUrl} ${feed}`),
    )
    expect(await linked('')).toEqual([...(ashtons ?? []), ...(milbrooks ?? [])])
    expect(await linked('?show=milbrook')).toEqual(milbrooks)
    expect(await linked('?show=milbrook&show=ashton')).toHaveLength(4)
    const { status, text } = await ask(`${county}/county?show=ashton,dover`)
    expect(status).toBe(400)
    expect(text).toContain('show must be a list of these departments: ashton, milbrook.')
  })

  test('finds entries of all departments, or of some', async () => {
    const { ask } = await withCounty({ milbrook, ashton, dover })
    const found = async (query: string) => {
      const { text } = await ask(`${county}/county?${query}`)
      const links = text.matchAll(
        /class="ev" href="(https:[^"]+)\/events\/\d+".*?<strong[^>]*>([^<]+)</g,
      )
      return [...links].map(([, url, title]) => `${url} ${title}`)
    }
    const all = await found('q=pancake')
    expect(new Set(all)).toEqual(
      new Set([ashton, milbrook].map(({ publicUrl }) => `${publicUrl} Pancake breakfast`)),
    )
    const ashtons = await found('q=pancake&show=ashton')
    expect(ashtons.length).toBe(all.length / 2)
    expect(new Set(ashtons)).toEqual(new Set([`${ashton.publicUrl} Pancake breakfast`]))
    expect((await ask(`${county}/county?q=zebra`)).text).toContain('0 entries match “zebra”.')
    const { status } = await ask(`${county}/county?q=${'x'.repeat(101)}`)
    expect(status).toBe(400)
  })

  test('shows each month that departments publish, with their colors', async () => {
    const { ask } = await withCounty({ milbrook, ashton, dover })
    const { status, text } = await ask(`${county}/county/month/2026-04?lang=de`)
    expect(status).toBe(200)
    expect(text).toContain('<h1 class="dated">April 2026')
    expect(text).toContain('href="2026-05?lang=de"')
    expect(text).toMatch(/href="https:\/\/milbrook\.example\/events\/\d+\?lang=de"/)
    for (const [index, name] of ['ashton', 'milbrook'].entries()) {
      expect(text).toMatch(new RegExp(`<li data-source="d${index}".*?\\(${name}\\)`))
    }
    const one = (await ask(`${county}/county/month/2026-04?show=ashton`)).text
    expect(one).not.toMatch(/<li data-source="d1"/)
    for (const month of ['2026-02', '2026-09', '2026-13', 'x']) {
      const outside = await ask(`${county}/county/month/${month}`)
      expect([month, outside.status]).toEqual([month, 400])
      expect(outside.text).toContain('There are pages for the months from 2026-03 to 2026-08.')
    }
    const colors = await ask(`${county}/county/colors.css`)
    expect(colors.headers['content-type']).toBe('text/css; charset=utf-8')
    expect(colors.text).toMatch(/^\[data-source='d0'\] \{ --source: .*\n\[data-source='d1'\]/)
  })

  test('has a URL for each language', async () => {
    const { ask } = await withCounty({ milbrook, ashton, dover })
    const { status, text } = await ask(`${county}/county?lang=es&show=milbrook`)
    expect(status).toBe(200)
    expect(text).toContain('<html lang="es-US">')
    expect(text).toContain('2 departamentos')
    const canonical = '<link rel="canonical" href="https://feeds.example/county?lang=es">'
    expect(text).toContain(canonical)
    expect(text).toContain('hreflang="de" href="https://feeds.example/county?lang=de"')
    expect(text).toContain('href="county?show=milbrook&amp;lang=fr" lang="fr"')
    expect(text).toContain('href="https://feeds.example/county.ics?lang=es"')
    expect(text).toContain('href="https://milbrook.example/?lang=es"')
    expect(text).toMatch(/href="https:\/\/milbrook\.example\/events\/\d+\?lang=es"/)
    const unknown = await ask(`${county}/county?lang=xx`)
    expect(unknown.status).toBe(400)
    expect(unknown.text).toContain('lang must be en or es or fr or de.')
  })

  test('offers the same entries and items in each language', async () => {
    const { ask } = await withCounty({ milbrook, ashton, dover })
    const [english, german] = await Promise.all(
      ['', '?lang=de'].map(async (query) => {
        const [ics, rss] = await Promise.all(
          ['ics', 'rss'].map(async (each) => (await ask(`${county}/county.${each}${query}`)).text),
        )
        const items = parseRssFeed(rss ?? '').items ?? []
        const uids = entriesIn(ics ?? '').map(({ uid }) => uid)
        return { ics, rss, uids, guids: items.map(({ guid }) => guid?.value) }
      }),
    )
    expect(german?.ics).toContain('NAME:Cedar County: Alle Feuerwehren')
    expect(german?.rss).toContain('<language>en-US</language>')
    expect(german?.guids).toEqual(english?.guids)
    expect(german?.uids).toEqual(english?.uids)
  })

  test('has no choice of departments if there is only one', async () => {
    const { ask } = await withCounty({ ashton, dover })
    expect((await ask(`${county}/county`)).text).not.toContain('county?show=')
  })

  test('does not exist without a name', async () => {
    const { ask } = await startTestHosting(
      { ashton, milbrook },
      { environment: { SITES_FILE: 'sites.json', SITES_URL: county } },
    )
    for (const path of ['/county', '/county.ics']) {
      expect((await ask(`${county}${path}`)).status).toBe(404)
    }
  })
})
