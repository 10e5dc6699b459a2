import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { markFromFront } from '../../../src/http/front/cache-fields.ts'
import type { LinkEntry } from '../../../src/links/link-registry.ts'
import type { ChangeListener } from '../../../src/representations/representation-cache.ts'
import type { Target } from '../../../src/representations/target.ts'
import { linkEntry, siteCacheWith } from '../../support/site-cache.ts'

const ignore = (): void => undefined

/** Creates a cache, and a function that lets the front cache a link's feed in it. */
function siteCacheOf(options: Parameters<typeof siteCacheWith>[0] = {}) {
  const cache = siteCacheWith(options)
  return function keepFeed(link: LinkEntry): ServerResponse {
    const request = new IncomingMessage(new Socket())
    markFromFront(request)
    const response = new ServerResponse(request)
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

test('lets the front fetch replaced feeds again, but not evicted ones, which would evict others', () => {
  const expired: unknown[] = []
  let changed: ChangeListener = ignore
  const onChange = (listener: ChangeListener) => void (changed = listener)
  siteCacheOf({
    front: { expire: (...purge) => expired.push(purge), remove: ignore, restart: ignore },
    representations: { rendered: () => undefined, onChange, recordUse: ignore },
  })
  changed({ name: 'news' } as Target, { isEvicted: false })
  changed({ name: 'events' } as Target, { isEvicted: true })
  expect(expired).toEqual([
    ['main', ['news', 'news download'], 60_000],
    ['main', ['events', 'events download'], 0],
  ])
})
