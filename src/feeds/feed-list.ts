import { renderOpml } from '../syndication/opml.ts'
import type { AddressedFeed } from './combined-feed.ts'
import { feedUrl } from './feed.ts'
import { nameOf, type Site } from './site.ts'

/** Renders an OPML list of the feeds that feed readers support, with URLs under `base`. */
export function feedList(feeds: readonly AddressedFeed[], base: string, site: Site): string {
  const name = nameOf(site)
  return renderOpml(
    name,
    feeds
      .filter(({ formats }) => formats.includes('rss'))
      .map((feed) => ({
        title: `${name}: ${feed.title}`,
        description: feed.summary,
        url: feedUrl(base, feed, 'rss'),
        homeUrl: site.url,
      })),
  )
}
