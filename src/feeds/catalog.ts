import type { ChosenFeeds } from '../links/feed-link.ts'
import { personalResources, type FeedResource } from '../records/resources.ts'
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
import type { Feed, NamedFeed, ServedFeed } from './feed.ts'
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
type LinkFeed = NamedFeed & { readonly resource: FeedResource; readonly isNamedOnly?: boolean }

/** The feeds of a site. */
export type Catalog = {
  /** In the order in which pages list them. */
  readonly feeds: readonly Feed[]
  /** All calendars combined, and all news combined. */
  readonly allFeeds: ServedFeed
  /** A link's feeds combined, as selected on the link's page. */
  readonly myFeeds: ServedFeed
  readonly combinedFeeds: readonly ServedFeed[]
  readonly linkFeeds: readonly LinkFeed[]
  /** Resources from which feeds, contacts and personal entries are created, sorted by name. */
  readonly keptResources: readonly FeedResource[]
  readonly feedsOf: (chosen: ChosenFeeds) => readonly Feed[]
}

const all: AboutCombinedFeed = { id: 'all', isForEveryone: true }
const my: AboutCombinedFeed = {
  id: 'my',
  isForEveryone: false,
  // News has them only on request, because a calendar has a place for the future.
  hasPersonalEntries: (format, sources) => isCalendarFormat(format) || sources.length === 0,
  savedQuery: (choice, format) => (isCalendarFormat(format) ? choice.calendar : choice.news),
}

export function createCatalog(databases: readonly DatabaseSettings[] = []): Catalog {
  const siteFeeds: readonly Feed[] = [...feeds, ...databases.map(databaseFeed)]
  const allFeeds = combinedFeed(all, siteFeeds)
  const myFeeds = combinedFeed(my, siteFeeds)
  const combinedFeeds: readonly ServedFeed[] = [allFeeds, myFeeds, changes, digest]
  const linkFeeds: readonly LinkFeed[] = [...siteFeeds, members]
  const resources = linkFeeds.map(({ resource }) => resource)
  return {
    feeds: siteFeeds,
    allFeeds,
    myFeeds,
    combinedFeeds,
    linkFeeds,
    keptResources: [...new Set([...resources, ...personalResources])].sort(),
    feedsOf: ({ feedIds: ids }) =>
      siteFeeds.filter(({ id, isNamedOnly }) => (ids ? ids.includes(id) : !isNamedOnly)),
  }
}

export const standardCatalog = createCatalog()
