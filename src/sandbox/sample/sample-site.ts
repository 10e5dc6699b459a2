import { sampleAnnouncements, type Announcement } from './announcements.ts'
import { sampleCalendarEvents, type CalendarEvent } from './calendar-events.ts'
import { sampleNewsStories, type NewsStory } from './news-stories.ts'
import { samplePublicEvents, type PublicEvent } from './public-events.ts'

export const sampleSiteName = 'Cedar Hollow Volunteer Fire Department'
export const sampleTimeZone = 'America/New_York'

/** A website's records, in the shapes and with the property names of the specification. */
export type SampleSite = {
  readonly announcements: readonly Announcement[]
  readonly calendarEvents: readonly CalendarEvent[]
  readonly publicEvents: readonly PublicEvent[]
  readonly newsStories: readonly NewsStory[]
}

/**
 * The invented department's website on a day. What happens on a date has the same id and content
 * whatever day it is looked at; with the days, records enter and leave.
 */
export function sampleSiteOn(today: string): SampleSite {
  return {
    announcements: sampleAnnouncements(today),
    calendarEvents: sampleCalendarEvents(today),
    publicEvents: samplePublicEvents(today),
    newsStories: sampleNewsStories(today),
  }
}
