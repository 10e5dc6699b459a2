import { plainTextFromHtml, plainTextWithLinks } from '../records/plain-text.ts'
import type { CalendarEvent } from '../records/calendar-event.ts'
import type { PublicEvent } from '../records/public-event.ts'
import type { CalendarEntry } from './calendar-entry.ts'
import { entryTimeFrom } from './entry-time.ts'

/** Shown where a record has no title: a client may refuse an event without SUMMARY. */
const untitled = 'Untitled'

export function entriesFromPublicEvents(
  events: readonly PublicEvent[],
  siteUrl: string,
): readonly CalendarEntry[] {
  return events.filter(isPublished).map((event) => ({
    ...entryFrom('events', event, siteUrl),
    description: paragraphs(
      plainTextWithLinks(event.text, siteUrl),
      labelled('Contact', oneLine(event.contact)),
    ),
  }))
}

/** The contact of a members' event is for members and stays out. */
export function entriesFromCalendarEvents(
  events: readonly CalendarEvent[],
  siteUrl: string,
): readonly CalendarEntry[] {
  return events.filter(isPublished).map((event) => ({
    ...entryFrom('calendar', event, siteUrl),
    categories: event.calendar === '' ? [] : [event.calendar],
  }))
}

function entryFrom(resource: string, event: PublicEvent, siteUrl: string): CalendarEntry {
  return {
    uid: `${resource}-${event.id}@${new URL(siteUrl).hostname}`,
    time: entryTimeFrom(event),
    summary: oneLine(event.title) || untitled,
    location: oneLine(event.location),
    description: plainTextWithLinks(event.text, siteUrl),
    categories: [],
    created: event.created,
    modified: event.modified,
  }
}

function isPublished(event: PublicEvent): boolean {
  return event.status === 'online'
}

function oneLine(html: string): string {
  return plainTextFromHtml(html).replace(/\s+/g, ' ')
}

function labelled(label: string, value: string): string {
  return value === '' ? '' : `${label}: ${value}`
}

function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}
