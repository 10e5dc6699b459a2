import { createCalendarRenderer, type CalendarRenderer } from '../calendar/calendar-renderer.ts'
import type { CalendarReview } from '../calendar/calendar-review.ts'
import type { CalendarResource } from '../calendar/entry-recipe.ts'
import type { CalendarSource } from '../calendar/shown-records.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import type { FeedResource } from '../records/resources.ts'
import { cleanText } from '../records/text.ts'
import { itemLink, type ItemLinks } from './item-links.ts'
import type { ItemPage } from './item-page.ts'

export type FeedFormat = 'ics' | 'rss' | 'atom' | 'json'

export const contentTypes: Readonly<Record<FeedFormat, string>> = {
  ics: 'text/calendar; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
}

/** What every feed of a site has in common. */
export type Site = {
  readonly name: string
  /** Origin of the website. */
  readonly url: string
  readonly timeZone: string
  /** Feedhouse's own origin. */
  readonly publicUrl: string
  readonly links: ItemLinks
  /** WebSub hubs that are told of changes; the first one is named in every feed. */
  readonly hubs: readonly string[]
}

/** The records of a resource, and what is known of their changes. */
export type FeedSource<R extends FeedResource> = {
  readonly records: readonly RecordOf[R][]
} & Pick<CalendarSource<CalendarResource>, 'ledger' | 'changedAt'>

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
}

/** A feed with options. */
export type Variant<R extends FeedResource = FeedResource> = {
  /** The options as a query string, one for all that mean the same; empty for none. */
  readonly query: string
  render(source: FeedSource<R>, request: FeedRequest, renderers: Renderers): RenderedFeed
}

export type VariantReading<R extends FeedResource> =
  | { readonly ok: true; readonly variant: Variant<R> }
  | { readonly ok: false; readonly reason: string }

/** A part of a feed that has a name, and the query string that chooses it. */
export type FeedPart = { readonly name: string; readonly query: string }

export type Feed<R extends FeedResource = FeedResource> = {
  readonly id: string
  readonly title: string
  /** One sentence: what a subscriber gets. */
  readonly summary: string
  readonly resource: R
  readonly formats: readonly FeedFormat[]
  variant(query: URLSearchParams, format: FeedFormat): VariantReading<R>
  /** Its parts, as anyone may see them. */
  parts(records: readonly RecordOf[R][]): readonly FeedPart[]
  /** The page of a record's item, as anyone may see it now. */
  page(source: FeedSource<R>, recordId: number, context: PageContext): ItemPage | undefined
  /** What of a calendar cannot be shown as it is; other feeds have nothing of the kind. */
  review?(source: FeedSource<R>, now: number, renderers: Renderers): CalendarReview
}

export type PageContext = { readonly site: Site; readonly now: number }

/** What makes the feeds of a site. */
export type Renderers = { readonly site: Site; readonly calendars: CalendarRenderer }

export function createRenderers(site: Site): Renderers {
  const urlOf = (resource: CalendarResource, id: number, profile: Profile) =>
    itemUrl(resource, id, site, profile)
  return { site, calendars: createCalendarRenderer({ ...site, urlOf }) }
}

export function feedUrl(feed: Feed, format: FeedFormat, site: Site, query = ''): string {
  return `${site.publicUrl}/${feed.id}.${format}${query === '' ? '' : `?${query}`}`
}

/** The site's name as every format can carry it. */
export function nameOf({ name, url }: Pick<Site, 'name' | 'url'>): string {
  return cleanText(name).replace(/\s+/g, ' ').trim() || new URL(url).hostname
}

/** Where anyone reads about an item: the website's page, or else Feedhouse's. */
export function publicItemUrl(feedId: string, id: number, site: Site): string {
  const template = site.links[feedId]
  return template === undefined ? `${site.publicUrl}/${feedId}/${id}` : itemLink(template, id)
}

/** Where those of a profile do: Feedhouse's page is no more than anyone may see. */
export function itemUrl(
  feedId: string,
  id: number,
  site: Site,
  profile: Profile,
): string | undefined {
  const isForThem = profile === 'public' || site.links[feedId] !== undefined
  return isForThem ? publicItemUrl(feedId, id, site) : undefined
}
