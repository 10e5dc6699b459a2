import type { FeedLink } from '../links/feed-link.ts'
import { personalResources, type FeedResource } from '../records/resources.ts'
import { announcements } from './catalog/announcements.ts'
import { calendar } from './catalog/calendar.ts'
import { changes } from './catalog/changes.ts'
import { events } from './catalog/events.ts'
import { forum, guestbook } from './catalog/guestbook-and-forum.ts'
import { documents, minutes } from './catalog/minutes-and-documents.ts'
import { news } from './catalog/news.ts'
import { rental } from './catalog/rental.ts'
import { signup } from './catalog/signup.ts'
import { combinedCalendar } from './combined-calendar.ts'
import { combinedInFormats, type CombinedFeed } from './combined-feed.ts'
import { combinedNews } from './combined-news.ts'
import type { Feed } from './feed.ts'

/** All feeds, in the order in which pages list them. */
export const feeds: readonly Feed[] = [
  calendar,
  events,
  rental,
  signup,
  news,
  announcements,
  minutes,
  documents,
  guestbook,
  forum,
]

const all = { id: 'all', isForEveryone: true }
const my = { id: 'my', isForEveryone: false }

/** Every calendar in one. */
export const allCalendars: CombinedFeed = combinedCalendar(
  {
    ...all,
    title: 'All calendars',
    summary: 'Every calendar in one, with each entry only once.',
    summaryWithRepeats: 'Every calendar in one.',
  },
  feeds,
)

const myCalendar = combinedCalendar(
  {
    ...my,
    title: 'My calendar',
    summary: 'The calendars of this feed link in one, with each entry only once.',
    summaryWithRepeats: 'The calendars of this feed link in one.',
  },
  feeds,
)

const myNews = combinedNews(
  { ...my, title: 'My news', summary: 'The news of this feed link in one.' },
  feeds,
)

/** The feeds of a link in one, as chosen on the link's page. */
export const myFeeds: CombinedFeed = {
  ...combinedInFormats({ ...my, title: 'My feeds', summary: 'The feeds of this link in one.' }, [
    myCalendar,
    myNews,
  ]),
  hasPersonalEntries: (format) => format === 'ics',
  savedQuery: (choice, format) => (format === 'ics' ? choice.calendar : choice.news),
}

/** Feeds made from several of the others. */
export const combinedFeeds: readonly CombinedFeed[] = [allCalendars, myFeeds, changes]

export const feedIds: readonly string[] = feeds.map((feed) => feed.id)

/** Feeds that can be public. */
export const publishableFeeds: readonly Feed[] = feeds.filter(({ isLinkOnly }) => !isLinkOnly)

/** Ids of the feeds that are public by default. */
export const defaultPublicFeeds: readonly string[] = feeds
  .filter(({ isPublicByDefault }) => isPublicByDefault)
  .map(({ id }) => id)

/** Resources that feeds and personal entries are made from, sorted by name. */
export const keptResources: readonly FeedResource[] = [
  ...new Set([...feeds.map((feed) => feed.resource), ...personalResources]),
].sort()

/** Returns the feeds that a link lists. If it lists none, returns all that do not have to be named. */
export function feedsOf({ feedIds: ids }: Pick<FeedLink, 'feedIds'>): readonly Feed[] {
  return feeds.filter(({ id, isNamedOnly }) => (ids ? ids.includes(id) : !isNamedOnly))
}
