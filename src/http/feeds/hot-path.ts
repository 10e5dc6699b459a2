import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../clock.ts'
import type { Representations } from '../../representations/representations.ts'
import type { FeedAddress, FeedResponses } from './feed-address.ts'
import { sendFeed } from './feed-response.ts'
import { noteUse } from './viewer.ts'

/** Clients append tracking parameters, so the number of URLs is unlimited. */
const maxAddresses = 5_000
const maxAddressLength = 500

/** Serves prebuilt bytes before Express. Serves only URLs that Express has already resolved. */
export type HotPath = {
  /** Returns true if it has responded. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => boolean
  readonly remember: (url: string, address: FeedAddress) => void
}

export function createHotPath(
  representations: Pick<Representations, 'ready'>,
  { answerOf }: FeedResponses,
  clock: Pick<Clock, 'now'>,
  answered: (route: string, request: IncomingMessage, response: ServerResponse) => void,
): HotPath {
  // The cache has a `maxSize`, because `max` would preallocate all entries for each site.
  const addresses = new LRUCache<string, FeedAddress>({
    maxSize: maxAddresses,
    sizeCalculation: () => 1,
  })
  return {
    answer(request, response) {
      const { method, url = '' } = request
      if (method !== 'GET' && method !== 'HEAD') return false
      const address = addresses.get(url)
      const link = address?.link
      // Express handles ended links: a notice for 14 days, then 410.
      if (link && clock.now() >= link.servesUntil) return false
      const representation = address && representations.ready(address.target)
      if (!representation) return false
      if (link) noteUse(link, clock.now(), request.headers['user-agent'])
      sendFeed(request, response, answerOf(address, representation))
      answered(address.route, request, response)
      return true
    },
    remember(url, address) {
      if (url.length <= maxAddressLength) addresses.set(url, address)
    },
  }
}
