import type { TimeSource } from '../../clock.ts'
import type { Collections } from '../../collections/collections.ts'
import type { Catalog } from '../../feeds/catalog.ts'
import { sourcesOf } from '../../feeds/combined-feed.ts'
import {
  itemUrl,
  websiteItemUrl,
  type DayRange,
  type Feed,
  type ListedEntry,
  type ShownSource,
} from '../../feeds/feed.ts'
import { listedOwnEntries } from '../../feeds/listed-own-entries.ts'
import { siteIn, type Site } from '../../feeds/site.ts'
import type { Follower } from '../../followers/follower.ts'
import { isOpen } from '../../links/feed-link.ts'
import type { OpenLinks } from '../../links/link-service.ts'
import { spokenLanguage } from '../../records/messages.ts'
import type { Profile } from '../../records/profile.ts'
import { personalCopies } from '../../representations/target.ts'

/** The site and feeds that a follower has chosen and may read. */
export type Reader = {
  /** The site in the follower's language. */
  readonly site: Site
  readonly now: number
  readonly profile: Profile
  readonly feeds: readonly Feed[]
  readonly publicFeeds: readonly Feed[]
  /** The feeds with a copy of their records. */
  readonly sources: readonly ShownSource[]
  /** Returns the entries of the member that the follower's link is for. */
  readonly ownEntries: (days: DayRange) => readonly ListedEntry[]
  /**
   * Returns the URL of an item's page on the website, or of its public page. Never returns a page
   * below a feed link, because the link's key is not stored.
   */
  readonly pageUrlOf: (feedId: string, recordId: number) => string | undefined
}

export type ReaderOptions = {
  readonly site: Site
  readonly catalog: Catalog
  readonly publicFeeds: readonly Feed[]
  readonly collections: Collections
  readonly links: OpenLinks
  readonly clock: TimeSource
}

export function followedSite(site: Site, language: string): Site {
  return siteIn(site, spokenLanguage(language))
}

/** Returns the chosen feeds among those of the follower's link, or among the public feeds. */
export function readableFeeds(follower: Follower, options: ReaderOptions): readonly Feed[] {
  return accessOf(follower, options)?.feeds ?? []
}

/** Returns undefined while the follower's link is paused, and after it has ended. */
function accessOf(
  { linkId, choice: { feedIds } }: Follower,
  { catalog, publicFeeds, links, clock }: ReaderOptions,
) {
  const link = linkId === undefined ? undefined : links.byId(linkId)?.link
  if (linkId !== undefined && !(link && isOpen(link, clock.now()))) return undefined
  const readable = link ? catalog.feedsOf(link) : publicFeeds
  const feeds = readable.filter(({ id }) => feedIds === undefined || feedIds.includes(id))
  return { link, readable, feeds }
}

/** Returns undefined while the follower's link is paused, and after it has ended. */
export function readerFor(follower: Follower, options: ReaderOptions): Reader | undefined {
  const access = accessOf(follower, options)
  if (!access) return undefined
  const { link, readable, feeds } = access
  const { publicFeeds, clock } = options
  const { copyOf } = options.collections
  const site = followedSite(options.site, follower.language)
  const { language } = site
  const memberId = link?.memberId
  return {
    site,
    now: clock.now(),
    profile: link?.profile ?? 'public',
    feeds,
    publicFeeds,
    sources: sourcesOf(feeds, copyOf),
    ownEntries: (days) =>
      memberId === undefined
        ? []
        : listedOwnEntries(personalCopies(memberId, copyOf), readable, { ...days, language }),
    pageUrlOf: (feedId, recordId) =>
      websiteItemUrl(feedId, recordId, site) ??
      (publicFeeds.some(({ id }) => id === feedId) ? itemUrl(feedId, recordId, site) : undefined),
  }
}
