import { escapeHtml } from './html.ts'

export type OpmlFeed = {
  readonly title: string
  readonly description: string
  /** URL of the RSS feed. */
  readonly url: string
  /** The website it is about. */
  readonly homeUrl: string
}

/** Renders a list of feeds for import into readers (OPML 2.0). */
export function renderOpml(title: string, feeds: readonly OpmlFeed[]): string {
  const outlines = feeds.map(
    (feed) =>
      `    <outline type="rss" text="${escapeHtml(feed.title)}" title="${escapeHtml(feed.title)}" description="${escapeHtml(feed.description)}" xmlUrl="${escapeHtml(feed.url)}" htmlUrl="${escapeHtml(feed.homeUrl)}"/>\n`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<opml version="2.0">
  <head>
    <title>${escapeHtml(title)}</title>
  </head>
  <body>
${outlines.join('')}  </body>
</opml>
`
}
