import type { Channel } from './channel.ts'
import type { EventFacts, FeedItem } from './feed-item.ts'
import { enclosuresOf } from './media.ts'

/** Renders JSON Feed 1.1. */
export function renderJsonFeed(channel: Channel, items: readonly FeedItem[]): string {
  return `${JSON.stringify(jsonFeed(channel, items))}\n`
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
