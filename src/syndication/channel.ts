import type { FeedOptions } from 'feed'

/** What the items of a news feed have around them. */
export type Channel = {
  /** The same for ever, wherever the feed moves. */
  readonly id: string
  readonly title: string
  readonly description: string
  /** The organisation's website. */
  readonly homeUrl: string
  /** Where this feed is; undefined for one whose address is a secret. */
  readonly feedUrl: string | undefined
  readonly author: string
  /** When what is shown last became another. Milliseconds since the epoch. */
  readonly updatedAt: number
  /** WebSub hubs. */
  readonly hubs: readonly string[]
}

/** Of the words that are Feedhouse's own; the website does not say what it is in. */
export const language = 'en'

/** `feed` writes the present time where `updated` is missing, so it is always given. */
export function feedOptions(channel: Channel, format: 'rss' | 'atom' | 'json'): FeedOptions {
  return {
    id: channel.id,
    title: escapeAmpersands(channel.title),
    description: escapeAmpersands(channel.description),
    link: channel.homeUrl,
    updated: new Date(channel.updatedAt),
    language,
    generator: 'Feedhouse',
    feedLinks: channel.feedUrl === undefined ? {} : { [format]: channel.feedUrl },
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
