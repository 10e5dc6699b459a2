import type { RenderEntries } from '../calendar/calendar-renderer.ts'
import { renderICalendar } from '../calendar/icalendar.ts'
import { renderAtom } from '../syndication/atom.ts'
import type { Channel } from '../syndication/channel.ts'
import type { FeedItem } from '../syndication/feed-item.ts'
import { renderJsonFeed } from '../syndication/json-feed.ts'
import { renderRss } from '../syndication/rss.ts'

type RenderItems = (channel: Channel, items: readonly FeedItem[]) => string

type Format = {
  readonly mediaType: string
  /** Name on pages. Undefined if pages have a name in their own language. */
  readonly label: string | undefined
} & ({ readonly kind: 'calendar'; render: RenderEntries } | { kind: 'news'; render: RenderItems })

/** The formats of feeds, by the endings of their URLs, in the order in which pages list them. */
export const formats = {
  ics: { kind: 'calendar', mediaType: 'text/calendar', label: undefined, render: renderICalendar },
  rss: { kind: 'news', mediaType: 'application/rss+xml', label: 'RSS', render: renderRss },
  atom: { kind: 'news', mediaType: 'application/atom+xml', label: 'Atom', render: renderAtom },
  json: {
    kind: 'news',
    mediaType: 'application/feed+json',
    label: 'JSON Feed',
    render: renderJsonFeed,
  },
} satisfies Readonly<Record<string, Format>>

export type FeedFormat = keyof typeof formats

export const isCalendarFormat = (format: FeedFormat) => formats[format].kind === 'calendar'

export const feedFormats = Object.keys(formats) as readonly FeedFormat[]
export const calendarFormats = feedFormats.filter(isCalendarFormat)
export const newsFormats = feedFormats.filter((format) => !isCalendarFormat(format))

export const contentTypeOf = (format: FeedFormat) => `${formats[format].mediaType}; charset=utf-8`

export function calendarRenderer(format: FeedFormat): RenderEntries {
  const { kind, render } = formats[format]
  if (kind === 'calendar') return render
  throw new TypeError(`a calendar cannot be rendered as ${format}`)
}

export function newsText(format: FeedFormat, channel: Channel, items: readonly FeedItem[]): string {
  const { kind, render } = formats[format]
  if (kind === 'news') return render(channel, items)
  throw new TypeError(`news cannot be rendered as ${format}`)
}
