import { isCombined, type AddressedFeed, type CombinedFeed } from '../../feeds/combined-feed.ts'
import { noFeedOptions, readFeedOptions } from '../../feeds/feed-options.ts'
import type { FeedFormat } from '../../feeds/feed.ts'
import { combinedTarget, targetOf, type Target } from '../../representations/target.ts'
import { BadOption, PrivateFeed } from '../server/errors.ts'
import type { Viewer } from './viewer.ts'

/**
 * Returns what a feed URL stands for. Throws `PrivateFeed` for a feed that the viewer may not read, and
 * `BadOption` for invalid options.
 */
export function targetFor(
  feed: AddressedFeed,
  format: FeedFormat,
  { query, viewer }: { readonly query: URLSearchParams; readonly viewer: Viewer },
): Target {
  const { feeds: readable, profile, link } = viewer
  const privateFeed = (each: AddressedFeed) => new PrivateFeed(each, { hasLink: !!link })
  if (!isCombined(feed)) {
    if (!readable.includes(feed)) throw privateFeed(feed)
    const reading = readFeedOptions(feed, format, query)
    if (!reading.ok) throw new BadOption(reading.reason)
    return targetOf(feed, reading.chosen, format, profile)
  }
  if (!feed.isForEveryone && !link) throw privateFeed(feed)
  const saved = savedTarget(feed, format, { query, viewer })
  if (saved) return saved
  const offered = feed.sourcesFrom(readable, format, noFeedOptions(feed, format))
  const options = { options: () => feed.options(format, offered) }
  const reading = readFeedOptions(options, format, query)
  if (!reading.ok) throw offered.length === 0 ? privateFeed(feed) : new BadOption(reading.reason)
  const { chosen } = reading
  const sources = feed.sourcesFrom(readable, format, chosen)
  const hidden = sources.find((source) => !readable.includes(source))
  if (hidden || sources.length === 0) throw privateFeed(hidden ?? feed)
  return combinedTarget(feed, sources, { chosen, format, profile, memberId: link?.link.memberId })
}

/**
 * Returns the target with the choice saved for the link; other options in the URL replace saved ones.
 * Returns undefined if the URL chooses feeds itself, or if the link has no feeds to choose from. The target
 * has no sources if the link no longer includes any of the chosen feeds.
 */
function savedTarget(
  feed: CombinedFeed,
  format: FeedFormat,
  { query, viewer }: { readonly query: URLSearchParams; readonly viewer: Viewer },
): Target | undefined {
  const { feeds: readable, profile, link } = viewer
  const choice = link?.link.choice
  const text = choice && feed.savedQuery?.(choice, format)
  if (text === undefined || query.has('show')) return undefined
  const saved = [...new URLSearchParams(text)].filter(([name]) => !query.has(name))
  const reading = readFeedOptions(feed, format, new URLSearchParams([...saved, ...query]))
  if (!reading.ok) return undefined
  const { chosen } = reading
  const sources = feed
    .sourcesFrom(readable, format, chosen)
    .filter((source) => readable.includes(source))
  const offered = feed.sourcesFrom(readable, format, noFeedOptions(feed, format))
  if (sources.length === 0 && offered.length === 0) return undefined
  return combinedTarget(feed, sources, { chosen, format, profile, memberId: link?.link.memberId })
}
