import type { FeedLink } from '../links/feed-link.ts'
import { personalResources } from '../records/resources.ts'
import {
  announcements,
  news,
  documents,
  minutes,
  forum,
  guestbook,
  presentations,
  quizzes,
} from './catalog/news-feeds.ts'
import { calendar, events, rental, signup } from './catalog/calendar-feeds.ts'
import { changes } from './changes.ts'
import { members } from './catalog/members.ts'
import { training } from './catalog/training.ts'
import { combinedFeed } from './combine-feeds.ts'
import type { AboutCombinedFeed } from './combined-feed.ts'
import { databaseFeed } from './database-feed.ts'
import type { DatabaseSettings } from './database-settings.ts'
import { digest } from './digest.ts'
import type { Feed, ServedFeed } from './feed.ts'
import { isCalendarFormat } from './formats.ts'

/** The feeds that every site has, in the order in which pages list them. */
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
  training,
  presentations,
  quizzes,
]

export const feedIds: readonly string[] = feeds.map((feed) => feed.id)

export const linkFeedIds: readonly string[] = [...feedIds, members.id]

export const publishableFeeds: readonly Feed[] = feeds.filter(({ isLinkOnly }) => !isLinkOnly)

export const defaultPublicFeeds: readonly string[] = feeds
  .filter(({ isPublicByDefault }) => isPublicByDefault)
  .map(({ id }) => id)

/** A feed or the members, which a link can list. */
type LinkFeed = Pick<Feed, 'id' | 'textIn' | 'resource' | 'isNamedOnly'>

export type Catalog = ReturnType<typeof createCatalog>

const all: AboutCombinedFeed = { id: 'all', isForEveryone: true }
const my: AboutCombinedFeed = {
  id: 'my',
  isForEveryone: false,
  // News has them only on request, because a calendar has a place for the future.
  hasPersonalEntries: (format, sources) => isCalendarFormat(format) || sources.length === 0,
  savedQuery: (choice, format) => (isCalendarFormat(format) ? choice.calendar : choice.news),
}

export function createCatalog(databases: readonly DatabaseSettings[] = []) {
  const siteFeeds: readonly Feed[] = [...feeds, ...databases.map(databaseFeed)]
  const allFeeds = combinedFeed(all, siteFeeds)
  const myFeeds = combinedFeed(my, siteFeeds)
  const combinedFeeds: readonly ServedFeed[] = [allFeeds, myFeeds, changes, digest]
  const linkFeeds: readonly LinkFeed[] = [...siteFeeds, members]
  const resources = linkFeeds.map(({ resource }) => resource)
  return {
    /** In the order in which pages list them. */
    feeds: siteFeeds,
    /** All calendars combined, and all news combined. */
    allFeeds,
    /** A link's feeds combined, as selected on the link's page. */
    myFeeds,
    combinedFeeds,
    linkFeeds,
    /** Resources from which feeds, contacts and personal entries are created, sorted by name. */
    keptResources: [...new Set([...resources, ...personalResources])].sort(),
    /** A link that lists none has all feeds that do not have to be named explicitly. */
    feedsOf: ({ feedIds: ids }: Pick<FeedLink, 'feedIds'>): readonly Feed[] =>
      siteFeeds.filter(({ id, isNamedOnly }) => (ids ? ids.includes(id) : !isNamedOnly)),
  }
}

export const standardCatalog = createCatalog()
