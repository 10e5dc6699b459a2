import type { Site } from '../../feeds/feed.ts'
import type { LinkEntry } from '../../links/link-registry.ts'
import type { Representation } from '../../representations/representation.ts'
import type { Target } from '../../representations/target.ts'
import { feedResponse, type FeedResponse } from './feed-response.ts'

/** What is asked for at an address. */
export type FeedAddress = {
  readonly target: Target
  /** Whether it is to be saved as a file. */
  readonly isDownload: boolean
  /** By which it is asked for. */
  readonly link: LinkEntry | undefined
  /** The pattern of such addresses, for logs and metrics. */
  readonly route: string
}

export type FeedResponses = {
  readonly answerOf: (address: FeedAddress, representation: Representation) => FeedResponse
}

/** The answers with representations, as long as these are kept by somebody else. */
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
