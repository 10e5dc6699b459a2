import { createSiteCache } from '../../src/web/site-cache.ts'
import type { FeedLink } from '../../src/links/feed-link.ts'
import type { LinkEntry } from '../../src/links/link-registry.ts'
import { createFakeClock } from './fake-clock.ts'

const ignore = (): undefined => undefined

export const linkEntry = (link: Partial<FeedLink> = {}, servesUntil = Infinity): LinkEntry => ({
  link: { id: 'aaaabbbb', ...link } as FeedLink,
  servesUntil,
  noteUse: ignore,
  fetches: async () => [],
})

/** Creates the cache of a site without links that never changes, except for these options. */
export const siteCacheWith = (options: Partial<Parameters<typeof createSiteCache>[0]>) =>
  createSiteCache({
    site: 'main',
    front: { expire: ignore, remove: ignore, restart: ignore },
    version: '',
    representations: { rendered: ignore, onChange: ignore },
    links: { byId: ignore, open: () => [], onChange: ignore },
    emergency: { current: ignore, onChange: ignore },
    onChange: ignore,
    requestLog: { answered: ignore },
    publicReaders: { note: ignore },
    clock: createFakeClock(),
    ...options,
  })
