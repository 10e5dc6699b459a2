import type { Site } from '../../feeds/feed.ts'
import type { KnownLink } from '../../links/link-registry.ts'
import type { Representation } from '../../representations/representation.ts'
import type { Target } from '../../representations/target.ts'
import { feedAnswer, type FeedAnswer } from './feed-response.ts'

/** What is asked for at an address. */
export type FeedAddress = {
  readonly target: Target
  /** Whether it is to be saved as a file. */
  readonly isDownload: boolean
  /** By which it is asked for. */
  readonly link: KnownLink | undefined
  /** The pattern of such addresses, for logs and metrics. */
  readonly route: string
}

export type FeedAnswers = {
  readonly answerOf: (address: FeedAddress, representation: Representation) => FeedAnswer
}

/** The answers with representations, as long as these are kept by somebody else. */
export function createFeedAnswers(site: Site): FeedAnswers {
  const shown = new WeakMap<Representation, FeedAnswer>()
  const saved = new WeakMap<Representation, FeedAnswer>()
  return {
    answerOf({ target, isDownload }, representation) {
      const answers = isDownload ? saved : shown
      const known = answers.get(representation)
      if (known) return known
      const answer = feedAnswer(representation, target, { site, isDownload })
      answers.set(representation, answer)
      return answer
    },
  }
}
