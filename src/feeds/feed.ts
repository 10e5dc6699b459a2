import {
  createCalendarRenderer,
  type CalendarDiagnosis,
  type CalendarRenderer,
  type RenderContext,
} from '../calendar/calendar-renderer.ts'
import type { CalendarOptions } from '../calendar/calendar-options.ts'
import type { CalendarSection, SectionSettings } from '../calendar/calendar-section.ts'
import type { DuplicateGroups } from '../calendar/duplicate-groups.ts'
import type { PersonalSource } from '../calendar/personal-sections.ts'
import type { ReportedChange } from '../calendar/reported-changes.ts'
import type { CalendarSource } from '../calendar/shown-records.ts'
import type { ChosenOptions, FeedOptionSet, OptionValues } from '../options/option.ts'
import type { TimeSpan } from '../records/date-words.ts'
import type { LinkChoice } from '../links/feed-link.ts'
import type { Language } from '../records/messages.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import { websiteIdOf } from '../records/repeated-ids.ts'
import { endpointOf, type FeedResource } from '../records/resources.ts'
import type { SiteDate } from '../records/site-time.ts'
import type { Places } from '../records/sign-up-sheet.ts'
import type { Validity } from '../records/validity.ts'
import type { Ranked, Search } from '../search/search.ts'
import type { FeedRole, BoardItem } from '../signage/board-item.ts'
import type { ItemDraft } from '../syndication/feed-item.ts'
import { atOnce, type Steps } from '../steps.ts'
import { isCalendarFormat, type FeedFormat } from './formats.ts'
import type { EntrySummary, ItemPage } from './item-page.ts'
import { itemLink, siteIn, withLanguage, type Site } from './site.ts'

export type FeedSource<R extends FeedResource> = CalendarSource<R>

/** Returns a source with only the records that match a feed's options and are visible to a profile. */
export type SelectRecords<R extends FeedResource> = (
  source: FeedSource<R>,
  reader: { readonly profile: Profile; readonly values?: OptionValues | undefined },
) => FeedSource<R>

export type RenderedFeed = Validity & {
  readonly body: Buffer
  /** The default is the format's content type. */
  readonly contentType?: string
  /** Plain-text title inside the feed. */
  readonly title: string
}

export type FeedRequest = {
  readonly format: FeedFormat
  readonly profile: Profile
  readonly now: number
  readonly chosen: ChosenOptions
  readonly entriesChangedAt?: number | undefined
  /** The member whose own entries a combined feed shows. */
  readonly personal?: PersonalSource | undefined
  /** Entries of several calendars that describe the same event, for a combined feed. */
  readonly duplicates?: () => DuplicateGroups
}

export type FeedText = {
  readonly title: string
  /** Describes the content in a single sentence. */
  readonly summary: string
  /** Prefix for its entries' titles in a combined calendar, such as `Rental:`. */
  readonly prefix?: string
  /** Name in lists of feeds to choose from. The default is the title. */
  readonly label?: string
}

export type FeedId = {
  /** The id appears in the feed's URLs, so it must never change. */
  readonly id: string
}

export type NamedFeed = FeedId & {
  /** Returns the feed's title and other text in a language, given as a BCP 47 tag. */
  readonly textIn: (language: string) => FeedText
}

export type AboutFeed<R extends FeedResource = FeedResource> = NamedFeed & {
  readonly resource: R
  readonly boardRole: FeedRole
  /** Id of another feed that has some of the same items. Boards show those items only once. */
  readonly repeats?: string
  /** True if the records are public on the website. */
  readonly isPublicByDefault?: boolean
  /** True if only links and boards that list the feed include it. Links to all feeds do not. */
  readonly isNamedOnly?: boolean
  /** True if the feed can never be public. */
  readonly isLinkOnly?: boolean
  /** Distinguishes its entries from other feeds' entries in a combined calendar. */
  readonly marker?: {
    readonly emoji: string
    /** CSS color name. */
    readonly color: string
  }
}

export const isCalendar = ({ formats }: { readonly formats: readonly FeedFormat[] }) =>
  formats.some(isCalendarFormat)

export function withText<F extends NamedFeed>(feed: F, language: string) {
  return { ...feed, ...feed.textIn(language) }
}

/** A feed whose records are shown, with its records. */
export type ShownSource = { readonly feed: Feed; readonly source: FeedSource<FeedResource> }

/** Access to a feed, and its differences below feed links. */
export type FeedAccess = {
  /**
   * True if everyone can read it, with whichever of its sources are public. False if it exists only
   * below feed links. By default, the site's settings decide.
   */
  readonly isForEveryone?: boolean
  /** True if it does not exist below feed links. */
  readonly isPublicOnly?: boolean
  /** True if it shows the link's member their own entries, with or without `sources`. */
  hasPersonalEntries?(format: FeedFormat, sources: readonly Feed[]): boolean
  /** Returns the query string that a link's saved selection adds to URLs without the option `show`. */
  savedQuery?(choice: LinkChoice, format: FeedFormat): string
}

/** A feed with URLs. Most show their own records, and others combine those of several feeds. */
export type ServedFeed = NamedFeed &
  FeedAccess & {
    readonly formats: readonly FeedFormat[]
    /** Returns the summary for these options, if they change it. */
    summaryWith?(chosen: ChosenOptions, language: string): string
    /** Messages about invalid values mention only the feeds in `offered`, by default all feeds. */
    options(format: FeedFormat, offered?: readonly Feed[]): FeedOptionSet
    /**
     * Returns the feeds whose records it shows, in the order of the catalog. Without a selection,
     * returns the suitable feeds in `readable`, which are the feeds that the viewer may read.
     * Otherwise, returns the selected ones, even if the viewer may not read them.
     */
    sourcesFrom(
      readable: readonly Feed[],
      format: FeedFormat,
      chosen: ChosenOptions,
    ): readonly Feed[]
    /** There are no sources if the viewer may no longer read any feed in a saved selection. */
    render(
      sources: readonly ShownSource[],
      request: FeedRequest,
      renderers: Renderers,
    ): Steps<RenderedFeed>
  }

/** A feed of the records of one resource, which also has pages and lists, and is on boards. */
export type Feed<R extends FeedResource = FeedResource> = ServedFeed & FeedContent<R>

/** How a feed presents its records. */
export type FeedContent<R extends FeedResource> = AboutFeed<R> & {
  readonly formats: readonly FeedFormat[]
  options(format: FeedFormat): FeedOptionSet
  renderSource(
    source: FeedSource<R>,
    request: FeedRequest,
    renderers: Renderers,
  ): Steps<RenderedFeed>
  /**
   * Returns the title of the feed with only some of its parts, which stays the same if they no
   * longer have records.
   */
  titleWith(source: FeedSource<R>, parts: readonly number[], context: TitleContext): string
  /** Returns the content visible to a profile, filtered by the options for lists. */
  overview(
    source: FeedSource<R>,
    context: PageContext & { readonly chosen?: ChosenOptions },
  ): FeedOverview
  /**
   * Yields everything that a profile can see now or later, in no particular order. Creating an item
   * is expensive.
   */
  searchable(source: FeedSource<R>, context: SearchContext): Iterable<Searchable<R>>
  /** Returns the entries or items that a profile sees now and that match a search. */
  found(
    searchable: readonly Searchable<R>[],
    search: Search,
    context: SearchContext,
  ): readonly Found<R>[]
  /** Returns the text to show for a match, which is expensive. */
  foundText({ item }: Found<R>, context: SearchContext): FoundText
  /** Renders a record's page for a profile. `url` is the page's URL. */
  page(
    source: FeedSource<R>,
    record: { readonly id: number; readonly url: string },
    context: PageContext,
  ): RenderedPage
  /**
   * Describes an item that the website no longer shows: its cancellation, or an empty text. Returns
   * undefined for an id that has not been used yet.
   */
  goneText(source: FeedSource<R>, id: number, site: Site): string | undefined

  // Only feeds for feed readers have these methods.

  newsItems?(source: FeedSource<R>, request: NewsRequest): Steps<readonly ItemDraft[]>

  // Only calendar feeds have these methods.

  /** Reads each entry's texts only when it is needed, because reading thousands is slow. */
  listed?(
    source: FeedSource<R>,
    range: ListRange,
    context: PageContext,
  ): IteratorObject<ListedEntry>
  eventFile?(
    source: FeedSource<R>,
    record: { readonly id: number },
    context: RenderContext,
    renderers: Renderers,
  ): Buffer | undefined
  section?(source: FeedSource<R>, settings: SectionSettings): CalendarSection
  /** Returns the recorded changes, except those for which `isHidden` returns true. */
  changes?(
    source: FeedSource<R>,
    site: Site,
    isHidden?: (change: ReportedChange) => boolean,
  ): readonly ReportedChange[]
  diagnose?(source: FeedSource<R>, now: number, renderers: Renderers): Steps<CalendarDiagnosis>
}

type NewsRequest = Omit<PageContext, 'now'> & { readonly values: OptionValues }

/** Returns a feed's items, or none for a feed that is only a calendar. */
export function newsItemsOf(
  feed: Feed,
  source: FeedSource<FeedResource>,
  request: NewsRequest,
): readonly ItemDraft[] {
  return feed.newsItems ? atOnce(feed.newsItems(source, request)) : []
}

export type RenderedPage = {
  /** Undefined if the profile cannot see the record. */
  readonly page: ItemPage | undefined
  /** When the page becomes outdated, in milliseconds since the epoch, or Infinity if it never does. */
  readonly validUntil: number
}

export type SiteReader = { readonly site: Site; readonly profile: Profile }

export type PageContext = SiteReader & { readonly now: number }

export type TitleContext = {
  readonly site: { readonly language: string }
  readonly profile: Profile
}

export type SearchContext = PageContext & {
  /** For feeds with a calendar and news. The default is the calendar. */
  readonly format?: FeedFormat
  readonly values?: OptionValues
}

export type Searchable<R extends FeedResource = FeedResource> = {
  readonly record: RecordOf[R]
  /** Folded, first the title. */
  readonly texts: readonly string[]
  /** When an entry takes place. Undefined for items. */
  readonly time?: TimeSpan
  /** Undefined for entries. */
  readonly draft?: ItemDraft
}

export type Found<R extends FeedResource = FeedResource> = Ranked<Searchable<R>>

/** Feed content for pages, lists and boards. */
export type FeedOverview = {
  /** Parts that people can subscribe to separately. */
  readonly parts: readonly FeedPart[]
  /** Upcoming entries in a calendar, or the latest items in a news feed. */
  readonly entries: readonly OverviewEntry[]
  readonly board: readonly BoardItem[]
  /**
   * When the content becomes outdated, in milliseconds since the epoch, or Infinity if it does not
   * depend on the clock.
   */
  readonly validUntil: number
}

export type FeedPart = { readonly name: string; readonly option: string; readonly id: number }

export function partQuery({ option, id }: Omit<FeedPart, 'name'>): string {
  return `${option}=${id}`
}

export type OverviewEntry = EntrySummary & { readonly text: string }

/** Text of a match, in full. */
export type FoundText = OverviewEntry & { readonly category: string }

/** Calendar entry in an agenda or on a month's page. */
export type ListedEntry = EntrySummary & {
  /** Id of the feed that the entry belongs to. */
  readonly kind: string
  /** Color of its calendar as hex digits with `#`, or an empty string. */
  readonly color: string
  readonly start: string
  readonly allDay: boolean
  readonly category: string
  readonly isCanceled?: boolean
  /** Set for entries of the member that a link is for. */
  readonly own?:
    | {
        /** What the member does. */
        readonly role: string | undefined
        /** False if the link does not include the entry's feed. */
        readonly hasPage: boolean
      }
    | undefined
  /** Open and total places, if people can sign up and their number is limited. */
  readonly places: Places | undefined
}

/** From the first to the last day. */
export type DayRange = { readonly from: SiteDate; readonly to: SiteDate }

export type ListRange = DayRange & {
  /** Ids of calendars or rental types, 0 for records without one. Empty means all. */
  readonly parts: readonly number[]
  readonly search?: Search
  readonly place?: string
  readonly cancelled?: CalendarOptions['cancelled']
}

export const overviewEntries = 5

/** Maximum number of items from one feed on a board. */
export const boardEntries = 30

export type Renderers = {
  readonly site: Site
  readonly calendars: CalendarRenderer
  readonly inLanguage: (language: Language | undefined) => Renderers
}

export function createRenderers(site: Site): Renderers {
  const urlOf = (resource: FeedResource, id: number, profile: Profile) => {
    // Calendars have the names of their endpoints. Feedhouse's own pages have only public content.
    const pageUrl = profile === 'public' ? itemUrl : websiteItemUrl
    return pageUrl(endpointOf(resource), id, site)
  }
  const inOtherLanguages = new Map<Language, Renderers>()
  const renderers: Renderers = {
    site,
    calendars: createCalendarRenderer({ ...site, urlOf }),
    inLanguage(language) {
      const translated = siteIn(site, language)
      if (language === undefined || translated === site) return renderers
      const known = inOtherLanguages.get(language)
      if (known) return known
      const created = createRenderers(translated)
      inOtherLanguages.set(language, created)
      return created
    },
  }
  return renderers
}

/** Returns a feed's URL under `base`, which is the public URL or a feed link's URL. */
export function feedUrl(base: string, feed: FeedId, format: FeedFormat, query = ''): string {
  return `${base}/${feed.id}.${format}${query === '' ? '' : `?${query}`}`
}

/** Returns the public URL of a feed with options, which is a separate file on a static host. */
export function publicFeedUrl(site: Site, feed: FeedId, format: FeedFormat, query: string): string {
  return site.isStatic === true && query !== ''
    ? `${site.publicUrl}/${staticPartPath(feed, format, query)}`
    : feedUrl(site.publicUrl, feed, format, withLanguage(query, site))
}

/** Returns a query string's file name: `category=7` for news is `parts/news/category-7.rss`. */
export function staticPartPath(feed: FeedId, format: FeedFormat, query: string): string {
  return `parts/${feed.id}/${query.replaceAll('=', '-')}.${format}`
}

/** Returns the URL of an item's page on the website, or undefined if it is unknown. */
export function websiteItemUrl(feedId: string, id: number, { links }: Site): string | undefined {
  const template = links[feedId]
  return template === undefined ? undefined : itemLink(template, websiteIdOf(id))
}

/**
 * Returns the URL of an item's page, on the website if possible, and otherwise on Feedhouse, where
 * a private item's page says that it is private. Its page below a feed link has a secret URL, which
 * would leak when people share the item.
 */
export function itemUrl(feedId: string, id: number, site: Site): string {
  const query = withLanguage('', site)
  const page = `${site.publicUrl}/${feedId}/${id}`
  return websiteItemUrl(feedId, id, site) ?? (query === '' ? page : `${page}?${query}`)
}
