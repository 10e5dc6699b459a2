import { noFeedOptions } from '../feeds/feed-options.ts'
import type { Feed, FeedFormat, FeedRequest } from '../feeds/feed.ts'
import type { ChosenOptions } from '../options/option.ts'

/**
 * What to render: a feed with its options, in one format, for one profile. Several URLs can map to the
 * same target.
 */
export type Target = {
  readonly feed: Feed
  readonly chosen: ChosenOptions
  readonly format: FeedFormat
  readonly profile: FeedRequest['profile']
  /** The same for all equivalent URLs. */
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

/** Returns every feed without options, in each of its formats. */
export function plainTargets(
  feeds: readonly Feed[],
  profile: Target['profile'],
): readonly Target[] {
  return feeds.flatMap((feed) =>
    feed.formats.map((format) => targetOf(feed, noFeedOptions(feed, format), format, profile)),
  )
}
