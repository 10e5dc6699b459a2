import { join } from 'node:path'
import { datasetFrom, type Dataset } from '../resources/resources.ts'
import { sampleAnnouncements } from './announcements.ts'
import { sampleCalendarEvents } from './calendar-events.ts'
import { sampleCustomDatabases } from './custom-databases.ts'
import { sampleDocuments } from './documents.ts'
import { sampleForumTopics } from './forum-topics.ts'
import { sampleGuestbook } from './guestbook.ts'
import { sampleMembers } from './members.ts'
import { sampleMinutes } from './minutes.ts'
import { sampleNewsStories } from './news-stories.ts'
import { samplePublicEvents } from './public-events.ts'
import { sampleRentalBookings } from './rental-bookings.ts'
import { sampleSignUpSheets } from './sign-up-sheets.ts'
import { sampleTrainingRecords } from './training-records.ts'

export const sampleSiteName = 'Cedar Hollow Volunteer Fire Department'
export const sampleTimeZone = 'America/New_York'

/** Directory with the files that news stories refer to. */
export const sampleFiles = join(import.meta.dirname, 'files')

/**
 * Returns the fictional department's records for a day. The id and content of each record depend only on
 * its own date. As days pass, records appear and disappear.
 */
export const sampleDatasetOn = ofLatestDay((today) =>
  datasetFrom({
    announce: sampleAnnouncements(today),
    calendar: sampleCalendarEvents(today),
    databases: sampleCustomDatabases(),
    discuss: sampleForumTopics(today),
    documents: sampleDocuments(),
    events: samplePublicEvents(today),
    guestbook: sampleGuestbook(today),
    members: sampleMembers(),
    minutes: sampleMinutes(today),
    news: sampleNewsStories(today),
    rental: sampleRentalBookings(today),
    signup: sampleSignUpSheets(today),
    training: sampleTrainingRecords(today),
  }),
)

/** Caches the records for the latest day, because they are expensive to create. */
export function ofLatestDay(datasetOn: (today: string) => Dataset): (today: string) => Dataset {
  let latest: { readonly today: string; readonly dataset: Dataset } | undefined
  return (today) => {
    // Shared by everything that asks on that day.
    if (latest?.today !== today) latest = { today, dataset: Object.freeze(datasetOn(today)) }
    return latest.dataset
  }
}
