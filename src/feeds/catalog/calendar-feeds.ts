import { readEntryTime } from '../../calendar/calendar-entry.ts'
import { calendarRecipe, eventsRecipe, rentalRecipe } from '../../calendar/record-recipes.ts'
import { sheetTable, signUpRecipe } from '../../calendar/sign-up-recipe.ts'
import { idsOption } from '../../options/value-types.ts'
import { placesOf } from '../../records/sign-up-sheet.ts'
import { draftFromEvent } from '../../syndication/event-items.ts'
import { defineFeed } from '../define-feed.ts'

export const calendar = defineFeed({
  id: 'calendar',
  resource: 'calendar',
  boardRole: 'agenda',
  repeats: 'events',
  marker: { emoji: '📅', color: 'royalblue' },
  calendar: { recipe: calendarRecipe, partOption: idsOption('calendar') },
})

export const events = defineFeed({
  id: 'events',
  resource: 'events',
  boardRole: 'agenda',
  isPublicByDefault: true,
  marker: { emoji: '🎉', color: 'seagreen' },
  calendar: { recipe: eventsRecipe },
  items: {
    draftsFrom: (event, source) => draftFromEvent(event, source, readEntryTime(event).time),
    isShown: ({ status }) => status === 'online',
  },
})

export const rental = defineFeed({
  id: 'rental',
  resource: 'rental',
  boardRole: 'bookings',
  marker: { emoji: '🔑', color: 'chocolate' },
  calendar: { recipe: rentalRecipe, partOption: idsOption('type') },
})

export const signup = defineFeed({
  id: 'signup',
  resource: 'signup',
  boardRole: 'volunteers',
  marker: { emoji: '✋', color: 'mediumpurple' },
  calendar: { recipe: signUpRecipe, placesOf, sheetOf: sheetTable },
})
