import { noFeedOptions } from '../feeds/feed-options.ts'
import type { Feed, FeedFormat, FeedRequest } from '../feeds/feed.ts'
import type { ChosenOptions } from '../options/option.ts'

/** What one address stands for: a feed with options, in one format, for one profile. */
export type Target = {
  readonly feed: Feed
  readonly chosen: ChosenOptions
  readonly format: FeedFormat
  readonly profile: FeedRequest['profile']
  /** The same for addresses that mean the same. */
  readonly name: string
}

export function targetOf(
  feed: Feed,
  chosen: ChosenOptions,
  format: FeedFormat,
  profile: Target['profile'],
): Target {
  const name = `${profile} ${feed.id}.${format}${chosen.query === '' ? '' : `?${chosen.query}`}`
  return { feed, chosen, format, profile, name }
}

/** Each feed without options, in each of its formats. */
export function plainTargets(
  feeds: readonly Feed[],
  profile: Target['profile'],
): readonly Target[] {
  return feeds.flatMap((feed) =>
    feed.formats.map((format) => targetOf(feed, noFeedOptions(feed, format), format, profile)),
  )
}
