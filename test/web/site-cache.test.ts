import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { markFromFront } from '../../src/front/cache-fields.ts'
import type { SitePurges } from '../../src/front/protocol.ts'
import type { LinkEntry } from '../../src/links/link-registry.ts'
import type { ChangeListener } from '../../src/representations/representation-cache.ts'
import type { Target } from '../../src/representations/target.ts'
import { linkEntry, siteCacheWith } from '../support/site-cache.ts'

const ignore = (): void => undefined

function responseToFront(): ServerResponse {
  const request = new IncomingMessage(new Socket())
  markFromFront(request)
  return new ServerResponse(request)
}

/** Creates a cache, and a function that lets the front cache a link's feed in it. */
function siteCacheOf(options: Parameters<typeof siteCacheWith>[0] = {}) {
  const cache = siteCacheWith(options)
  return function keepFeed(link: LinkEntry): ServerResponse {
    const response = responseToFront()
    const target = { name: 'events' } as Target
    cache.keepFeed(response, { target, isDownload: false, link, route: '/events.ics' })
    return response
  }
}

test.for([
  { name: 'is kept while its link is unchanged', servesUntil: Infinity, isKept: true },
  { name: 'is not kept if its link changed meanwhile', servesUntil: -Infinity, isKept: false },
])('a feed $name', ({ servesUntil, isKept }) => {
  const response = siteCacheOf()(linkEntry({}, servesUntil))
  expect(response.hasHeader('Feedhouse-Tags')).toBe(isKept)
})

test('removes the responses of a changed link, even if the clock has jumped ahead and back', () => {
  const clock = { at: 0, now: () => clock.at }
  const expiresAt = 60_000
  let editedAt = 1
  const entry = () => linkEntry({ editedAt }, expiresAt)
  let linksChanged = ignore
  const removed: unknown[] = []
  const keepFeed = siteCacheOf({
    front: { expire: ignore, remove: (_site, tags) => removed.push(tags), restart: ignore },
    links: {
      byId: entry,
      open: () => (clock.now() < expiresAt ? [entry().link] : []),
      onChange: (listener) => (linksChanged = listener),
    },
    clock,
  })
  clock.at = expiresAt
  linksChanged()
  removed.length = 0
  clock.at = 0
  keepFeed(entry())
  editedAt = 2
  linksChanged()
  expect(removed).toEqual([['link:aaaabbbb@1-60000']])
})

test.for([
  [10_000, 'max-age=10, stale-while-revalidate=0'],
  [50_000, 'max-age=30, stale-while-revalidate=20'],
  [undefined, 'max-age=30, stale-while-revalidate=60'],
] as const)('a page that is valid for %d ms is kept with %s', ([validUntil, directives]) => {
  const response = responseToFront()
  const page = { route: '/page', link: undefined, validUntil }
  siteCacheWith({ clock: { now: () => 0 } }).keepPage(response, '/page', page)
  expect(response.getHeader('Feedhouse-Cache-Control')).toContain(`${directives},`)
})

test('keeps pages after a restart, except those that may no longer be allowed', () => {
  const restart = vi.fn<SitePurges['restart']>()
  const cache = siteCacheWith({ front: { expire: ignore, remove: ignore, restart } })
  cache.resume()
  const isKept = (isAllowed?: () => boolean) => {
    const response = responseToFront()
    cache.keepPage(response, '/page', { route: '/page', link: undefined, isAllowed })
    const [, , keptTags = []] = restart.mock.lastCall ?? []
    const tags = String(response.getHeader('Feedhouse-Tags')).split(',')
    return tags.every((tag) => keptTags.includes(tag))
  }
  expect([isKept(), isKept(() => true)]).toEqual([true, false])
})

test('expires pages after a restart, and removes responses if their link changes later', () => {
  let open = [linkEntry().link]
  let linksChanged = ignore
  const calls: unknown[] = []
  const cache = siteCacheWith({
    front: {
      expire: (...expire) => calls.push(expire),
      remove: (...purge) => calls.push(purge),
      restart: (...restart) => calls.push(restart),
    },
    version: '7',
    links: {
      byId: () => linkEntry(),
      open: () => open,
      onChange: (listener) => (linksChanged = listener),
    },
  })
  cache.resume()
  open = []
  linksChanged()
  const tag = 'link:aaaabbbb@0-Infinity'
  expect(calls).toEqual([
    ['main', '7', ['pages', tag]],
    ['main', ['pages'], 0],
    ['main', [tag]],
  ])
})

test('lets the front fetch replaced feeds again, but not evicted ones, which would evict others', () => {
  const expired: unknown[] = []
  let changed: ChangeListener = ignore
  const onChange = (listener: ChangeListener) => void (changed = listener)
  siteCacheOf({
    front: { expire: (...purge) => expired.push(purge), remove: ignore, restart: ignore },
    representations: { rendered: () => undefined, onChange },
  })
  changed({ name: 'news' } as Target, { isEvicted: false })
  changed({ name: 'events' } as Target, { isEvicted: true })
  expect(expired).toEqual([
    ['main', ['news', 'news download'], 60_000],
    ['main', ['events', 'events download'], 0],
  ])
})

const useOf = (isReader: boolean, ...label: readonly (string | null)[]) => {
  const use = { site: 'main', use: JSON.stringify(label), method: 'GET', status: 200 }
  return { ...use, userAgent: 'iOS', ...(isReader && { isReader }) }
}

test('counts the first uses of public feeds as readers, but not those of links and pages', () => {
  const noted: unknown[] = []
  const cache = siteCacheWith({ publicReaders: { note: (...about) => void noted.push(about) } })
  cache.used(useOf(true, '/events.ics', null, 'events'), 3)
  cache.used(useOf(false, '/events.ics', null, 'events'), 9)
  cache.used(useOf(true, '/l/:key/events.ics', 'aaaabbbb'), 1)
  cache.used(useOf(true, '/agenda', null), 1)
  expect(noted).toEqual([['events', 'iOS', 3]])
})
