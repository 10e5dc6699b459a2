import { Feed } from 'feed'
import { escapeAmpersands, feedOptions, type Channel } from './channel.ts'
import type { FeedItem } from './feed-item.ts'

const refreshMinutes = 5

/** RSS 2.0 with `content:encoded` and `dc:creator`. */
export function renderRss(channel: Channel, items: readonly FeedItem[]): string {
  const feed = new Feed({
    ...feedOptions(channel, items),
    ttl: refreshMinutes,
    feedLinks: { rss: channel.feedUrl },
  })
  for (const item of items) {
    feed.addItem({
      id: item.id,
      title: item.title,
      link: item.url,
      date: new Date(item.publishedAt),
      description: item.summary,
      content: item.contentHtml,
      category: item.category === '' ? [] : [{ name: escapeAmpersands(item.category) }],
      // RSS 2.0's own author is an e-mail address.
      extensions:
        item.author === ''
          ? []
          : [{ name: 'dc:creator', objects: { _text: escapeAmpersands(item.author) } }],
    })
  }
  return feed.rss2()
}
