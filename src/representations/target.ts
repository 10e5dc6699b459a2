import { isCombined, type AddressedFeed, type CombinedFeed } from '../feeds/combined-feed.ts'
import { noFeedOptions } from '../feeds/feed-options.ts'
import type { Feed, FeedFormat, FeedRequest } from '../feeds/feed.ts'
import type { ChosenOptions } from '../options/option.ts'

/**
 * What to render: a feed with its options, in one format, for one profile. Several URLs can map to the
 * same target.
 */
export type Target = {
  readonly feed: AddressedFeed
  /** Feeds whose records are shown: the feed itself, or those that a combined feed combines. */
  readonly sources: readonly Feed[]
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
  return { feed, sources: [feed], chosen, format, profile, name }
}

/** Returns the target of a combined feed with these sources. */
export function combinedTarget(
  feed: CombinedFeed,
  sources: readonly Feed[],
  { chosen, format, profile }: Pick<Target, 'chosen' | 'format' | 'profile'>,
): Target {
  const names = sources.map(({ id }) => id).join(',')
  const query = chosen.query === '' ? '' : `?${chosen.query}`
  const name = `${profile} ${feed.id}.${format} of ${names}${query}`
  return { feed, sources, chosen, format, profile, name }
}

/**
 * Returns every feed without options, in each of its formats. A combined feed combines the others, and
 * is left out in a format for which it has no sources.
 */
export function plainTargets(
  feeds: readonly AddressedFeed[],
  profile: Target['profile'],
): readonly Target[] {
  const readable = feeds.flatMap((feed) => (isCombined(feed) ? [] : [feed]))
  return feeds.flatMap((feed) =>
    feed.formats.flatMap((format): readonly Target[] => {
      const chosen = noFeedOptions(feed, format)
      if (!isCombined(feed)) return [targetOf(feed, chosen, format, profile)]
      const sources = feed.sourcesFrom(readable, format, chosen)
      return sources.length === 0
        ? []
        : [combinedTarget(feed, sources, { chosen, format, profile })]
    }),
  )
}
