import { createCalendarRenderer, type CalendarRenderer } from '../calendar/calendar-renderer.ts'
import type { CalendarReview } from '../calendar/calendar-diagnostics.ts'
import type { CalendarSource } from '../calendar/shown-records.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import type { FeedResource } from '../records/resources.ts'
import type { FeedOptionSet } from '../options/feed-option.ts'
import type { ChosenOptions } from '../options/option.ts'
import type { BoardRole } from '../signage/board-item.ts'
import type { FeedOverview } from './feed-overview.ts'
import type { FrontPicture } from './front-pictures.ts'
import { itemLink } from './item-links.ts'
import type { ItemPage } from './item-page.ts'
import type { Site } from './site.ts'

export type FeedFormat = 'ics' | 'rss' | 'atom' | 'json'

export const contentTypes: Readonly<Record<FeedFormat, string>> = {
  ics: 'text/calendar; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
}

/** Records of a resource, with their change history. */
export type FeedSource<R extends FeedResource> = CalendarSource<R>

export type RenderedFeed = {
  readonly body: Buffer
  /** What it calls itself, plain text. */
  readonly title: string
  /**
   * When the clock last made it another, and when it does next, in milliseconds since the epoch;
   * infinite for never.
   */
  readonly validFrom: number
  readonly validUntil: number
}

export type FeedRequest = {
  readonly format: FeedFormat
  readonly profile: Profile
  readonly now: number
  /** The options of the feed in this format. */
  readonly chosen: ChosenOptions
}

export type AboutFeed<R extends FeedResource = FeedResource> = {
  /** Part of its URLs, which must never change. */
  readonly id: string
  readonly title: string
  /** One sentence: what a subscriber gets. */
  readonly summary: string
  /** Resource that it is made from. */
  readonly resource: R
  readonly boardRole: BoardRole
  /** Id of another feed, whose items boards do not show again. */
  readonly repeats?: string
  /** True for records that the website shows to anyone. */
  readonly isPublicByDefault?: boolean
}

export type Feed<R extends FeedResource = FeedResource> = AboutFeed<R> & {
  readonly formats: readonly FeedFormat[]
  /** The options of its addresses in a format. */
  options(format: FeedFormat): FeedOptionSet
  render(source: FeedSource<R>, request: FeedRequest, renderers: Renderers): RenderedFeed
  /** What a profile sees of it now, by the options that lists take. */
  overview(
    source: FeedSource<R>,
    context: PageContext & { readonly chosen?: ChosenOptions },
  ): FeedOverview
  /** The page of a record's item, as a profile sees it now; `url` is where it is. */
  page(
    source: FeedSource<R>,
    record: { readonly id: number; readonly url: string },
    context: PageContext,
  ): RenderedPage
  /** Pictures of all records that boards may show, whatever the options. */
  frontPictures?(records: readonly RecordOf[R][], siteUrl: string): readonly FrontPicture[]
  /** What of a calendar cannot be shown as it is; other feeds have nothing of the kind. */
  diagnose?(source: FeedSource<R>, now: number, renderers: Renderers): CalendarReview
}

export type RenderedPage = {
  /** Undefined for a record that the profile does not see. */
  readonly page: ItemPage | undefined
  /** When the clock makes it another, in milliseconds since the epoch; infinite for never. */
  readonly validUntil: number
}

export type PageContext = {
  readonly site: Site
  readonly profile: Profile
  readonly now: number
}

/** What makes the feeds of a site. */
export type Renderers = { readonly site: Site; readonly calendars: CalendarRenderer }

export function createRenderers(site: Site): Renderers {
  const urlOf = (resource: FeedResource, id: number, profile: Profile) =>
    entryUrl(resource, id, site, profile)
  return { site, calendars: createCalendarRenderer({ ...site, urlOf }) }
}

/** Below `base`: Feedhouse's own origin, or the address of a feed link. */
export function feedUrl(base: string, feed: Feed, format: FeedFormat, query = ''): string {
  return `${base}/${feed.id}.${format}${query === '' ? '' : `?${query}`}`
}

/** Where anyone reads a feed with options: a static host has it at an address of its own. */
export function publicFeedUrl(
  { publicUrl, isStatic = false }: Pick<Site, 'publicUrl' | 'isStatic'>,
  feed: Feed,
  format: FeedFormat,
  query: string,
): string {
  return isStatic && query !== ''
    ? `${publicUrl}/${staticPartPath(feed, format, query)}`
    : feedUrl(publicUrl, feed, format, query)
}

/** `category=7` of the news becomes `parts/news/category-7.rss`. */
export function staticPartPath(feed: Feed, format: FeedFormat, query: string): string {
  return `parts/${feed.id}/${query.replaceAll('=', '-')}.${format}`
}

/** Where anyone reads about an item: the website's page, or else Feedhouse's. */
export function publicItemUrl(feedId: string, id: number, site: Site): string {
  const template = site.links[feedId]
  return template === undefined ? `${site.publicUrl}/${feedId}/${id}` : itemLink(template, id)
}

/** Where those of a profile read about an entry: Feedhouse's page is no more than anyone may see. */
export function entryUrl(
  feedId: string,
  id: number,
  site: Site,
  profile: Profile,
): string | undefined {
  const isForThem = profile === 'public' || site.links[feedId] !== undefined
  return isForThem ? publicItemUrl(feedId, id, site) : undefined
}

/**
 * Where those of a profile read an item, which all see whole. The page of one that is not public is
 * below a secret address, which many share a feed without; they are led to the website.
 */
export function itemUrl(feedId: string, id: number, site: Site, profile: Profile): string {
  const isForThem = profile === 'public' || site.publicFeedIds.includes(feedId)
  if (isForThem || site.links[feedId] !== undefined) return publicItemUrl(feedId, id, site)
  return `${site.url}/#${feedId}-${id}`
}
