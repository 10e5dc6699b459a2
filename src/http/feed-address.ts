import type { Site } from '../feeds/feed.ts'
import type { Representation } from '../representations/representation.ts'
import type { Target } from '../representations/target.ts'
import { feedAnswer, type FeedAnswer } from './feed-answer.ts'

/** What is asked for at an address, and how it is answered. */
export type FeedAddress = {
  readonly target: Target
  /** The pattern of such addresses, for logs and metrics. */
  readonly route: string
  readonly answerOf: (representation: Representation) => FeedAnswer
}

/** Remembers the answer, as long as it is of the same representation. */
export function createFeedAddress(
  target: Target,
  options: { readonly site: Site; readonly isDownload: boolean },
): FeedAddress {
  let last: { readonly representation: Representation; readonly answer: FeedAnswer } | undefined
  return {
    target,
    route: `/${target.feed.id}.${target.format}`,
    answerOf(representation) {
      if (last?.representation !== representation) {
        last = { representation, answer: feedAnswer(representation, target, options) }
      }
      return last.answer
    },
  }
}
