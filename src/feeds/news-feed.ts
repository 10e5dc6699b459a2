import type { FeedOptionSet, OptionValues } from '../options/option.ts'
import { createFoldedTexts, rankedIn, titleWithSearch } from '../search/search.ts'
import { lineWithCommas } from '../text/plain-text.ts'
import { itemFilter, itemTexts, textIn } from '../syndication/item-search.ts'
import { timeInWords, type TimeSpan } from '../records/date-words.ts'
import type { SiteTimes } from '../records/language.ts'
import { namedParts, type Part } from '../records/part.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import { atOnce, inSteps, type Steps } from '../steps.ts'
import { unrecordedHistory } from '../records/recorded-change.ts'
import type { FeedResource } from '../records/resources.ts'
import { daysAfter, siteDateAt, siteTimeAt } from '../records/site-time.ts'
import { boardItem, type BoardItem } from '../signage/board-item.ts'
import { tagUri, type AboutChannel, type ChannelAddress } from '../syndication/channel.ts'
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
import {
  boardEntries,
  itemUrl,
  overviewEntries,
  publicFeedUrl,
  websiteItemUrl,
  type AboutFeed,
  type FeedContent,
  type FeedId,
  type FeedOverview,
  type FeedRequest,
  type FeedSource,
  type FoundText,
  type RenderedFeed,
  type SelectRecords,
  type SiteReader,
} from './feed.ts'
import { newsFormats, newsText } from './formats.ts'
import { goneTextOf, pageOfItem } from './item-page.ts'
import { feedMessages } from './messages.ts'
import { siteChannel, type Site } from './site.ts'
import { titleOfParts } from './title-of-parts.ts'

export type ItemKind<R extends FeedResource> = {
  /** Converts a record to an item, or to several that replace each other. */
  readonly draftsFrom: (
    record: RecordOf[R],
    source: ItemSource,
    values: OptionValues,
  ) => ItemDraft | readonly ItemDraft[]
  readonly isShown: (record: RecordOf[R], profile: Profile) => boolean
  /** Undefined for records that cannot be featured. */
  readonly isFeatured?: (record: RecordOf[R]) => boolean
  /** Undefined for records without categories. */
  readonly categoryOf?: (record: RecordOf[R]) => Part | undefined
  readonly moreOptions?: FeedOptionSet
}

type ItemsRequest = SiteReader & { readonly values?: OptionValues | undefined }

/** Creates a news feed in every format for feed readers. */
export function newsFeed<R extends FeedResource>(
  about: AboutFeed<R>,
  kind: ItemKind<R>,
  select: SelectRecords<R> = (source) => source,
): FeedContent<R> {
  const { draftsFrom, isShown } = kind
  const foldedTexts = createFoldedTexts()
  const options = optionsOf(kind)

  /**
   * Returns the items of the records visible to a profile that match the search in `values`. `url`
   * is the URL of their pages.
   */
  function* itemsOf(
    source: FeedSource<R>,
    { site, profile, values = {}, url }: ItemsRequest & { readonly url?: string },
  ): Steps<readonly ItemDraft[]> {
    const shown = source.records.filter((record) => isShown(record, profile))
    const context = itemSource(about.id, source, { site, profile, url })
    const { search }: ItemOptions = { ...noItemOptions, ...values }
    const isFound = itemFilter(foldedTexts, search, context)
    const drafts = yield* inSteps(shown, (record) =>
      [draftsFrom(record, context, values)].flat().filter(isFound),
    )
    return drafts.flat()
  }

  function chosen(all: FeedSource<R>, { profile, values }: Omit<ItemsRequest, 'site'>) {
    const source = select(all, { profile, values })
    const options: ItemOptions = { ...noItemOptions, ...values }
    const records = source.records.filter((record) => isChosen(kind, record, options))
    return { source: { ...source, records }, options }
  }

  const newsItems = (all: FeedSource<R>, request: ItemsRequest) =>
    itemsOf(chosen(all, request).source, request)

  const feed: FeedContent<R> = {
    ...about,
    formats: newsFormats,
    options: () => options,
    *renderSource(all, request, { site }) {
      const { profile } = request
      const { values } = request.chosen
      const { source, options } = chosen(all, { profile, values })
      const { summary: description } = about.textIn(site.language)
      const title = feed.titleWith(all, options.categories, { site, profile })
      const channel = {
        ...channelLinks(feed, request, site),
        title: titleWithSearch(title, options),
        description,
        updatedAt: source.changedAt,
      }
      const drafts = yield* itemsOf(source, { site, profile, values })
      return renderItems(drafts, channel, request, options, site)
    },
    titleWith: titleOfParts(about, select, (records, profile) => partsOf(kind, records, profile)),
    overview(all, { site, profile, now, chosen: { values } = {} }) {
      const { records } = select(all, { profile, values })
      const drafts = atOnce(newsItems(all, { site, profile, values }))
      const { items, validUntil } = itemsShownAt(drafts, { now, limit: boardEntries })
      const parts = partsOf(kind, records, profile)
      return { ...overviewOf(about, items, parts, site), validUntil }
    },
    newsItems,
    searchable(all, { site, profile }) {
      const source = select(all, { profile })
      const context = itemSource(about.id, source, { site, profile })
      const textsOf = itemTexts(foldedTexts, context)
      const shown = source.records.values().filter((record) => isShown(record, profile))
      return shown.flatMap((record) =>
        [draftsFrom(record, context, {})]
          .flat()
          .map((draft) => ({ record, draft, texts: textsOf(draft) })),
      )
    },
    found(searchable, search, { now, values }) {
      const options: ItemOptions = { ...noItemOptions, ...values }
      return rankedIn(searchable, search, ({ record, draft }) => {
        const isPublished = draft && draft.publishedAt <= now && now < draft.expiresAt
        return isPublished === true && isChosen(kind, record, options)
      })
    },
    foundText({ item: { draft } }, { site }) {
      if (!draft) throw new TypeError('only calendar entries have no draft')
      return foundItem(about, draft.make(), site)
    },
    goneText: (source, recordId) => goneTextOf(source, recordId),
    page(all, { id: recordId, url }, { site, profile, now }) {
      const source = select(all, { profile })
      const records = source.records.filter((each) => each.id === recordId)
      const drafts = atOnce(itemsOf({ ...source, records }, { site, profile, url }))
      const { items, validUntil } = itemsShownAt(drafts, { now, limit: 1 })
      const [record] = records
      const address = record && 'address' in record ? lineWithCommas(record.address) : undefined
      return { page: items[0] && pageOfItem(items[0], site, address), validUntil }
    },
  }
  return feed
}

function optionsOf<R extends FeedResource>(kind: ItemKind<R>): FeedOptionSet {
  return {
    ...(kind.categoryOf ? categoryOption : {}),
    ...itemOptions,
    ...(kind.isFeatured ? featuredOption : {}),
    ...kind.moreOptions,
  }
}

function partsOf<R extends FeedResource>(
  { isShown, categoryOf }: ItemKind<R>,
  records: readonly RecordOf[R][],
  profile: Profile,
): readonly Part[] {
  if (!categoryOf) return []
  const shown = records.filter((record) => isShown(record, profile))
  return shown.flatMap((record) => categoryOf(record) ?? [])
}

function isChosen<R extends FeedResource>(
  { isFeatured, categoryOf }: ItemKind<R>,
  record: RecordOf[R],
  options: ItemOptions,
): boolean {
  const { categories } = options
  return (
    (categories.length === 0 || categories.includes(categoryOf?.(record)?.id ?? 0)) &&
    (!options.isFeatured || isFeatured?.(record) === true)
  )
}

function overviewOf(
  about: AboutFeed,
  items: readonly FeedItem[],
  parts: readonly Part[],
  site: SiteTimes,
): Omit<FeedOverview, 'validUntil'> {
  return {
    parts: namedParts(parts).map((part) => ({ ...part, option: categoryOption.categories.name })),
    entries: items
      .slice(0, overviewEntries)
      .map((item) => ({ ...entryOf(about, item, site), text: item.summary })),
    board: items.map((item) => boardItemOf(about, item, site)),
  }
}

export function boardItemOf(
  { id, boardRole }: AboutFeed,
  { recordId, title, summary, category, publishedAt, expiresAt, pictures }: FeedItem,
  { timeZone, language }: SiteTimes,
): BoardItem {
  return boardItem({
    id: `${id}-${recordId}`,
    kind: id,
    role: boardRole,
    title,
    text: summary,
    category,
    when: timeInWords(dayOf(publishedAt, timeZone), language),
    start: siteTimeAt(publishedAt, timeZone),
    end: Number.isFinite(expiresAt) ? siteTimeAt(expiresAt, timeZone) : null,
    ...frontPictureOf(pictures),
  })
}

/** Returns the first picture, as in items on boards. */
export function frontPictureOf([picture]: FeedItem['pictures']) {
  return {
    pictureUrl: picture?.url ?? null,
    pictureType: picture?.type ?? null,
    pictureWidth: picture?.width ?? null,
    pictureHeight: picture?.height ?? null,
  }
}

/** Returns an item with its whole text, as plain text. */
export function foundItem(about: FeedId, item: FeedItem, site: SiteTimes): FoundText {
  const text = textIn(item.contentHtml)
  return { ...entryOf(about, item, site), category: item.category, text }
}

function entryOf({ id: source }: FeedId, item: FeedItem, { timeZone }: SiteTimes) {
  const { recordId, title, publishedAt } = item
  return { recordId, title, time: dayOf(publishedAt, timeZone), location: '', source }
}

function dayOf(instant: number, timeZone: string): TimeSpan {
  const start = siteDateAt(instant, timeZone)
  return { allDay: true, start, end: daysAfter(start, 1) }
}

/** Returns what a feed's items need. They link to `url`, or by default each to its own page. */
export function itemSource(
  feedId: string,
  { ledger, changedAt, pictureTypes }: Omit<FeedSource<FeedResource>, 'records'>,
  { site, profile, url }: SiteReader & { readonly url?: string | undefined },
): ItemSource {
  return {
    siteUrl: site.url,
    idHost: site.idHost,
    timeZone: site.timeZone,
    language: site.language,
    profile,
    urlOf: (recordId) => url ?? itemUrl(feedId, recordId, site),
    websiteUrlOf: (recordId) => websiteItemUrl(feedId, recordId, site) ?? site.url,
    knownOf: (recordId) => ledger.get(recordId) ?? unrecordedHistory(changedAt),
    pictureTypes,
  }
}

export function channelLinks(
  feed: FeedId,
  { format, profile, chosen: { query } }: FeedRequest,
  site: Site,
): ChannelAddress {
  const isPublic = profile === 'public'
  return {
    id: tagUri(site.idHost, query === '' ? feed.id : `${feed.id}?${query}`),
    feedUrl: isPublic ? publicFeedUrl(site, feed, format, query) : undefined,
    // Hubs are only notified about public feeds without options.
    hubs: isPublic && query === '' && !site.translation ? site.hubs : [],
  }
}

/** The site's name precedes the title. `about.updatedAt` is when an empty feed last changed. */
export function renderItems(
  drafts: readonly ItemDraft[],
  about: AboutChannel,
  { format, now }: FeedRequest,
  { limit, content }: { readonly limit: number; readonly content: ItemOptions['content'] },
  site: Site,
): RenderedFeed {
  const { items, ...validity } = itemsShownAt(drafts, { now, limit })
  const title = feedMessages(site.language).titled(site.name, about.title)
  const updatedAt = Math.max(
    items.length === 0 ? about.updatedAt : 0,
    Number.isFinite(validity.validFrom) ? validity.validFrom : 0,
    ...items.map((item) => item.updatedAt),
  )
  const channel = { ...about, title, ...siteChannel(site), updatedAt }
  const shown = content === 'full' ? items : items.map(asSummary)
  return { body: Buffer.from(newsText(format, channel, shown)), title, ...validity }
}
