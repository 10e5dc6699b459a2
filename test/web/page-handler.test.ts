import { expect, test } from 'vitest'
import { standardCatalog } from '../../src/feeds/catalog.ts'
import type { Viewer } from '../../src/web/viewer.ts'
import { navigationFor } from '../../src/web/page-handler.ts'
import { fewRecords } from '../support/few-records.ts'
import { exchangeUrl } from '../support/raw-http.ts'
import { sharedService } from '../support/shared-service.ts'

const service = sharedService({ sandbox: fewRecords })

/** Returns the label and URL of each page in a page's navigation. The current one is in brackets. */
async function tabsOf(url: string) {
  const page = (await exchangeUrl(url)).body.toString()
  const [nav = ''] = /<nav class="tabs[^]*?<\/nav>/.exec(page) ?? []
  return [...nav.matchAll(/<a href="([^"]+)"( aria-current="page")?>.*?<\/svg>([^<]+)/g)].map(
    ([, href = '', current, label = '']) => ({
      label: current ? `[${label}]` : label,
      url: new URL(href, url).href,
    }),
  )
}

const labelsOf = async (url: string) => (await tabsOf(url)).map(({ label }) => label).join(' ')

test.each([
  ['', '[Follow] Calendar News'],
  ['feeds', '[Follow] Calendar News'],
  ['agenda', 'Follow [Calendar] News'],
  ['month/2026-03', 'Follow [Calendar] News'],
  ['rental/free', 'Follow [Calendar] News'],
  ['news', 'Follow Calendar [News]'],
])('marks the current page on /%s', async (path, labels) => {
  expect(await labelsOf(`${service().url}/${path}`)).toBe(labels)
})

test('links every page to the same pages, which exist', async () => {
  const { url } = service()
  const home = await (await fetch(`${url}/`)).text()
  const [, event = ''] = /href="(events\/\d+)"/.exec(home) ?? []
  const [, story = ''] = /href="(news\/\d+)"/.exec(home) ?? []
  const expected = ['', 'agenda', 'news'].map((path) => `${url}/${path}`)
  for (const path of ['', 'feeds', 'month/2026-03', 'rental/free', event, story]) {
    const urls = (await tabsOf(`${url}/${path}`)).map((tab) => tab.url)
    expect([path, urls]).toEqual([path, expected])
  }
  for (const page of expected) expect((await fetch(page)).status).toBe(200)
})

test('has the pages of a feed link', async () => {
  const { addLink } = service()
  const member = await addLink({ memberId: 5, profile: 'full', feedIds: ['signup', 'members'] })
  expect(await labelsOf(member)).toBe('[Mine] Calendar Members')
  expect(await labelsOf(`${member}members`)).toBe('Mine Calendar [Members]')
  expect(await labelsOf(await addLink({ feedIds: ['news'] }))).toBe('[Follow] News')
  expect(await labelsOf(await addLink({ feedIds: ['guestbook'] }))).toBe('')
})

test('has a page for the documents of a feed link, and one for its minutes', async () => {
  const link = await service().addLink({ feedIds: ['documents', 'minutes'] })
  expect(await labelsOf(link)).toBe('[Follow] Documents')
  for (const [path, heading] of [
    ['documents', 'Documents'],
    ['minutes', 'Minutes'],
  ] as const) {
    expect(await labelsOf(`${link}${path}`)).toBe('Follow [Documents]')
    const page = await (await fetch(`${link}${path}`)).text()
    expect(page).toContain(`<h1>${heading}</h1>`)
    expect(page).toContain('href="minutes"')
    const [, item = ''] = new RegExp(`href="(${path}/\\d+)"`).exec(page) ?? []
    expect(await labelsOf(`${link}${item}`)).toBe('Follow [Documents]')
    expect(await (await fetch(`${link}${item}`)).text()).toContain(`href="../${path}"`)
    expect((await fetch(`${link}${path}?q=nothing+like+this`)).status).toBe(200)
    expect((await fetch(`${service().url}/${path}`)).status).toBe(404)
  }
})

const around = (page: string) =>
  [...page.matchAll(/<a rel="(prev|next)" href="(\d+)"/g)].map(([, rel, id]) => [rel, id])

test('links a story to the previous and next ones, and to others in its category', async () => {
  const { url, addLink } = service()
  const home = await (await fetch(`${url}/news`)).text()
  const ids = [...home.matchAll(/href="news\/(\d+)"/g)].map(([, id = '']) => id)
  const [first = '', second = '', third = ''] = [...new Set(ids)]
  const story = async (id: string, base = `${url}/`) => (await fetch(`${base}news/${id}`)).text()
  expect(around(await story(first))).toEqual([['next', second]])
  expect(around(await story(second))).toEqual([
    ['prev', first],
    ['next', third],
  ])
  const pages = await Promise.all(ids.slice(0, 10).map((id) => story(id)))
  const alike = pages.find((page) => page.includes('id="alike"')) ?? ''
  const [, category = ''] = /More in <span dir="auto">([^<]+)</.exec(alike) ?? []
  const [, list = ''] = /id="alike"[^]*?<ul class="agenda">([^]*?)<\/ul>/.exec(alike) ?? []
  expect(list.match(/<small>/g)?.length).toBeGreaterThan(0)
  for (const [, details] of list.matchAll(/<small>([^<]*)</g)) expect(details).toContain(category)
  expect(alike).toContain('mailto:')
  expect(await story(second, await addLink({ feedIds: ['news'] }))).not.toContain('mailto:')
})

test.for([
  ['events', 'calendar'],
  ['news', 'news'],
  ['documents', 'documents'],
  ['minutes', 'documents'],
])('leads to the page for %s if it is the only feed', ([id, tab]) => {
  const feeds = standardCatalog.feeds.filter((feed) => feed.id === id)
  const viewer = { feeds, hasMembers: false } as unknown as Viewer
  const pages = navigationFor({ isOffered: () => true, site: { language: 'en-US' } }, viewer)
  expect(pages.map((page) => page.tab)).toEqual(['home', tab])
})
