import type { FeedOptions } from 'feed'
import type { FeedItem } from './feed-item.ts'

/** What the items of a news feed have around them. */
export type Channel = {
  /** The same for ever, wherever the feed moves. */
  readonly id: string
  readonly title: string
  readonly description: string
  /** The organisation's website. */
  readonly homeUrl: string
  /** Where this feed is. */
  readonly feedUrl: string
  readonly author: string
  /** WebSub hubs. */
  readonly hubs: readonly string[]
}

/** `feed` writes the present time where `updated` is missing, so it is always given. */
export function feedOptions(channel: Channel, items: readonly FeedItem[]): FeedOptions {
  return {
    id: channel.id,
    title: escapeAmpersands(channel.title),
    description: escapeAmpersands(channel.description),
    link: channel.homeUrl,
    updated: new Date(Math.max(0, ...items.map((item) => item.updatedAt))),
    generator: 'Feedhouse',
    ...(channel.hubs[0] === undefined ? {} : { hub: channel.hubs[0] }),
  }
}

/**
 * Text for an element that `feed` writes: xml-js first turns `&amp;` into `&` and only then escapes,
 * so a literal `&amp;` would be lost.
 */
export function escapeAmpersands(text: string): string {
  return text.replaceAll('&', '&amp;')
}
