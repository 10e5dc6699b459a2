import type { FeedOptions } from 'feed'

export type ChannelAddress = {
  /** Permanent id, independent of the feed's URL. */
  readonly id: string
  /** URL of this feed, unless it is secret. */
  readonly feedUrl?: string | undefined
  readonly hubs?: readonly string[]
}

/** Properties of a channel, except those of its organization. */
export type AboutChannel = ChannelAddress & {
  readonly title: string
  readonly description: string
  /** When the visible content last changed, in milliseconds since the epoch. */
  readonly updatedAt: number
}

export type Channel = AboutChannel & {
  /** The organization's website. */
  readonly homeUrl: string
  readonly author: string
  /** URLs of square PNG images. RSS 2.0 limits the width of its image to 144 pixels. */
  readonly icons?: Readonly<Record<'large' | 'rss' | 'small', string>>
  /** BCP 47 tag. */
  readonly language: string
}

/** Returns options for `feed`. `updated` is always set, because it defaults to the current time. */
export function feedOptions(channel: Channel, format: 'rss' | 'atom'): FeedOptions {
  const { hubs: [hub] = [], icons } = channel
  return {
    id: channel.id,
    title: escapeAmpersands(channel.title),
    description: escapeAmpersands(channel.description),
    link: channel.homeUrl,
    updated: new Date(channel.updatedAt),
    language: channel.language,
    generator: 'Feedhouse',
    feedLinks: channel.feedUrl === undefined ? {} : { [format]: channel.feedUrl },
    ...(hub === undefined ? {} : { hub }),
    ...(icons && { image: format === 'rss' ? icons.rss : icons.large, favicon: icons.small }),
  }
}

/**
 * Escapes text for an element written by `feed`. Its xml-js turns `&amp;` into `&` before escaping, which
 * would lose a literal `&amp;`.
 */
export function escapeAmpersands(text: string): string {
  return text.replaceAll('&', '&amp;')
}

/** Escapes `$` where Thunderbird would interpret it as a pattern of `String.replace`, like `$$`. */
export function escapeDollars(html: string): string {
  return html.replace(/\$(?=[$&'`])/g, '&#36;')
}

/**
 * Returns the URL of one of several items on a page. Some feed readers drop items with the URL of an
 * earlier one. A URL that already has a fragment, such as a route in a web app, keeps it.
 */
export function urlOfPart(pageUrl: string, name: string): string {
  const url = new URL(pageUrl)
  if (url.hash === '') url.hash = name
  else url.searchParams.set('item', name)
  return url.href
}

/** A year in which the organization owned the host. Appears in every id, so it must never change. */
const year = 2026

/** Returns an id (RFC 4151) that does not depend on title, date or URL. */
export function tagUri(idHost: string, name: string): string {
  return `tag:${idHost},${year}:${name}`
}
