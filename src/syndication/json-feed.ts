import { Feed } from 'feed'
import { feedOptions, language, type Channel } from './channel.ts'
import type { FeedItem } from './feed-item.ts'
import { enclosuresOf } from './media.ts'

/** Renders JSON Feed 1.1. Upgrades `author` and `version`, because `feed` writes 1.0. */
export function renderJsonFeed(channel: Channel, items: readonly FeedItem[]): string {
  const feed = new Feed({
    ...feedOptions(channel, 'json'),
    title: channel.title,
    description: channel.description,
  })
  feed.addExtension({ name: 'language', objects: language as never })
  feed.addExtension({ name: 'authors', objects: [{ name: channel.author }] as never })
  if (channel.hubs.length > 0) {
    const hubs = channel.hubs.map((url) => ({ type: 'WebSub', url }))
    feed.addExtension({ name: 'hubs', objects: hubs as never })
  }
  for (const item of items) {
    feed.addItem({
      id: item.id,
      title: item.title,
      link: item.url,
      date: new Date(item.updatedAt),
      published: new Date(item.publishedAt),
      description: item.summary,
      content: item.contentHtml,
      ...(item.category === '' ? {} : { category: [{ name: item.category }] }),
      ...(item.pictures[0] ? { image: item.pictures[0].url } : {}),
      extensions: [
        ...(item.pictures[0]
          ? [{ name: 'banner_image', objects: item.pictures[0].url as never }]
          : []),
        ...(item.author === ''
          ? []
          : [{ name: 'authors', objects: [{ name: item.author }] as never }]),
        ...attachments(item),
        ...eventExtension(item),
      ],
    })
  }
  const document: Record<string, unknown> = JSON.parse(feed.json1())
  return `${JSON.stringify({ ...document, version: 'https://jsonfeed.org/version/1.1' })}\n`
}

/** Returns the extension for events (JSON Feed 1.1, "Extensions"), documented in docs/news.md. */
function eventExtension({ event }: FeedItem) {
  if (!event) return []
  const { start, end, allDay, timeZone, place } = event
  const facts = {
    start,
    ...(end === undefined ? {} : { end }),
    all_day: allDay,
    time_zone: timeZone,
    ...(place === '' ? {} : { place }),
  }
  return [{ name: '_event', objects: facts as never }]
}

function attachments({ pictures, attachments: files }: FeedItem) {
  const all = enclosuresOf(pictures, files).map(({ url, type, title, fileSize }) => ({
    url,
    mime_type: type,
    ...(title === '' ? {} : { title }),
    ...(fileSize === undefined ? {} : { size_in_bytes: fileSize }),
  }))
  return all.length === 0 ? [] : [{ name: 'attachments', objects: all as never }]
}
