import { escapeHtml } from './html.ts'

export type OpmlFeed = {
  readonly title: string
  readonly description: string
  /** URL of the RSS feed. */
  readonly url: string
  /** The organization's website. */
  readonly homeUrl: string
}

/** Renders a list of feeds (OPML 2.0) that feed readers can import. */
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
