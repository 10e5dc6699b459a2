import type { PublicEvent } from '../records/public-event.ts'
import { oneLine, plainTextWithLinks } from '../records/plain-text.ts'
import type { EntryText } from './calendar-entry.ts'
import type { EntryRecipe } from './entry-recipe.ts'
import { labelled, paragraphs, titleFrom } from './entry-text.ts'
import { readEntryTime } from './entry-time.ts'

/**
 * Public events are for everybody, contact included. Whoever follows them does not go to all of them,
 * so that they block no time.
 */
export const eventsRecipe: EntryRecipe<'events'> = {
  timeOf: readEntryTime,
  blocksTime: 'never',
  textFor: (event, { siteUrl }) => ({
    ...eventText(event, siteUrl, event.contact),
    categories: [],
  }),
}

/** What events of both kinds say, with or without their contact. */
export function eventText(
  event: PublicEvent,
  siteUrl: string,
  contact: string,
): Omit<EntryText, 'categories'> {
  return {
    summary: titleFrom(event.title),
    location: oneLine(event.location),
    description: paragraphs(
      plainTextWithLinks(event.text, siteUrl),
      labelled('Contact', oneLine(contact)),
    ),
  }
}
