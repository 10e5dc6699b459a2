import type { RecordOf } from '../records/read-records.ts'
import { oneLine, plainTextWithLinks } from '../records/plain-text.ts'
import type { EntryText } from './calendar-entry.ts'
import { labeled, paragraphs, titleFrom, type EntryRecipe } from './entry-recipe.ts'
import { readEntryTime } from './entry-time.ts'

/**
 * Public events, including their contact, are visible to everyone. They do not block time, since
 * subscribers do not attend all of them.
 */
export const eventsRecipe: EntryRecipe<'events'> = {
  resource: 'events',
  timeOf: readEntryTime,
  blocksTime: 'never',
  textFor: (event, { siteUrl }) => eventText(event, siteUrl, event.contact),
}

/** The contact for a members' event is visible only to members. */
export const calendarRecipe: EntryRecipe<'calendar'> = {
  resource: 'calendar',
  timeOf: readEntryTime,
  blocksTime: 'when timed',
  textFor: (event, { profile, siteUrl }) => ({
    ...eventText(event, siteUrl, profile === 'public' ? '' : event.contact),
    categories: [oneLine(event.calendar)].filter((name) => name !== ''),
  }),
  partOf: ({ calendarId, calendar }) => ({ id: calendarId, name: oneLine(calendar) }),
}

function eventText(event: RecordOf['events'], siteUrl: string, contact: string): EntryText {
  return {
    summary: titleFrom(event.title),
    location: oneLine(event.location),
    description: paragraphs(
      plainTextWithLinks(event.text, siteUrl),
      labeled('Contact', oneLine(contact)),
    ),
    categories: [],
  }
}
