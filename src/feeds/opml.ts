import { escapeHtml } from '../text/html.ts'
import { feedUrl, type ServedFeed } from './feed.ts'
import { feedMessages } from './messages.ts'
import { withLanguage, type Site } from './site.ts'

/** Renders an OPML 2.0 list of the feeds that feed readers support, with URLs under `base`. */
export function renderOpml(feeds: readonly ServedFeed[], base: string, site: Site): string {
  const { name, url, language } = site
  const outlines = feeds
    .filter(({ formats }) => formats.includes('rss'))
    .map((feed) => {
      const { title: feedTitle, summary } = feed.textIn(language)
      const title = escapeHtml(feedMessages(language).titled(name, feedTitle))
      const xmlUrl = escapeHtml(feedUrl(base, feed, 'rss', withLanguage('', site)))
      return `    <outline type="rss" text="${title}" title="${title}" description="${escapeHtml(summary)}" xmlUrl="${xmlUrl}" htmlUrl="${escapeHtml(url)}"/>\n`
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
