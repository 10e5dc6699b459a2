import type { EntryStatus, EntryText, EntryTime } from '../calendar/calendar-entry.ts'
import type { SheetTable } from '../calendar/sign-up-recipe.ts'
import { placeFinder, type Place } from '../calendar/place.ts'
import type { ReportedChange } from '../calendar/reported-changes.ts'
import { lastDayOf, momentInWords, timeInWords, type TimeSpan } from '../records/date-words.ts'
import { joinedSentences } from '../text/text.ts'
import type { Places } from '../records/sign-up-sheet.ts'
import { siteTimeAt, zonedEndOf, zonedTimeAt, zonedTimeFromSiteTime } from '../records/site-time.ts'
import { summaryOfText, type FeedItem } from '../syndication/feed-item.ts'
import { paragraphsFrom } from '../text/html.ts'
import type { Picture } from '../syndication/media.ts'
import type { Site } from './site.ts'

const changesShown = 3

/** Entry in a list, as plain text. */
export type EntrySummary = {
  readonly recordId: number
  readonly title: string
  /** When it takes place, or the day on which it was published. */
  readonly time: TimeSpan
  readonly location: string
  /** Name of its color on pages. */
  readonly source: string
}

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
  /** Street address in a story. */
  readonly address?: string | undefined
}

/** Details on a calendar entry's page that are not part of the entry. */
type EventSurroundings = {
  /** Open and total places, if people can sign up and their number is limited. */
  readonly places: Places | undefined
  readonly sheet: SheetTable | undefined
  /** Recent moves, new places and new titles, newest first. */
  readonly changes: readonly ReportedChange[]
  /** Name of its color. */
  readonly source: string
  readonly next: readonly (EntrySummary & { readonly places: Places | undefined })[]
}

/** Facts on the page of a calendar entry. Texts are plain. */
export type EventDetails = EventSurroundings & {
  readonly time: EntryTime
  readonly location: string
  /** The place from the settings that matches `location`. */
  readonly place: Place | undefined
  readonly description: string
  readonly categories: readonly string[]
  /** True if the website has not confirmed the entry yet. */
  readonly isTentative: boolean
}

export function pageOfEntry(
  entry: EntryText & { readonly time: EntryTime; readonly status: EntryStatus },
  more: EventSurroundings,
  url: string,
  site: Site,
): ItemPage {
  const { summary, location, description, categories, time, status } = entry
  const when = timeInWords(time, site.language)
  const place = placeFinder(site.places ?? [])(location)
  const isTentative = status === 'tentative'
  const shortText = summaryOfText(
    joinedSentences([when, location, description].filter((part) => part !== '')),
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
      organizer: { '@type': 'Organization', name: site.name, url: site.url },
    },
  }
}

/**
 * Returns where an event takes place. Search engines require an address, so an event without a
 * location takes place at the organization, in its town.
 */
function placeData(location: string, place: Place | undefined, site: Site): object {
  const meeting = meetingUrl(location)
  if (meeting !== undefined) {
    return {
      eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
      location: { '@type': 'VirtualLocation', url: meeting },
    }
  }
  const name = location || site.name
  const address = place?.address ?? (location || site.identity.place)
  if (address === undefined) return {}
  const { latitude, longitude } = place ?? {}
  const geo = place && { geo: { '@type': 'GeoCoordinates', latitude, longitude } }
  return {
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: { '@type': 'Place', name, address, ...geo },
  }
}

/** Returns the URL at the start of an online event's location, or undefined if there is none. */
export function meetingUrl(location: string): string | undefined {
  const [url] = /^https?:\/\/\S*[^\s,;.]/i.exec(location) ?? []
  return url !== undefined && URL.canParse(url) ? url : undefined
}

export function pageOfItem(item: FeedItem, site: Site, address?: string): ItemPage {
  const written = momentInWords(
    siteTimeAt(item.publishedAt, site.timeZone),
    undefined,
    site.language,
  )
  const [picture] = item.pictures
  return {
    title: item.title,
    address,
    lines: [[written, item.author, item.category].filter((part) => part !== '').join(' · ')],
    contentHtml: item.contentHtml,
    description: item.summary,
    picture,
    kind: 'article',
    structuredData: {
      '@context': 'https://schema.org',
      '@type': 'NewsArticle',
      headline: item.title,
      datePublished: zonedTimeAt(item.publishedAt, site.timeZone),
      dateModified: zonedTimeAt(item.updatedAt, site.timeZone),
      ...(picture ? { image: [picture.url] } : {}),
      author: {
        '@type': item.author === '' ? 'Organization' : 'Person',
        name: item.author || site.name,
      },
      publisher: { '@type': 'Organization', name: site.name, url: site.url },
      mainEntityOfPage: item.url,
    },
  }
}

/** Returns the dates of an event. Unlike in iCalendar, an all-day event ends on its last day. */
function datesOf(time: EntryTime, timeZone: string): object {
  if (time.allDay) return { startDate: time.start, endDate: lastDayOf(time) }
  const { start, end } = time
  return {
    startDate: startOf(time, timeZone),
    ...(end === undefined ? {} : { endDate: zonedEndOf({ start, end }, timeZone) }),
  }
}

/** Returns a date, or a date and time with its offset. */
function startOf({ allDay, start }: EntryTime, timeZone: string): string {
  return allDay ? start : zonedTimeFromSiteTime(start, timeZone)
}

/** Omits new entries and open places, which the page shows anyway. */
export function describedChanges(
  changes: readonly ReportedChange[],
  id: number,
  now: number,
): readonly ReportedChange[] {
  return changes
    .filter(({ recordId, kind }) => recordId === id && (kind === 'changed' || kind === 'back'))
    .filter(({ expiresAt }) => expiresAt > now)
    .toSorted((a, b) => b.at - a.at)
    .slice(0, changesShown)
}

/** See `Feed.goneText`. As ids increase, any id below the website's highest one has been used. */
export function goneTextOf(
  {
    ledger,
    records,
  }: {
    readonly ledger: ReadonlyMap<number, unknown>
    readonly records: readonly { readonly id: number }[]
  },
  id: number,
  changes: readonly ReportedChange[] = [],
): string | undefined {
  const ids = [...ledger.keys(), ...records.map((record) => record.id)]
  if (!ids.some((known) => known >= id)) return undefined
  const canceled = changes.findLast(({ recordId, kind }) => recordId === id && kind === 'canceled')
  return canceled?.text ?? ''
}
