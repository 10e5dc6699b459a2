import type { Site } from '../../feeds/site.ts'
import type { LinkEntry } from '../../links/link-registry.ts'
import type { Representation } from '../../representations/representation.ts'
import type { Target } from '../../representations/target.ts'
import { feedResponse, type FeedResponse } from './feed-response.ts'

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
  readonly answerOf: (address: FeedAddress, representation: Representation) => FeedResponse
}

/** Responses by representation, as long as the cache holds the representation. */
export function createFeedResponses(site: Site): FeedResponses {
  const shown = new WeakMap<Representation, FeedResponse>()
  const saved = new WeakMap<Representation, FeedResponse>()
  return {
    answerOf({ target, isDownload }, representation) {
      const answers = isDownload ? saved : shown
      const known = answers.get(representation)
      if (known) return known
      const answer = feedResponse(representation, target, { site, isDownload })
      answers.set(representation, answer)
      return answer
    },
  }
}
