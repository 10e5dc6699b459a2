import { oneLine } from '../records/plain-text.ts'
import type { EntryRecipe } from './entry-recipe.ts'
import { readEntryTime } from './entry-time.ts'
import { eventText } from './events-recipe.ts'

/** The contact for a members' event is visible only to members. */
export const calendarRecipe: EntryRecipe<'calendar'> = {
  resource: 'calendar',
  timeOf: readEntryTime,
  blocksTime: 'when timed',
  textFor: (event, { profile, siteUrl }) => ({
    ...eventText(event, siteUrl, profile === 'public' ? '' : event.contact),
    categories: [oneLine(event.calendar)].filter((name) => name !== ''),
  }),
  subsetOf: ({ calendarId, calendar }) => ({ id: calendarId, name: oneLine(calendar) }),
}
