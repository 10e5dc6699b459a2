import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import nodeIcal from 'node-ical'
import { expect, test } from 'vitest'
import { feedMessages } from '../../src/feeds/messages.ts'
import { readCalendar } from '../support/read-calendar.ts'
import { sharedService } from '../support/shared-service.ts'

const service = sharedService()

async function textAt(path: string, status = 200) {
  const response = await fetch(new URL(path, `${service().url}/`))
  expect([path, response.status]).toEqual([path, status])
  return response.text()
}

test.for([
  ['es', 'es-US', 'Calendario'],
  ['fr', 'fr-CA', 'Calendrier'],
  ['de', 'de-DE', 'Kalender'],
] as const)('shows every page in the language %s', async ([language, tag, calendar]) => {
  for (const path of ['', 'feeds', 'agenda', 'month/2026-03', 'rental/free', 'news']) {
    const page = await textAt(`${path}?lang=${language}`)
    expect([path, page]).toEqual([path, expect.stringContaining(`<html lang="${tag}">`)])
    expect(page).toContain('lang="en-US">Cedar Hollow')
    expect(page).toContain(`</svg>${calendar}</a>`)
  }
})

test('links translated pages only to translated pages and files', async () => {
  const { url, addLink } = service()
  const link = new URL(await addLink({ profile: 'full' })).pathname
  const addresses = new Set(['', link.slice(1)].map((path) => `${url}/${path}?lang=es`))
  const counts = new Map<string, number>()
  for (const address of addresses) {
    const page = (await textAt(address)).replace(/<nav class="languages[^]*?<\/nav>/, '')
    const urls = [...page.matchAll(/<(?:a\s[^>]*href|form method="post" action)="([^"#]+)/g)]
      .map(([, href = '']) => new URL(href.replaceAll('&amp;', '&'), address))
      .filter(({ origin }) => origin === url)
    const others = urls.filter(({ search }) => !search.includes('lang=es'))
    expect([address, others.map(({ href }) => href)]).toEqual([address, []])
    const forms = page.match(/<form (?!method="post").*?><.*?>/g) ?? []
    expect(forms.filter((form) => !form.endsWith('name="lang" value="es">'))).toEqual([])
    for (const { href, pathname } of urls) {
      const kind = pathname.replaceAll(/\d+/g, '0')
      const count = (counts.get(kind) ?? 0) + 1
      counts.set(kind, count)
      if (count <= 2 && !/\.\w+$|board/.test(pathname)) addresses.add(href)
    }
  }
  for (const kind of ['/', '/events/0', '/news/0', '/rental/free', '/month/0-0']) {
    expect([kind, counts.has(kind)]).toEqual([kind, true])
  }
})

const switched = (page: string) =>
  [...page.matchAll(/<a href="([^"]+)" lang="(\w+)" hreflang/g)].map(([, href, to]) => [to, href])

test('switches from a translated page to every language', async () => {
  expect(switched(await textAt('rental/free?lang=es'))).toEqual([
    ['en', 'free'],
    ['es', 'free?lang=es'],
    ['fr', 'free?lang=fr'],
    ['de', 'free?lang=de'],
  ])
  expect(switched(await textAt('news?page=2&lang=es&saved=1'))).toEqual([
    ['en', 'news?page=2'],
    ['es', 'news?page=2&amp;lang=es'],
    ['fr', 'news?page=2&amp;lang=fr'],
    ['de', 'news?page=2&amp;lang=de'],
  ])
})

const alternates = (page: string) =>
  [...page.matchAll(/<link rel="alternate" hreflang="(\w+)" href="([^"]+)">/g)].map(
    ([, language, href]) => [language, href],
  )

test('tells search engines about the translations of public pages', async () => {
  const { url, addLink } = service()
  const expected = [
    ['en', `${url}/news`],
    ['es', `${url}/news?lang=es`],
    ['fr', `${url}/news?lang=fr`],
    ['de', `${url}/news?lang=de`],
  ]
  expect(alternates(await textAt('news'))).toEqual(expected)
  expect(alternates(await textAt('news?lang=de&utm=x'))).toEqual(expected)
  for (const path of ['?lang=fr', 'feeds?lang=fr']) {
    expect(await textAt(path)).toContain(`<link rel="canonical" href="${url}/?lang=fr">`)
  }
  expect(alternates(await textAt(await addLink({ feedIds: ['news'] })))).toEqual([])
})

test('rejects unknown languages with a list of the valid ones', async () => {
  for (const path of [
    '?lang=it',
    'news?lang=',
    'events.ics?lang=English',
    'all.rss?lang=es&lang=de',
  ]) {
    expect(await textAt(path, 400)).toMatch(/lang (?:must be en or es or fr or de|appears more)/)
  }
})

const idsIn = (text: string) => text.match(/^(?:UID|SEQUENCE|DTSTART|LAST-MODIFIED)\b.*$/gm)

const tags = (text: string) => text.match(/<(?:id|updated)>.*?<|xml:lang="[^"]+"/g)

test('keeps ids, links and the declared language the same in every language', async () => {
  const [calendar, spanish] = [await textAt('all.ics'), await textAt('all.ics?lang=es')]
  expect(idsIn(spanish)).toEqual(idsIn(calendar))
  expect(spanish).toMatch(/^SOURCE;VALUE=URI:\S+\/all\.ics\?lang=es\r$/m)
  const [feed, german] = [await textAt('news.atom'), await textAt('news.atom?lang=de')]
  expect(tags(german)).toEqual(tags(feed))
  expect(german).toMatch(/href="[^"]+\/news\.atom\?lang=de"/)
  expect(await textAt('feeds.opml?lang=de')).toContain(`xmlUrl="${service().url}/news.rss?lang=de"`)
})

test('serves the same representation with and without the website’s own language', async () => {
  const { url } = service()
  const [plain, named] = await Promise.all([
    fetch(`${url}/news.rss`),
    fetch(`${url}/news.rss?lang=en`),
  ])
  expect(await named.text()).toBe(await plain.text())
  expect(named.headers.get('etag')).toBe(plain.headers.get('etag'))
})

test('keeps the language when a link’s selection is saved or rejected', async () => {
  const link = await service().addLink({ feedIds: ['events', 'rental'] })
  const save = (show: string) =>
    fetch(`${link}?lang=es`, {
      method: 'POST',
      body: new URLSearchParams({ show }),
      redirect: 'manual',
    })
  expect((await save('events')).headers.get('location')).toBe('./?saved=1&lang=es')
  const rejected = await save('unknown')
  expect([rejected.status, await rejected.text()]).toEqual([
    400,
    expect.stringContaining('<html lang="es-US">'),
  ])
})

test.for(['es', 'fr', 'de'])(
  'has feeds in the language %s that other parsers can read',
  async (language) => {
    const [text, original] = [await textAt(`all.ics?lang=${language}`), await textAt('all.ics')]
    const uids = readCalendar(original).events.map(({ uid }) => uid)
    expect(readCalendar(text).events.map(({ uid }) => uid)).toEqual(uids)
    const parsed = Object.values(nodeIcal.sync.parseICS(text)).flatMap((each) =>
      each?.type === 'VEVENT' ? [each.uid] : [],
    )
    expect(parsed.toSorted()).toEqual(uids.toSorted())
    const [rss, atom, json] = [
      parseRssFeed(await textAt(`changes.rss?lang=${language}`)),
      parseAtomFeed(await textAt(`changes.atom?lang=${language}`)),
      parseJsonFeed(await textAt(`changes.json?lang=${language}`)),
    ]
    const { changes } = feedMessages(language).feeds
    const title = expect.stringContaining(changes.title)
    expect([rss.title, atom.title?.value, json.title]).toEqual([title, title, title])
  },
)
