import { DateTime } from 'luxon'
import type { EntryTime } from '../calendar/calendar-entry.ts'
import type { EntryPage } from '../calendar/entry-page.ts'
import { placeFinder } from '../calendar/place.ts'
import { instantFromSiteTime } from '../records/site-time.ts'
import { summaryOf, type FeedItem } from '../syndication/feed-item.ts'
import { escapeHtml, paragraphsFrom } from '../syndication/html.ts'
import type { Picture } from '../syndication/media.ts'
import { nameOf, type Site } from './site.ts'

/** Content of an item's page. Everything except `contentHtml` is plain text. */
export type ItemPage = {
  readonly title: string
  /** Lines below the title: time and location, or date and author. */
  readonly lines: readonly string[]
  /** Clean HTML. */
  readonly contentHtml: string
  /** Short text for previews. */
  readonly description: string
  readonly picture: Picture | undefined
  readonly kind: 'article' | 'event'
  /** Data for search engines, in schema.org vocabulary. */
  readonly structuredData: object
}

export function pageOfEntry(
  entry: EntryPage,
  { url, site }: { readonly url: string; readonly site: Site },
): ItemPage {
  const { summary, when, location, description, categories } = entry
  return {
    title: summary,
    lines: [when, location, categories.join(', ')].filter((line) => line !== ''),
    contentHtml: paragraphsFrom(description),
    description: summaryOf(
      escapeHtml([when, location, description].filter((part) => part !== '').join('. ')),
    ),
    picture: undefined,
    kind: 'event',
    structuredData: {
      '@context': 'https://schema.org',
      '@type': 'Event',
      name: summary,
      ...datesOf(entry.time, site.timeZone),
      ...(location === '' ? {} : { location: placeOf(location, site) }),
      ...(description === '' ? {} : { description }),
      url,
      organizer: { '@type': 'Organization', name: nameOf(site), url: site.url },
    },
  }
}

/**
 * Returns structured data for a place. Includes the address, which search engines need but pages do
 * not show.
 */
function placeOf(name: string, { places = [] }: Site): object {
  const place = placeFinder(places)(name)
  if (!place) return { '@type': 'Place', name }
  const { address, latitude, longitude } = place
  return {
    '@type': 'Place',
    name,
    address,
    geo: { '@type': 'GeoCoordinates', latitude, longitude },
  }
}

export function pageOfItem(item: FeedItem, site: Site): ItemPage {
  const written = DateTime.fromMillis(item.publishedAt, { zone: site.timeZone, locale: 'en' })
  const [picture] = item.pictures
  return {
    title: item.title,
    lines: [
      [written.toFormat('LLLL d, yyyy, h:mm a'), item.author, item.category]
        .filter((part) => part !== '')
        .join(' · '),
    ],
    contentHtml: item.contentHtml,
    description: item.summary,
    picture,
    kind: 'article',
    structuredData: {
      '@context': 'https://schema.org',
      '@type': 'NewsArticle',
      headline: item.title,
      datePublished: isoOf(item.publishedAt, site.timeZone),
      dateModified: isoOf(item.updatedAt, site.timeZone),
      ...(picture ? { image: [picture.url] } : {}),
      author: {
        '@type': item.author === '' ? 'Organization' : 'Person',
        name: item.author || nameOf(site),
      },
      publisher: { '@type': 'Organization', name: nameOf(site), url: site.url },
      mainEntityOfPage: item.url,
    },
  }
}

/** Returns the dates of an event. Unlike in iCalendar, an all-day event ends on its last day. */
function datesOf(time: EntryTime, timeZone: string): object {
  if (time.allDay) {
    const last = DateTime.fromISO(time.end, { zone: 'utc' }).minus({ days: 1 }).toISODate()
    return { startDate: time.start, endDate: last }
  }
  const iso = (wallTime: string) => isoOf(instantFromSiteTime(wallTime, timeZone), timeZone)
  return {
    startDate: iso(time.start),
    ...(time.end === undefined ? {} : { endDate: iso(time.end) }),
  }
}

function isoOf(instant: number, timeZone: string): string | null {
  return DateTime.fromMillis(instant, { zone: timeZone }).toISO({ suppressMilliseconds: true })
}
