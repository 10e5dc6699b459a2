import { DateTime } from 'luxon'
import {
  entriesFromCalendarEvents,
  entriesFromPublicEvents,
} from './calendar/entries-from-records.ts'
import type { CalendarEntry } from './calendar/calendar-entry.ts'
import { renderICalendar } from './calendar/icalendar.ts'
import type { NewsStory } from './records/news-story.ts'
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
}

export type FeedText = {
  readonly text: string
  /** When the clock makes the text another, in milliseconds since the epoch. */
  readonly validUntil: number | undefined
}

export type FeedRequest = { readonly format: FeedFormat; readonly site: Site; readonly now: number }

export type Feed<R extends FeedResource = FeedResource> = {
  readonly id: string
  readonly title: string
  /** One sentence: what a subscriber gets. */
  readonly summary: string
  readonly resource: R
  readonly formats: readonly FeedFormat[]
  render(records: readonly RecordOf[R][], request: FeedRequest): FeedText
}

const calendar: Feed<'calendar'> = {
  id: 'calendar',
  title: 'Calendar',
  summary: 'Drills, meetings and duty of the members, from every calendar of the members’ area.',
  resource: 'calendar',
  formats: ['ics'],
  render: (events, request) =>
    calendarText(calendar, entriesFromCalendarEvents(events, request.site.url), request),
}

const events: Feed<'events'> = {
  id: 'events',
  title: 'Events',
  summary: 'What is on for the public, as the website announces it.',
  resource: 'events',
  formats: ['ics'],
  render: (records, request) =>
    calendarText(events, entriesFromPublicEvents(records, request.site.url), request),
}

const news: Feed<'news'> = {
  id: 'news',
  title: 'News',
  summary: 'News stories, newest first.',
  resource: 'news',
  formats: ['rss', 'atom', 'json'],
  render: newsText,
}

export const feeds: readonly Feed[] = [calendar, events, news]

export const feedIds: readonly string[] = feeds.map((feed) => feed.id)

export function feedUrl(feed: Feed, format: FeedFormat, site: Site): string {
  return `${site.publicUrl}/${feed.id}.${format}`
}

function calendarText(
  feed: Feed,
  entries: readonly CalendarEntry[],
  { site, now }: FeedRequest,
): FeedText {
  const { timeZone } = site
  const siteNow = DateTime.fromMillis(now, { zone: timeZone })
  const name = `${site.name}: ${feed.title}`
  const url = feedUrl(feed, 'ics', site)
  return {
    text: renderICalendar(entries, { name, url, timeZone, year: siteNow.year }),
    validUntil: siteNow.startOf('year').plus({ years: 1 }).toMillis(),
  }
}

function newsText(stories: readonly NewsStory[], request: FeedRequest): FeedText {
  const { site, format, now } = request
  const { items, nextAt } = itemsPublishedAt(newsItems(stories, site), now)
  const channel = {
    id: tagUri(site.url, news.id),
    title: `${site.name}: ${news.title}`,
    description: news.summary,
    homeUrl: site.url,
    feedUrl: feedUrl(news, format, site),
    author: site.name,
  }
  switch (format) {
    case 'rss':
      return { text: renderRss(channel, items), validUntil: nextAt }
    case 'atom':
      return { text: renderAtom(channel, items), validUntil: nextAt }
    case 'json':
      return { text: renderJsonFeed(channel, items), validUntil: nextAt }
    case 'ics':
      throw new TypeError('news is not a calendar')
  }
}

export function newsItems(stories: readonly NewsStory[], site: Site) {
  return itemsFromNews(stories, {
    siteUrl: site.url,
    timeZone: site.timeZone,
    publicUrl: site.publicUrl,
  })
}
