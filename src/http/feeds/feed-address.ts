import type { Site } from '../../feeds/site.ts'
import type { LinkEntry } from '../../links/link-registry.ts'
import type { Representation } from '../../representations/representation.ts'
import type { Target } from '../../representations/target.ts'
import type { PublishedResponse } from '../front/prepared-response.ts'
import { feedResponse } from './feed-response.ts'

/** A parsed feed URL. */
export type FeedAddress = {
  readonly target: Target
  /** True for downloads. */
  readonly isDownload: boolean
  /** The link in the URL, if any. */
  readonly link: LinkEntry | undefined
  /** Route pattern for logs and metrics. */
  readonly route: string
}

export type FeedResponses = {
  readonly responseOf: (target: Target, representation: Representation) => PublishedResponse
}

/** Creates a cache that keeps each response for the lifetime of its representation. */
export function createFeedResponses(site: Site): FeedResponses {
  const responses = new WeakMap<Representation, PublishedResponse>()
  return {
    responseOf(target, representation) {
      const cached = responses.get(representation)
      if (cached) return cached
      const response = feedResponse(representation, target, site)
      responses.set(representation, response)
      return response
    },
  }
}
