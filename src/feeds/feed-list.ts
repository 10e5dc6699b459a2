import { escapeHtml } from '../syndication/html.ts'
import type { AnyFeed } from './combined-feed.ts'
import { feedUrl } from './feed.ts'
import { nameOf, type Site } from './site.ts'

/** Renders an OPML 2.0 list of the feeds that feed readers support, with URLs under `base`. */
export function feedList(feeds: readonly AnyFeed[], base: string, site: Site): string {
  const name = nameOf(site)
  const outlines = feeds
    .filter(({ formats }) => formats.includes('rss'))
    .map((feed) => {
      const title = escapeHtml(`${name}: ${feed.title}`)
      const url = escapeHtml(feedUrl(base, feed, 'rss'))
      return `    <outline type="rss" text="${title}" title="${title}" description="${escapeHtml(feed.summary)}" xmlUrl="${url}" htmlUrl="${escapeHtml(site.url)}"/>\n`
    })
  return `<?xml version="1.0" encoding="utf-8"?>
<opml version="2.0">
  <head>
    <title>${escapeHtml(name)}</title>
  </head>
  <body>
${outlines.join('')}  </body>
</opml>
`
}
