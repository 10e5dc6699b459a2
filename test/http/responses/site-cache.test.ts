import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { markFromFront } from '../../../src/http/front/cache-fields.ts'
import { createSiteCache } from '../../../src/http/responses/site-cache.ts'
import type { LinkEntry } from '../../../src/links/link-registry.ts'
import type { ChangeListener } from '../../../src/representations/representation-cache.ts'
import type { Target } from '../../../src/representations/target.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

const ignore = (): void => undefined

test.for([
  { name: 'is kept while its link is unchanged', servesUntil: Infinity, isKept: true },
  { name: 'is not kept if its link changed meanwhile', servesUntil: -Infinity, isKept: false },
])('a feed $name', ({ servesUntil, isKept }) => {
  const link: LinkEntry = {
    link: { id: 'aaaabbbb' } as LinkEntry['link'],
    servesUntil,
    noteUse: () => undefined,
    fetches: async () => [],
  }
  const cache = createSiteCache({
    site: 'main',
    front: { expire: () => undefined, remove: () => undefined },
    representations: {
      rendered: () => undefined,
      onChange: () => undefined,
      recordUse: () => undefined,
    },
    links: { byId: () => undefined, open: () => [], onChange: () => undefined },
    onChange: () => undefined,
    requestLog: { answered: () => undefined },
    clock: createFakeClock(),
  })
  const request = new IncomingMessage(new Socket())
  markFromFront(request)
  const response = new ServerResponse(request)
  const target = { name: 'events' } as Target
  cache.keepFeed(response, { target, isDownload: false, link, route: '/events.ics' })
  expect(response.hasHeader('Feedhouse-Tags')).toBe(isKept)
})

test('removes the responses of a changed link, even if the clock has jumped ahead and back', () => {
  const clock = { at: 0, now: () => clock.at }
  const expiresAt = 60_000
  let editedAt = 1
  const entry = (): LinkEntry => ({
    link: { id: 'aaaabbbb', editedAt } as LinkEntry['link'],
    servesUntil: expiresAt,
    noteUse: () => undefined,
    fetches: async () => [],
  })
  let linksChanged = ignore
  const removed: unknown[] = []
  const cache = createSiteCache({
    site: 'main',
    front: { expire: () => undefined, remove: (_site, tags) => removed.push(tags) },
    representations: {
      rendered: () => undefined,
      onChange: () => undefined,
      recordUse: () => undefined,
    },
    links: {
      byId: entry,
      open: () => (clock.now() < expiresAt ? [entry().link] : []),
      onChange: (listener) => (linksChanged = listener),
    },
    onChange: () => undefined,
    requestLog: { answered: () => undefined },
    clock,
  })
  clock.at = expiresAt
  linksChanged()
  removed.length = 0
  clock.at = 0
  const request = new IncomingMessage(new Socket())
  markFromFront(request)
  const target = { name: 'events' } as Target
  const response = new ServerResponse(request)
  cache.keepFeed(response, { target, isDownload: false, link: entry(), route: '/events.ics' })
  editedAt = 2
  linksChanged()
  expect(removed).toEqual([['link:aaaabbbb@1-60000']])
})

test('lets the front fetch replaced feeds again, but not evicted ones, which would evict others', () => {
  const expired: unknown[] = []
  let changed: ChangeListener = ignore
  createSiteCache({
    site: 'main',
    front: { expire: (...purge) => expired.push(purge), remove: () => undefined },
    representations: {
      rendered: () => undefined,
      onChange: (listener) => (changed = listener),
      recordUse: () => undefined,
    },
    links: { byId: () => undefined, open: () => [], onChange: () => undefined },
    onChange: () => undefined,
    requestLog: { answered: () => undefined },
    clock: createFakeClock(),
  })
  changed({ name: 'news' } as Target, { isEvicted: false })
  changed({ name: 'events' } as Target, { isEvicted: true })
  expect(expired).toEqual([
    ['main', ['news', 'news download'], 60_000],
    ['main', ['events', 'events download'], 0],
  ])
})
