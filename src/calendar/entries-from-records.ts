import { plainTextFromHtml } from '../records/plain-text.ts'
import type { CalendarEvent } from '../records/calendar-event.ts'
import type { PublicEvent } from '../records/public-event.ts'
import type { CalendarEntry } from './calendar-entry.ts'
import { entryTimeFrom } from './entry-time.ts'

/** Shown where a record has no title: a client may refuse an event without SUMMARY. */
const untitled = 'Untitled'

export function entriesFromPublicEvents(
  events: readonly PublicEvent[],
  siteHost: string,
): readonly CalendarEntry[] {
  return events.filter(isPublished).map((event) => ({
    ...entryFrom('events', event, siteHost),
    description: paragraphs(plainTextFromHtml(event.text), labelled('Contact', event.contact)),
  }))
}

/** The contact of a members' event is for members and stays out. */
export function entriesFromCalendarEvents(
  events: readonly CalendarEvent[],
  siteHost: string,
): readonly CalendarEntry[] {
  return events.filter(isPublished).map((event) => ({
    ...entryFrom('calendar', event, siteHost),
    categories: event.calendar === '' ? [] : [event.calendar],
  }))
}

function entryFrom(resource: string, event: PublicEvent, siteHost: string): CalendarEntry {
  return {
    uid: `${resource}-${event.id}@${siteHost}`,
    time: entryTimeFrom(event),
    summary: event.title || untitled,
    location: event.location,
    description: plainTextFromHtml(event.text),
    categories: [],
    created: event.created,
    modified: event.modified,
  }
}

function isPublished(event: PublicEvent): boolean {
  return event.status === 'online'
}

function labelled(label: string, value: string): string {
  return value === '' ? '' : `${label}: ${value}`
}

function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}
