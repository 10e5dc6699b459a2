import type { KnownChanges } from '../records/known-changes.ts'
import type { RecordOf } from '../records/read-records.ts'
import { compareText } from '../records/text.ts'
import { renderAtom } from '../syndication/atom.ts'
import type { Channel } from '../syndication/channel.ts'
import {
  itemsShownAt,
  type FeedItem,
  type ItemDraft,
  type ItemSource,
} from '../syndication/feed-item.ts'
import { escapeHtml } from '../syndication/html.ts'
import type { ItemOptions } from '../syndication/item-options.ts'
import { renderJsonFeed } from '../syndication/json-feed.ts'
import { renderRss } from '../syndication/rss.ts'
import { tagUri } from '../syndication/tag-uri.ts'
import { itemQuery, readItemOptions } from './feed-options.ts'
import {
  feedUrl,
  nameOf,
  publicItemUrl,
  type Feed,
  type FeedFormat,
  type FeedPart,
  type FeedSource,
  type Site,
  type Variant,
} from './feed.ts'
import { pageOfItem } from './item-page.ts'

type NewsResource = 'announce' | 'events' | 'news'

/** The news feed of a resource, in all formats. */
export function newsFeed<R extends NewsResource>(
  resource: R,
  about: Pick<Feed, 'id' | 'title' | 'summary'> & {
    readonly itemsFrom: (
      records: readonly RecordOf[R][],
      source: ItemSource,
    ) => readonly ItemDraft[]
    /** By what the records that are shown can be chosen, where they can. */
    readonly choice?: {
      readonly isShown: (record: RecordOf[R]) => boolean
      readonly isFeatured: (record: RecordOf[R]) => boolean
      readonly categoryOf: (record: RecordOf[R]) => Category
    }
  },
): Feed<R> {
  const { id, title, summary, itemsFrom, choice } = about

  const partsOf = (records: readonly RecordOf[R][]): readonly FeedPart[] =>
    choice ? categoryParts(records.filter(choice.isShown).map(choice.categoryOf)) : []

  function itemsOf(source: FeedSource<R>, records: readonly RecordOf[R][], site: Site) {
    const { ledger, changedAt } = source
    return itemsFrom(records, {
      siteUrl: site.url,
      timeZone: site.timeZone,
      urlOf: (recordId) => publicItemUrl(id, recordId, site),
      knownOf: (recordId) => ledger.get(recordId) ?? firstSeenAt(changedAt),
    })
  }

  function variantWith(options: ItemOptions): Variant<R> {
    const query = itemQuery(options)
    return {
      query,
      render(source, { format, profile, now }, { site }) {
        const { category, limit, content } = options
        const chosen = source.records.filter(
          (record) =>
            (category === undefined || choice?.categoryOf(record).id === category) &&
            (!options.isFeatured || choice?.isFeatured(record) === true),
        )
        const { items, ...validity } = itemsShownAt(itemsOf(source, chosen, site), { now, limit })
        const [part] = category === undefined ? [] : partsOf(chosen)
        const name = part?.name ?? title
        const channel = {
          id: tagUri(site.url, query === '' ? id : `${id}?${query}`),
          title: `${nameOf(site)}: ${name}`,
          description: summary,
          homeUrl: site.url,
          feedUrl: feedUrl(feed, format, site, query),
          author: nameOf(site),
          updatedAt: Math.max(
            items.length === 0 ? source.changedAt : 0,
            Number.isFinite(validity.validFrom) ? validity.validFrom : 0,
            ...items.map((item) => item.updatedAt),
          ),
          // Of no other one are they told.
          hubs: query === '' && profile === 'public' ? site.hubs : [],
        }
        const shown = content === 'full' ? items : items.map(asSummary)
        const body = Buffer.from(newsText(format, channel, shown))
        return { body, title: channel.title, ...validity }
      },
    }
  }

  const feed: Feed<R> = {
    id,
    title,
    summary,
    resource,
    formats: ['rss', 'atom', 'json'],
    variant(query) {
      const reading = readItemOptions(query, { hasCategories: choice !== undefined })
      return reading.ok ? { ok: true, variant: variantWith(reading.options) } : reading
    },
    parts: partsOf,
    page(source, recordId, { site, now }) {
      const record = source.records.filter((each) => each.id === recordId)
      const { items } = itemsShownAt(itemsOf(source, record, site), { now, limit: 1 })
      return items[0] && pageOfItem(items[0], site)
    },
  }
  return feed
}

type Category = { readonly id: number | undefined; readonly name: string }

/** By name; of a category with several names the latest. */
function categoryParts(categories: readonly Category[]): readonly FeedPart[] {
  const names = new Map(categories.map(({ id, name }) => [id, name]))
  return [...names]
    .flatMap(([id, name]) =>
      id === undefined || id < 1 || name === '' ? [] : [{ name, query: `category=${id}` }],
    )
    .sort((a, b) => compareText(a.name, b.name))
}

/** A newer Feedhouse may read a record from stored items that was left out before. */
function firstSeenAt(instant: number): KnownChanges {
  return { hash: '', revision: 0, firstSeenAt: instant, changedAt: instant }
}

function asSummary(item: FeedItem): FeedItem {
  return { ...item, contentHtml: `<p>${escapeHtml(item.summary || item.title)}</p>` }
}

function newsText(format: FeedFormat, channel: Channel, items: readonly FeedItem[]): string {
  switch (format) {
    case 'rss':
      return renderRss(channel, items)
    case 'atom':
      return renderAtom(channel, items)
    case 'json':
      return renderJsonFeed(channel, items)
    case 'ics':
      throw new TypeError('a news feed is no calendar')
  }
}
