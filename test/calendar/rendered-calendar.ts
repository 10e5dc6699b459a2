import { expect } from 'vitest'
import { atOnce } from '../../src/steps.ts'
import { createCalendarRenderer } from '../../src/calendar/calendar-renderer.ts'
import { calendarOptions } from '../../src/calendar/calendar-options.ts'
import { calendarSection } from '../../src/calendar/calendar-section.ts'
import { calendarRecipe } from '../../src/calendar/record-recipes.ts'
import { readOptions } from '../../src/options/option.ts'
import { idsOption } from '../../src/options/value-types.ts'
import type { CalendarSource } from '../../src/calendar/shown-records.ts'
import type { Profile } from '../../src/records/profile.ts'
import { lintCalendar } from '../support/calendar-lint.ts'
import { collectionAfter } from '../support/feed-text.ts'
import { readCalendar } from '../support/read-calendar.ts'

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs
export const now = Date.parse('2026-03-05T15:00:00Z')
export const site = {
  url: 'https://cedarhollow.example',
  idHost: 'cedarhollow.example',
  language: 'en-US',
  timeZone: 'America/New_York',
}

export function eventOn(startDate: string, id: number, change: object = {}) {
  return { id, title: `Event ${id}`, status: 2, startDate, allDay: 1, calendarId: 1, ...change }
}

/** Returns one event per day, starting on the given day. */
export function eventsFrom(start: string, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const date = new Date(Date.parse(start) + index * dayMs).toISOString().slice(0, 10)
    return eventOn(date, index + 1)
  })
}

type Options = { readonly query?: string; readonly profile?: Profile; readonly now?: number }

/** Creates a renderer that checks and parses each calendar. */
export function rendererOf(
  changes: { maxEntries?: number; timeZone?: string; language?: string } = {},
) {
  const { render } = createCalendarRenderer({ ...site, urlOf: () => undefined, ...changes })
  return (source: CalendarSource<'calendar'>, options: Options = {}) => {
    const parts = idsOption('calendar')
    const query = new URLSearchParams(options.query)
    const reading = readOptions({ parts, ...calendarOptions }, query)
    if (!reading.ok) throw new TypeError(reading.reason)
    const settings = { options: reading.chosen.values, label: undefined }
    const rendering = render([calendarSection(calendarRecipe, source, settings)], {
      idPrefix: 'calendar',
      name: 'Calendar',
      description: 'All',
      url: undefined,
      profile: 'public',
      now,
      ...options,
    })
    const made = atOnce(rendering)
    const text = made.body.toString()
    expect(lintCalendar(made.body)).toEqual([])
    return { ...made, text, ...readCalendar(text) }
  }
}

/**
 * Returns the collection after the website has been read several times, an hour apart. The last
 * read is at the current time.
 */
export function sourceAfter(...readings: readonly (readonly object[])[]) {
  return collectionAfter('calendar', readings, now - (readings.length - 1) * hourMs)
}

export const sequenceOf = (text: string) => Number(/SEQUENCE:(\d+)/.exec(text)?.[1])

/** Returns the ids of the records in a calendar. */
export const idsOf = ({ events }: { readonly events: readonly { readonly uid: string }[] }) =>
  events.map(({ uid }) => uid.replace(/^calendar-|@.*$/g, ''))
