import type { ReportedChange } from '../../calendar/reported-changes.ts'
import { tagUri } from '../../syndication/channel.ts'
import { itemsShownAt, type FeedItem, type ItemDraft } from '../../syndication/feed-item.ts'
import { escapeHtml } from '../../syndication/html.ts'
import { itemOptions, noItemOptions, type ItemOptions } from '../../syndication/item-options.ts'
import { changesOf, type FeedChange } from '../changes.ts'
import type { CombinedFeed, CombinedSource } from '../combined-feed.ts'
import { itemUrl, publicFeedUrl, type FeedRequest } from '../feed.ts'
import { newsText } from '../news-feed.ts'
import { nameOf, type Site } from '../site.ts'

const id = 'changes'
const title = 'Changes'
const summary = 'What has changed in the calendars: times, places, cancellations and new entries.'

/** What has changed in the calendars that the viewer may read. */
export const changes: CombinedFeed = {
  id,
  title,
  summary,
  formats: ['rss', 'atom', 'json'],
  isForEveryone: true,
  options: () => ({ limit: itemOptions.limit }),
  sourcesFrom: (readable) => readable.filter((feed) => 'changes' in feed),
  render(sources, { format, profile, now, duplicates, chosen: { values, query } }, { site }) {
    const { limit }: ItemOptions = { ...noItemOptions, ...values }
    const drafts = changesOf(sources, site, { duplicates }).map((change) =>
      draftOf(change, site, profile),
    )
    const { items, ...validity } = itemsShownAt(drafts, { now, limit })
    const channel = {
      id: tagUri(site.idHost, query === '' ? id : `${id}?${query}`),
      title: `${nameOf(site)}: ${title}`,
      description: summary,
      homeUrl: site.url,
      feedUrl: profile === 'public' ? publicFeedUrl(site, changes, format, query) : undefined,
      author: nameOf(site),
      updatedAt: Math.max(
        items.length === 0 ? lastChangeAt(sources) : 0,
        Number.isFinite(validity.validFrom) ? validity.validFrom : 0,
        ...items.map((item) => item.updatedAt),
      ),
      hubs: query === '' && profile === 'public' ? site.hubs : [],
    }
    const body = Buffer.from(newsText(format, channel, items))
    return { body, title: channel.title, ...validity }
  },
}

function draftOf(
  { feed, isShown, ...change }: FeedChange,
  site: Site,
  profile: FeedRequest['profile'],
): ItemDraft {
  const { recordId, expiresAt } = change
  const publishedAt = wholeSeconds(change.since)
  const order = wholeSeconds(change.at)
  const make = (): FeedItem => ({
    ...contentsOf(change),
    id: tagUri(site.idHost, `${id}-${feed.id}-${change.id}`),
    recordId,
    // Only entries that the website shows have a page.
    url: isShown
      ? itemUrl(feed.id, recordId, site, profile)
      : `${site.url}/#${feed.id}-${recordId}`,
    author: '',
    category: feed.title,
    pictures: [],
    attachments: [],
    publishedAt,
    updatedAt: order,
    expiresAt,
  })
  return { recordId, publishedAt, expiresAt, order, title: () => change.text, make }
}

function contentsOf({ text, details }: ReportedChange) {
  const paragraphs = [`${text}.`, ...details]
  return {
    title: text,
    summary: details.join('. '),
    contentHtml: paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n'),
  }
}

/** When the latest source changed. */
function lastChangeAt(sources: readonly CombinedSource[]): number {
  return Math.max(...sources.map(({ source }) => source.changedAt))
}

function wholeSeconds(instant: number): number {
  return Math.floor(instant / 1000) * 1000
}
