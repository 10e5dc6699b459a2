import type { Feed, FeedFormat, FeedRequest, Variant } from '../feeds/feed.ts'

/** What one address stands for: a feed with options, in one format, for one profile. */
export type Target = {
  readonly feed: Feed
  readonly variant: Variant
  readonly format: FeedFormat
  readonly profile: FeedRequest['profile']
  /** The same for addresses that mean the same. */
  readonly name: string
}

export function targetOf(
  feed: Feed,
  variant: Variant,
  format: FeedFormat,
  profile: Target['profile'],
): Target {
  const name = `${profile} ${feed.id}.${format}${variant.query === '' ? '' : `?${variant.query}`}`
  return { feed, variant, format, profile, name }
}

/** Each feed without options, in each of its formats. */
export function plainTargets(
  feeds: readonly Feed[],
  profile: Target['profile'],
): readonly Target[] {
  return feeds.flatMap((feed) =>
    feed.formats.flatMap((format) => {
      const reading = feed.variant(new URLSearchParams(), format)
      return reading.ok ? [targetOf(feed, reading.variant, format, profile)] : []
    }),
  )
}
