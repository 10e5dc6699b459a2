import { DateTime } from 'luxon'
import type { ChangeHistory } from '../records/recorded-change.ts'
import type { FeedOptionSet, OptionValues } from '../options/option.ts'
import type { TimeSpan } from '../records/date-words.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import type { FeedResource } from '../records/resources.ts'
import { daysAfter, siteDateAt } from '../records/site-time.ts'
import { renderAtom } from '../syndication/atom.ts'
import { type Channel, tagUri } from '../syndication/channel.ts'
import {
  asSummary,
  itemsShownAt,
  type FeedItem,
  type ItemDraft,
  type ItemSource,
} from '../syndication/feed-item.ts'
import {
  categoryOption,
  featuredOption,
  itemOptions,
  noItemOptions,
  type ItemOptions,
} from '../syndication/item-options.ts'
import { renderJsonFeed } from '../syndication/json-feed.ts'
import { renderRss } from '../syndication/rss.ts'
import { boardItem, type BoardItem } from '../signage/board-item.ts'
import {
  boardEntries,
  categoryParts,
  overviewEntries,
  type Category,
  type FeedPart,
} from './feed-overview.ts'
import {
  itemUrl,
  websiteUrl,
  publicFeedUrl,
  type AboutFeed,
  type Feed,
  type FeedFormat,
  type FeedSource,
} from './feed.ts'
import { goneTextOf } from './gone-text.ts'
import { nameOf, type Site } from './site.ts'
import { pageOfItem } from './item-page.ts'

/** Definition of a news feed. */
export type ItemKind<R extends FeedResource> = {
  readonly itemsFrom: (
    records: readonly RecordOf[R][],
    source: ItemSource,
    /** Values of the feed's options. */
    values: OptionValues,
  ) => readonly ItemDraft[]
  /** Returns true if a profile may see a record. If it is undefined, `itemsFrom` decides. */
  readonly isShown?: (record: RecordOf[R], profile: Profile) => boolean
  /** Undefined for records without categories. */
  readonly choice?: {
    /** Undefined for records that cannot be featured. */
    readonly isFeatured?: (record: RecordOf[R]) => boolean
    readonly categoryOf: (record: RecordOf[R]) => Category
  }
  /** Returns the picture that boards may show for each record. */
  readonly frontPictures?: Feed<R>['frontPictures']
  /** Options specific to this feed. */
  readonly moreOptions?: FeedOptionSet
}

/** Creates a news feed in every format for feed readers. */
export function newsFeed<R extends FeedResource>(
  about: AboutFeed<R>,
  { itemsFrom, isShown = () => true, choice, frontPictures, moreOptions }: ItemKind<R>,
): Feed<R> {
  const { id, title, summary } = about
  const options: FeedOptionSet = {
    ...(choice ? categoryOption : {}),
    ...itemOptions,
    ...(choice?.isFeatured ? featuredOption : {}),
    ...moreOptions,
  }

  function partsOf(records: readonly RecordOf[R][], profile: Profile): readonly FeedPart[] {
    if (!choice) return []
    const shown = records.filter((record) => isShown(record, profile))
    return categoryParts(shown.map(choice.categoryOf))
  }

  const chosenFrom = (
    records: readonly RecordOf[R][],
    { categories, isFeatured }: ItemOptions,
  ): readonly RecordOf[R][] =>
    records.filter(
      (record) =>
        (categories.length === 0 || categories.includes(choice?.categoryOf(record).id ?? 0)) &&
        (!isFeatured || choice?.isFeatured?.(record) === true),
    )

  function itemsOf(
    source: FeedSource<R>,
    records: readonly RecordOf[R][],
    context: {
      readonly site: Site
      readonly profile: Profile
      readonly values?: OptionValues | undefined
      readonly url?: string
    },
  ) {
    const { site, profile, values = {}, url } = context
    const shown = records.filter((record) => isShown(record, profile))
    const hidden = new Set(shown.filter((each) => !isShown(each, 'public')).map((each) => each.id))
    // Records that the public cannot see have no public page, even if the feed is public.
    const siteFor = (recordId: number) =>
      hidden.has(recordId) ? { ...site, publicFeedIds: [] } : site
    const urlOf = (recordId: number) => url ?? itemUrl(id, recordId, siteFor(recordId), profile)
    const itemSource = {
      siteUrl: site.url,
      idHost: site.idHost,
      timeZone: site.timeZone,
      profile,
      urlOf,
      websiteUrlOf: (recordId: number) => websiteUrl(id, recordId, site),
      knownOf: (recordId: number) => source.ledger.get(recordId) ?? firstSeenAt(source.changedAt),
    }
    return itemsFrom(shown, itemSource, values)
  }

  const feed: Feed<R> = {
    ...about,
    ...(frontPictures && { frontPictures }),
    formats: ['rss', 'atom', 'json'],
    options: () => options,
    render(source, { format, profile, now, chosen: { values, query } }, { site }) {
      const options = itemOptionsFrom(values)
      const { categories, limit, content } = options
      const chosen = chosenFrom(source.records, options)
      const drafts = itemsOf(source, chosen, { site, profile, values })
      const { items, ...validity } = itemsShownAt(drafts, { now, limit })
      const parts = categories.length === 0 ? [] : partsOf(chosen, profile)
      const name = parts.map((part) => part.name).join(', ') || title
      const channel = {
        id: tagUri(site.idHost, query === '' ? id : `${id}?${query}`),
        title: `${nameOf(site)}: ${name}`,
        description: summary,
        homeUrl: site.url,
        feedUrl: profile === 'public' ? publicFeedUrl(site, feed, format, query) : undefined,
        author: nameOf(site),
        updatedAt: Math.max(
          items.length === 0 ? source.changedAt : 0,
          Number.isFinite(validity.validFrom) ? validity.validFrom : 0,
          ...items.map((item) => item.updatedAt),
        ),
        // Hubs are only notified about public feeds without options.
        hubs: query === '' && profile === 'public' ? site.hubs : [],
      }
      const shown = content === 'full' ? items : items.map(asSummary)
      const body = Buffer.from(newsText(format, channel, shown))
      return { body, title: channel.title, ...validity }
    },
    overview(source, { site, profile, now, chosen }) {
      const records = chosenFrom(source.records, itemOptionsFrom(chosen?.values))
      const drafts = itemsOf(source, records, { site, profile, values: chosen?.values })
      const { items, validUntil } = itemsShownAt(drafts, { now, limit: boardEntries })
      const entries = items.slice(0, overviewEntries).map((item) => ({
        recordId: item.recordId,
        title: item.title,
        time: dayOf(item.publishedAt, site.timeZone),
        location: '',
        text: item.summary,
      }))
      const board = items.map((item) => boardItemOf(about, item, site.timeZone))
      return { parts: partsOf(source.records, profile), entries, board, validUntil }
    },
    newsItems(source, { values, profile, site }) {
      const records = chosenFrom(source.records, itemOptionsFrom(values))
      return itemsOf(source, records, { site, profile, values })
    },
    goneText: (source, recordId) => goneTextOf(source, recordId),
    page(source, { id: recordId, url }, { site, profile, now }) {
      const record = source.records.filter((each) => each.id === recordId)
      const drafts = itemsOf(source, record, { site, profile, url })
      const { items, validUntil } = itemsShownAt(drafts, { now, limit: 1 })
      return { page: items[0] && pageOfItem(items[0], site), validUntil }
    },
  }
  return feed
}

/** Fills in defaults for options that the feed or list does not support. */
function itemOptionsFrom(values: OptionValues = {}): ItemOptions {
  return { ...noItemOptions, ...values }
}

export function boardItemOf(
  { id, boardRole }: AboutFeed,
  { recordId, title, summary, category, publishedAt, expiresAt, pictures }: FeedItem,
  timeZone: string,
): BoardItem {
  const [picture] = pictures
  const siteTime = (instant: number) =>
    DateTime.fromMillis(instant, { zone: timeZone }).toFormat("yyyy-MM-dd'T'HH:mm:ss")
  return boardItem({
    id: `${id}-${recordId}`,
    kind: id,
    role: boardRole,
    title,
    text: summary,
    category,
    when: dateInWords(publishedAt, timeZone),
    start: siteTime(publishedAt),
    end: Number.isFinite(expiresAt) ? siteTime(expiresAt) : null,
    pictureUrl: picture?.url ?? null,
    pictureType: picture?.type ?? null,
    pictureWidth: picture?.width ?? null,
    pictureHeight: picture?.height ?? null,
  })
}

function dayOf(instant: number, timeZone: string): TimeSpan {
  const start = siteDateAt(instant, timeZone)
  return { allDay: true, start, end: daysAfter(start, 1) }
}

function dateInWords(instant: number, timeZone: string): string {
  const time = DateTime.fromMillis(instant, { zone: timeZone, locale: 'en' })
  return time.toFormat('cccc, LLLL d, yyyy')
}

/**
 * Returns the history for a record that is missing from the ledger because an older version
 * rejected it.
 */
function firstSeenAt(instant: number): ChangeHistory {
  return { hash: '', revision: 0, firstSeenAt: instant, changedAt: instant }
}

/** Renders a news feed in a format for feed readers. */
export function newsText(format: FeedFormat, channel: Channel, items: readonly FeedItem[]): string {
  switch (format) {
    case 'rss':
      return renderRss(channel, items)
    case 'atom':
      return renderAtom(channel, items)
    case 'json':
      return renderJsonFeed(channel, items)
    case 'ics':
      throw new TypeError('a news feed cannot be rendered as a calendar')
  }
}
