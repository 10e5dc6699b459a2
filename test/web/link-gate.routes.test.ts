import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { standardCatalog } from '../../src/feeds/catalog.ts'
import { feedMessages } from '../../src/feeds/messages.ts'
import { contextWith } from '../support/context.ts'
import { files, monitoringRoutes, pages } from '../../src/http/routes.ts'
import { editLink } from '../../src/links/link-edits.ts'
import { storedLinks } from '../../src/links/stored-links.ts'
import type { Store } from '../../src/store/store.ts'
import { fewRecords } from '../support/few-records.ts'
import { exchangeUrl as ask } from '../support/raw-http.ts'
import { pushEnvironment } from '../support/following.ts'
import { startTestService } from '../support/service.ts'

/* Every route below feed links, for links in every state. A route that is added must be listed here. */

const dayMs = 24 * 60 * 60 * 1000
const linkPrefix = '/l/:key'

/** A route's response under a paused link, after a link has ended, and two weeks later. */
type Answers = readonly [paused: string, ended: string, gone: string]

const answers = {
  /** A feed or board, in which a notice replaces the content. */
  feed: ['200 notice', '200 notice', '410'],
  home: ['200 notice', '200 notice', '410 notice'],
  /** A page of a link that works like the home page until two weeks after the end. */
  overview: ['200 notice', '200 notice', '410'],
  page: ['200 notice', '404', '410'],
  file: ['403', '410', '410'],
  list: ['404', '404', '410'],
  /** A feed whose notice is drawn. */
  picture: ['200', '200', '410'],
  /** A script without content. */
  script: ['200', '200', '410'],
  slash: ['301', '301', '301'],
  form: ['403', '403', '403'],
  otherForm: ['403', '403', '410'],
} satisfies Readonly<Record<string, Answers>>

const kinds: readonly (readonly [RegExp, keyof typeof answers])[] = [
  [/^GET $/, 'slash'],
  [/^GET \/$/, 'home'],
  [/^GET \/(?:feeds|members|certifications)$/, 'overview'],
  [/^GET \/members.*\.(?:vcf|csv)$/, 'file'],
  [/^GET \/iphone\.mobileconfig$/, 'file'],
  [/^GET \/feeds\.opml$/, 'list'],
  [/^GET \/board(?:\.json|\.rss|\/concerto\.json)?$/, 'feed'],
  [/^GET \/board(?:\/:picture)?\.(?:png|bmp)$/, 'picture'],
  [/^GET \/(?:board|follow)\/worker\.js$/, 'script'],
  [/^GET \/follow\/app\.webmanifest$/, 'file'],
  [/^GET \/[a-z]+\.(?:ics|rss|atom|json)$/, 'feed'],
  [/^GET \/[a-z]+\/:id(?:\.ics)?$/, 'page'],
  [
    /^GET \/(?:agenda|news|documents|minutes|month(?:\/:month)?|board\/new|search|roster|follow(?:\/device)?|account|rental\/free|embed\/[a-z]+)$/,
    'page',
  ],
  [/^POST \/$/, 'form'],
  [/^POST \/(?:feeds|follow|follow\/device)$/, 'otherForm'],
  [/^DELETE \/follow\/device$/, 'otherForm'],
]

/** Returns the routes below feed links without the link, like `GET /feeds`. */
function linkRoutes(): readonly string[] {
  const site = contextWith({ catalog: standardCatalog })
  const below = pages.flatMap(({ method, path, names }) => {
    if (!path.startsWith(linkPrefix)) return []
    const name = `${method.toUpperCase()} ${path.replace(linkPrefix, '')}`
    return names ? names(site).map((each) => name.replace(':name', each)) : [name]
  })
  const all = [...standardCatalog.feeds, ...standardCatalog.combinedFeeds]
  const feeds = all.flatMap((feed) =>
    'isPublicOnly' in feed ? [] : feed.formats.map((format) => `GET /${feed.id}.${format}`),
  )
  return [...new Set([...below, ...feeds])]
}

let store!: Store
const service = await startTestService({
  sandbox: fewRecords,
  environment: { ...pushEnvironment, DAV: 'yes' },
  publicFeedIds: ['events'],
  changeStore: (opened) => (store = opened),
})
afterAll(() => service[Symbol.asyncDispose]())
const { clock } = service
const wish = { feedIds: standardCatalog.linkFeeds.map(({ id }) => id), profile: 'full' } as const
const gone = await service.addLink({ ...wish, expiresAt: clock.now() + dayMs })
const ended = await service.addLink({ ...wish, expiresAt: clock.now() + 12 * dayMs })
const paused = await service.addLink({ ...wish, label: 'Paused' })
const stored = await storedLinks(store.documents)
const { id: pausedId = '' } = stored.find(({ label }) => label === 'Paused') ?? {}
const change = { now: clock.now(), random: randomBytes }
await editLink(store.documents, pausedId, { isPaused: true }, change)
await clock.leap(16 * dayMs)

/** Requests a route under a link. Resolves to the status, and whether there is a notice. */
async function answerTo(route: string, link: string): Promise<string> {
  const [method = '', path = ''] = route.split(' ')
  const named = path.replace(':picture', '400x300-2')
  const filled = named.replace(':month', '2026-03').replace(':id', '1')
  const { status, body } = await ask(`${link.slice(0, -1)}${filled}`, {}, method)
  const text = body.toString().replaceAll('\r\n ', '')
  const isNotice = /feed link (?:is paused|has expired)/.test(text) && !text.startsWith('The link')
  return `${status}${isNotice ? ' notice' : ''}`
}

test('every route below feed links stops working with the link', async () => {
  const routes = linkRoutes()
  expect(routes.length).toBeGreaterThan(80)
  for (const route of routes) {
    const [, kind] = kinds.find(([pattern]) => pattern.test(route)) ?? []
    const seen = await Promise.all([paused, ended, gone].map((link) => answerTo(route, link)))
    expect([route, seen]).toEqual([route, kind && answers[kind]])
  }
})

test('sends every notice in the URL’s language', async () => {
  const { paused: pausedText, expired } = feedMessages('es').link
  const headers = { Accept: 'text/html' }
  for (const [link, { title }] of [
    [paused, pausedText],
    [ended, expired],
    [gone, expired],
  ] as const) {
    const { body } = await ask(`${link}?lang=es`, headers)
    expect(body.toString()).toContain('<html lang="es-US">')
    expect(body.toString()).toContain(`<h1>${title}</h1>`)
    const feed = await ask(`${link}events.ics?lang=es`)
    const summary = link === gone ? '' : `SUMMARY:${title}`
    expect(feed.body.toString()).toContain(summary)
  }
})

test('every route responds in the same way under an unknown link', async () => {
  const unknown = `${service.url}/l/${'a'.repeat(32)}/`
  for (const route of linkRoutes()) {
    // Guesses are limited.
    await clock.advance(10_000)
    expect([route, await answerTo(route, unknown)]).toEqual([route, '404'])
  }
})

test('no other route is below feed links', () => {
  const others = [...files, ...monitoringRoutes].map(({ path }) => path)
  expect(others.filter((path) => path.startsWith('/l/'))).toEqual([])
})
