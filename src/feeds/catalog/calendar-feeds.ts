import { DateTime } from 'luxon'
import { partOption } from '../../calendar/calendar-options.ts'
import { readEntryTime } from '../../calendar/entry-time.ts'
import { calendarRecipe, eventsRecipe } from '../../calendar/events-recipe.ts'
import { rentalRecipe } from '../../calendar/rental-recipe.ts'
import { signUpRecipe } from '../../calendar/sign-up-recipe.ts'
import { endOfSpan, timeInWords } from '../../records/date-words.ts'
import type { RecordOf } from '../../records/read-records.ts'
import { placesOf } from '../../records/sign-up-sheet.ts'
import { instantFromSiteTime, type SiteDateTime } from '../../records/site-time.ts'
import { itemsFromEvents, type EventTime } from '../../syndication/event-items.ts'
import { defineFeed } from '../define-feed.ts'
import { isoTime } from '../item-page.ts'

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
    partOption: partOption('calendar', {
      example: 'calendar=3,4',
      meaning: 'only entries in these calendars',
    }),
  },
})

export const events = defineFeed({
  id: 'events',
  resource: 'events',
  title: 'Events',
  summary: 'What is on for the public, as the website announces it.',
  boardRole: 'agenda',
  isPublicByDefault: true,
  marker: { prefix: 'Event:', emoji: '🎉', color: 'seagreen', label: 'Public events' },
  calendar: { recipe: eventsRecipe },
  items: {
    itemsFrom: (records, source) =>
      itemsFromEvents(records, source, (event) => eventTime(event, source.timeZone)),
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
    partOption: partOption('type', {
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
  calendar: { recipe: signUpRecipe, placesOf },
})

/**
 * Returns the time that the calendar shows for an event. An event without an end lasts until
 * midnight.
 */
export function eventTime(event: RecordOf['events'], timeZone: string): EventTime {
  const { time } = readEntryTime(event)
  const { allDay, start, end } = time
  const startDay = start.slice(0, 10)
  const instantOf = (siteTime: SiteDateTime) => instantFromSiteTime(siteTime, timeZone)
  const iso = (siteTime: SiteDateTime) => isoTime(instantOf(siteTime), timeZone)
  return {
    startsAt: instantOf(allDay ? `${startDay}T00:00:00` : start),
    endsAt: instantOf(endOfSpan(time)),
    words: () => timeInWords(time),
    day: () => DateTime.fromISO(startDay, { zone: 'utc', locale: 'en' }).toFormat('LLL d, yyyy'),
    facts: () => ({
      start: allDay ? start : iso(start),
      end: allDay || end === undefined ? end : iso(end),
      allDay,
      timeZone,
    }),
  }
}
