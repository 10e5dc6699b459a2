import type { Channel } from './channel.ts'
import type { EventFacts, FeedItem } from './feed-item.ts'
import { enclosuresOf, type Media } from './media.ts'

/** Renders JSON Feed 1.1. */
export function renderJsonFeed(channel: Channel, items: readonly FeedItem[]): string {
  return `${JSON.stringify(jsonFeed(channel, items))}\n`
}

/** Returns the items of a JSON Feed rendered by `renderJsonFeed`, and the name of its author. */
export function itemsFromJsonFeed(text: string): {
  readonly author: string
  readonly items: readonly FeedItem[]
} {
  const feed = JSON.parse(text) as ReturnType<typeof jsonFeed>
  return { author: feed.authors[0]?.name ?? '', items: feed.items.map(itemFrom) }
}

function jsonFeed(channel: Channel, items: readonly FeedItem[]) {
  const hubs = (channel.hubs ?? []).map((url) => ({ type: 'WebSub', url }))
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: channel.title,
    home_page_url: channel.homeUrl,
    feed_url: channel.feedUrl,
    description: channel.description,
    icon: channel.icons?.large,
    favicon: channel.icons?.small,
    language: channel.language,
    authors: [{ name: channel.author }],
    hubs: hubs.length === 0 ? undefined : hubs,
    items: items.map(jsonItem),
  }
}

type JsonItem = ReturnType<typeof jsonItem>

function jsonItem(item: FeedItem) {
  const picture = item.pictures[0]?.url
  const attachments = enclosuresOf(item.pictures, item.attachments).map(
    ({ url, type, title, fileSize }) => ({
      url,
      mime_type: type,
      title: title || undefined,
      size_in_bytes: fileSize,
    }),
  )
  return {
    id: item.id,
    content_html: item.contentHtml,
    url: item.url,
    title: item.title,
    summary: item.summary || undefined,
    image: picture,
    date_modified: new Date(item.updatedAt).toISOString(),
    date_published: new Date(item.publishedAt).toISOString(),
    tags: item.category === '' ? undefined : [item.category],
    banner_image: picture,
    authors: item.author === '' ? undefined : [{ name: item.author }],
    attachments: attachments.length === 0 ? undefined : attachments,
    _event: item.event && eventExtension(item.event),
  }
}

/** Returns the extension for events (JSON Feed 1.1, "Extensions"), documented in docs/news.md. */
function eventExtension({ start, end, allDay, timeZone, place }: EventFacts) {
  return { start, end, all_day: allDay, time_zone: timeZone, place: place || undefined }
}

const isPicture = ({ type }: Media) => type.startsWith('image/')

function itemFrom(item: JsonItem): FeedItem {
  const media = (item.attachments ?? []).map((attachment): Media => ({
    url: attachment.url,
    type: attachment.mime_type,
    title: attachment.title ?? '',
    fileSize: attachment.size_in_bytes,
  }))
  return {
    id: item.id,
    recordId: 0,
    url: item.url,
    title: item.title,
    summary: item.summary ?? '',
    contentHtml: item.content_html,
    author: item.authors?.[0]?.name ?? '',
    category: item.tags?.[0] ?? '',
    pictures: [...untypedPicture(item), ...media.filter(isPicture)].map((picture) => ({
      ...picture,
      width: undefined,
      height: undefined,
    })),
    attachments: media.filter((each) => !isPicture(each)),
    publishedAt: Date.parse(item.date_published),
    updatedAt: Date.parse(item.date_modified),
    expiresAt: Infinity,
  }
}

/** Returns the front picture if its type is unknown, because attachments must have one. */
function untypedPicture({ image, attachments = [] }: JsonItem) {
  if (image === undefined || attachments.some(({ url }) => url === image)) return []
  return [{ url: image, type: undefined, title: '', fileSize: undefined }]
}
