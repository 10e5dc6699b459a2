import {
  calendarQuery,
  readCalendarOptions,
  type CalendarOptions,
  type PartParameter,
} from './calendar/calendar-options.ts'
import { createCalendarRenderer, type CalendarRenderer } from './calendar/calendar-renderer.ts'
import type { CalendarReview } from './calendar/calendar-review.ts'
import { partsOf } from './calendar/entries.ts'
import { entryPage, type EntryPage } from './calendar/entry-page.ts'
import type { CalendarResource } from './calendar/entry-recipe.ts'
import type { CalendarSource } from './calendar/shown-records.ts'
import { itemLink, type ItemLinks } from './item-links.ts'
import type { NewsStory } from './records/news-story.ts'
import type { Profile } from './records/profile.ts'
import type { RecordOf } from './records/read-records.ts'
import type { FeedResource } from './records/resources.ts'
import { renderAtom } from './syndication/atom.ts'
import { renderJsonFeed } from './syndication/json-feed.ts'
import { itemsFromNews, itemsPublishedAt } from './syndication/news-item.ts'
import { renderRss } from './syndication/rss.ts'
import { tagUri } from './syndication/tag-uri.ts'

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
}

/** The records of a resource, and what is known of their changes. */
export type FeedSource<R extends FeedResource> = {
  readonly records: readonly RecordOf[R][]
} & Pick<CalendarSource<CalendarResource>, 'ledger' | 'changedAt'>

export type RenderedFeed = {
  readonly body: Buffer
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
  variant(query: URLSearchParams): VariantReading<R>
  /** What a calendar has beside its entries; other feeds have nothing of the kind. */
  readonly calendar?: {
    /** Its parts, as anyone may see them. */
    parts(records: readonly RecordOf[R][]): readonly FeedPart[]
    /** The page of an entry that anyone may see. */
    page(record: RecordOf[R], site: Site): EntryPage | undefined
    review(source: FeedSource<R>, now: number, renderers: Renderers): CalendarReview
  }
}

/** What makes the feeds of a site. */
export type Renderers = { readonly site: Site; readonly calendars: CalendarRenderer }

export function createRenderers(site: Site): Renderers {
  const urlOf = (resource: CalendarResource, id: number, profile: Profile) =>
    itemUrl(resource, id, site, profile)
  return { site, calendars: createCalendarRenderer({ ...site, urlOf }) }
}

const calendar = calendarFeed('calendar', {
  title: 'Calendar',
  summary: 'Drills, meetings and duty of the members.',
  partParameter: 'calendar',
})

const events = calendarFeed('events', {
  title: 'Events',
  summary: 'What is on for the public, as the website announces it.',
})

const rental = calendarFeed('rental', {
  title: 'Rentals',
  summary: 'When halls and rooms are taken.',
  partParameter: 'type',
})

const signup = calendarFeed('signup', {
  title: 'Sign-ups',
  summary: 'What people can sign up for, and how many places are open.',
})

const news: Feed<'news'> = {
  id: 'news',
  title: 'News',
  summary: 'News stories, newest first.',
  resource: 'news',
  formats: ['rss', 'atom', 'json'],
  variant: () => ({ ok: true, variant: { query: '', render: renderNews } }),
}

export const feeds: readonly Feed[] = [calendar, events, rental, signup, news]

export const feedIds: readonly string[] = feeds.map((feed) => feed.id)

export function feedUrl(feed: Feed, format: FeedFormat, site: Site, query = ''): string {
  return `${site.publicUrl}/${feed.id}.${format}${query === '' ? '' : `?${query}`}`
}

/** Where people read about an item: the website's page, or else Feedhouse's, which anyone can read. */
function itemUrl(feedId: string, id: number, site: Site, profile: Profile): string | undefined {
  const template = site.links[feedId]
  if (template !== undefined) return itemLink(template, id)
  return profile === 'public' ? `${site.publicUrl}/${feedId}/${id}` : undefined
}

function calendarFeed<R extends CalendarResource>(
  resource: R,
  about: Pick<Feed, 'title' | 'summary'> & { readonly partParameter?: PartParameter },
): Feed<R> {
  const { title, summary, partParameter } = about

  function variantWith(options: CalendarOptions): Variant<R> {
    const query = calendarQuery(options, partParameter)
    return {
      query,
      render(source, { profile, now }, { site, calendars }) {
        const names = partsOf(resource, source.records, profile)
          .filter(({ id }) => options.parts.includes(id))
          .map(({ name }) => name)
        return calendars.render(resource, source, {
          name: `${site.name}: ${names.join(', ') || title}`,
          description: summary,
          url: profile === 'public' ? feedUrl(feed, 'ics', site, query) : undefined,
          options,
          profile,
          now,
        })
      },
    }
  }

  const feed: Feed<R> = {
    id: resource,
    title,
    summary,
    resource,
    formats: ['ics'],
    variant(query) {
      const reading = readCalendarOptions(query, partParameter)
      return reading.ok ? { ok: true, variant: variantWith(reading.options) } : reading
    },
    calendar: {
      parts: (records) =>
        partsOf(resource, records, 'public').map(({ id, name }) => ({
          name,
          query: `${partParameter}=${id}`,
        })),
      page: (record, site) => entryPage(resource, record, site.url),
      review: (source, now, { calendars }) => calendars.review(resource, source, now),
    },
  }
  return feed
}

function renderNews(
  { records }: FeedSource<'news'>,
  { format, now }: FeedRequest,
  { site }: Renderers,
): RenderedFeed {
  const { items, nextAt } = itemsPublishedAt(newsItems(records, site), now)
  const channel = {
    id: tagUri(site.url, news.id),
    title: `${site.name}: ${news.title}`,
    description: news.summary,
    homeUrl: site.url,
    feedUrl: feedUrl(news, format, site),
    author: site.name,
  }
  const validity = {
    validFrom: items[0]?.publishedAt ?? -Infinity,
    validUntil: nextAt ?? Infinity,
  }
  switch (format) {
    case 'rss':
      return { body: Buffer.from(renderRss(channel, items)), ...validity }
    case 'atom':
      return { body: Buffer.from(renderAtom(channel, items)), ...validity }
    case 'json':
      return { body: Buffer.from(renderJsonFeed(channel, items)), ...validity }
    case 'ics':
      throw new TypeError('news is not a calendar')
  }
}

export function newsItems(stories: readonly NewsStory[], site: Site) {
  return itemsFromNews(stories, {
    siteUrl: site.url,
    timeZone: site.timeZone,
    urlOf: (id) => itemUrl('news', id, site, 'public') ?? site.url,
  })
}
