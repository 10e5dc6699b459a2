import { DateTime } from 'luxon'
import type { EntryTime } from '../calendar/calendar-entry.ts'
import type { EntryPage } from '../calendar/entries.ts'
import type { EntryRecipe } from '../calendar/entry-recipe.ts'
import { placeFinder, type Place } from '../calendar/place.ts'
import type { ReportedChange } from '../calendar/reported-changes.ts'
import { upcomingEntries } from '../calendar/upcoming.ts'
import type { FeedResource } from '../records/resources.ts'
import type { Places } from '../records/sign-up-sheet.ts'
import { instantFromSiteTime, type SiteDateTime } from '../records/site-time.ts'
import { summaryOf, type FeedItem } from '../syndication/feed-item.ts'
import { escapeHtml, paragraphsFrom } from '../syndication/html.ts'
import type { Picture } from '../syndication/media.ts'
import type { FeedSource, PageContext } from './feed.ts'
import { nameOf, type Site } from './site.ts'

/** Number of entries after this one that its page lists. */
const nextShown = 3

/** Number of recent changes that a page describes. */
const changesShown = 3

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
  /** Undefined for articles. */
  readonly event?: EventDetails
}

/** Facts on the page of a calendar entry. Texts are plain. */
export type EventDetails = {
  readonly time: EntryTime
  readonly location: string
  /** The place from the settings that matches `location`. */
  readonly place: Place | undefined
  readonly description: string
  readonly categories: readonly string[]
  /** True if the website has not confirmed the entry yet. */
  readonly isTentative: boolean
  /** Open and total places, if people can sign up and their number is limited. */
  readonly places: Places | undefined
  /** Recent moves, new places and new titles, latest first. */
  readonly changes: readonly ReportedChange[]
  /** The entries of the feed that follow. */
  readonly next: readonly UpcomingSummary[]
}

/** An entry in a short list. */
type UpcomingSummary = {
  readonly recordId: number
  readonly title: string
  readonly time: EntryTime
  readonly location: string
}

export function pageOfEntry(
  entry: EntryPage,
  {
    url,
    site,
    more,
  }: {
    readonly url: string
    readonly site: Site
    readonly more: Pick<EventDetails, 'places' | 'changes' | 'next'>
  },
): ItemPage {
  const { summary, when, location, description, categories, time } = entry
  const place = placeFinder(site.places ?? [])(location)
  const isTentative = entry.status === 'tentative'
  const shortText = summaryOf(
    escapeHtml([when, location, description].filter((part) => part !== '').join('. ')),
  )
  const movedFrom = more.changes.flatMap((change) => change.movedFrom ?? [])
  return {
    event: { time, location, place, description, categories, isTentative, ...more },
    title: summary,
    lines: [when, location, categories.join(', ')].filter((line) => line !== ''),
    contentHtml: paragraphsFrom(description),
    description: shortText,
    picture: undefined,
    kind: 'event',
    structuredData: {
      '@context': 'https://schema.org',
      '@type': 'Event',
      name: summary,
      ...datesOf(time, site.timeZone),
      eventStatus: `https://schema.org/Event${movedFrom.length > 0 ? 'Rescheduled' : 'Scheduled'}`,
      ...(movedFrom.length > 0
        ? { previousStartDate: movedFrom.map((each) => startOf(each, site.timeZone)) }
        : {}),
      ...placeData(location, place, site),
      description: description || shortText,
      url,
      organizer: { '@type': 'Organization', name: nameOf(site), url: site.url },
    },
  }
}

/**
 * Returns where an event takes place. Search engines require an address, so an event without a location
 * is at the organization, in its town.
 */
function placeData(location: string, place: Place | undefined, site: Site): object {
  const meeting = meetingUrl(location)
  if (meeting !== undefined) {
    return {
      eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
      location: { '@type': 'VirtualLocation', url: meeting },
    }
  }
  const name = location || nameOf(site)
  const address = place?.address ?? (location || site.identity.place)
  if (address === undefined) return {}
  const { latitude, longitude } = place ?? {}
  const geo = place && { geo: { '@type': 'GeoCoordinates', latitude, longitude } }
  return {
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: { '@type': 'Place', name, address, ...geo },
  }
}

/** Returns the URL with which the text of an online event's place starts; undefined if there is none. */
export function meetingUrl(location: string): string | undefined {
  const [url] = /^https?:\/\/\S*[^\s,;.]/i.exec(location) ?? []
  return url !== undefined && URL.canParse(url) ? url : undefined
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
      datePublished: isoTime(item.publishedAt, site.timeZone),
      dateModified: isoTime(item.updatedAt, site.timeZone),
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
  return {
    startDate: startOf(time, timeZone),
    ...(time.end === undefined ? {} : { endDate: isoOfSiteTime(time.end, timeZone) }),
  }
}

/** Returns a date, or a date and time with its offset. */
function startOf({ allDay, start }: EntryTime, timeZone: string): string {
  return allDay ? start : isoOfSiteTime(start, timeZone)
}

function isoOfSiteTime(wallTime: SiteDateTime, timeZone: string): string {
  return isoTime(instantFromSiteTime(wallTime, timeZone), timeZone)
}

/** Returns a time with the offset of the time zone, like `2026-03-08T08:00:00-04:00`. */
export function isoTime(instant: number, timeZone: string): string {
  const time = DateTime.fromMillis(instant, { zone: timeZone })
  return time.toISO({ suppressMilliseconds: true }) ?? new Date(instant).toISOString()
}

/** Returns the changing facts on an entry's page, and when they become outdated. */
export function eventDetails<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  source: FeedSource<R>,
  {
    id,
    changes,
    context: { site, profile, now },
  }: {
    readonly id: number
    /** Changes to all entries. */
    readonly changes: readonly ReportedChange[]
    readonly context: PageContext
  },
): Pick<EventDetails, 'changes' | 'next'> & { readonly validUntil: number } {
  const { entries, validUntil } = upcomingEntries(recipe, source, {
    reader: { profile, siteUrl: site.url },
    timeZone: site.timeZone,
    now,
    most: nextShown + 1,
  })
  const recent = changes
    .filter((change) => change.recordId === id && isDescribed(change) && change.expiresAt > now)
    .toSorted((a, b) => b.at - a.at)
    .slice(0, changesShown)
  return {
    changes: recent,
    next: entries
      .filter(({ record }) => record.id !== id)
      .slice(0, nextShown)
      .map(({ record, summary, time, location }) => ({
        recordId: record.id,
        title: summary,
        time,
        location,
      })),
    validUntil: Math.min(validUntil, ...recent.map(({ expiresAt }) => expiresAt)),
  }
}

/** Leaves out new entries and open places, which the page shows anyway. */
function isDescribed({ kind }: ReportedChange): boolean {
  return kind === 'changed' || kind === 'back'
}

/**
 * Describes an item that the website no longer shows. See `Feed.goneText`. The ids of
 * the website increase, so an id below the highest one has been used.
 */
export function goneTextOf(
  { ledger, records }: FeedSource<FeedResource>,
  id: number,
  changes: readonly ReportedChange[] = [],
): string | undefined {
  const ids = [...ledger.keys(), ...records.map((record) => record.id)]
  if (!ids.some((known) => known >= id)) return undefined
  const canceled = changes.findLast(({ recordId, kind }) => recordId === id && kind === 'canceled')
  return canceled?.text ?? ''
}
