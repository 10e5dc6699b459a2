import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { markFromFront } from '../../../src/http/front/cache-fields.ts'
import { createSiteCache } from '../../../src/http/responses/site-cache.ts'
import type { LinkEntry } from '../../../src/links/link-registry.ts'
import type { Target } from '../../../src/representations/target.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

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
