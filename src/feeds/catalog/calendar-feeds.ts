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
  title: 'Calendar',
  summary: 'Drills, meetings and duty of the members.',
  boardRole: 'agenda',
  repeats: 'events',
  marker: { prefix: 'Members:', emoji: '📅', color: 'royalblue' },
  calendar: {
    recipe: calendarRecipe,
    partOption: idsOption('calendar', {
      example: 'calendar=3,4',
      meaning: 'only entries in these calendars',
    }),
  },
})

export const events = defineFeed({
  id: 'events',
  resource: 'events',
  title: 'Events',
  summary: 'Public events, as announced on the website.',
  boardRole: 'agenda',
  isPublicByDefault: true,
  marker: { prefix: 'Event:', emoji: '🎉', color: 'seagreen', label: 'Public events' },
  calendar: { recipe: eventsRecipe },
  items: {
    draftsFrom: (event, source) => draftFromEvent(event, source, readEntryTime(event).time),
    isShown: ({ status }) => status === 'online',
  },
})

export const rental = defineFeed({
  id: 'rental',
  resource: 'rental',
  title: 'Rentals',
  summary: 'When halls and rooms are taken.',
  boardRole: 'bookings',
  marker: { prefix: 'Rental:', emoji: '🔑', color: 'chocolate' },
  calendar: {
    recipe: rentalRecipe,
    partOption: idsOption('type', {
      example: 'type=1,2',
      meaning: 'only bookings of these rental types',
    }),
  },
})

export const signup = defineFeed({
  id: 'signup',
  resource: 'signup',
  title: 'Sign-ups',
  summary: 'What people can sign up for, and how many places are open.',
  boardRole: 'volunteers',
  marker: { prefix: 'Sign-up:', emoji: '✋', color: 'mediumpurple', label: 'Open sign-ups' },
  calendar: { recipe: signUpRecipe, placesOf, sheetOf: sheetTable },
})
