import type { Follower } from '../../followers/follower.ts'
import type { DuplicatesFor } from '../../feeds/duplicates.ts'
import type { Site } from '../../feeds/site.ts'
import {
  findChangeItems,
  type ChangeItem,
  type FoundItems,
} from '../notifications/change-webhooks.ts'
import { followedSite, type Reader, type ReaderOptions } from './reader.ts'

export type FoundChanges = readonly { readonly item: ChangeItem; readonly at: number }[]

export type FollowedChangesOptions = ReaderOptions & { readonly duplicatesFor: DuplicatesFor }

/**
 * Returns the changes and news in all feeds that any follower may read. Searches the private feeds
 * separately. Otherwise, a change in both kinds of feeds could be dropped from the public one as a
 * duplicate.
 */
export async function findFollowedItems(
  options: FollowedChangesOptions,
  site: Site = options.site,
): Promise<FoundItems> {
  const { publicFeeds, links, catalog } = options
  const linked = new Set(links.open().flatMap(catalog.feedsOf))
  const privateFeeds = [...linked].filter((feed) => !publicFeeds.includes(feed))
  const now = options.clock.now()
  const found = [
    await findChangeItems({ ...options, site }, now),
    await findChangeItems({ ...options, site, publicFeeds: privateFeeds, profile: 'members' }, now),
  ]
  return { feeds: found.flatMap(({ feeds }) => feeds), items: found.flatMap(({ items }) => items) }
}

export function createFollowedChanges(options: FollowedChangesOptions, found: FoundChanges) {
  const currentIn = new Map<string, Promise<ReadonlyMap<string, ChangeItem>>>()

  function current(language: string) {
    const site = followedSite(options.site, language)
    const known = currentIn.get(site.language)
    if (known) return known
    const items = findFollowedItems(options, site).then(
      ({ items }) => new Map(items.map(({ make }) => make()).map((item) => [item.id, item])),
    )
    currentIn.set(site.language, items)
    return items
  }

  return {
    /** Omits changes to entries that no longer exist. */
    async since(
      { sent, confirmedAt = 0, language }: Follower,
      until: number,
      { feeds, site }: Reader,
    ): Promise<readonly ChangeItem[]> {
      const since = Math.max(confirmedAt, sent.changes ?? 0)
      const feedIds = feeds.map(({ id }) => id)
      const publicIds = options.publicFeeds.map(({ id }) => id)
      const items = await current(language)
      const own = found
        .filter(({ at, item }) => at > since && at <= until && feedIds.includes(item.feed))
        .flatMap(({ item }): ChangeItem | [] => {
          const latest = items.get(item.id)
          if (!latest) return []
          const hasPage = publicIds.includes(item.feed) || site.links[item.feed] !== undefined
          return hasPage ? latest : { ...latest, url: undefined }
        })
      // Two feeds of a link can contain the same change.
      return [...new Map(own.map((item) => [item.text, item])).values()]
    },
  }
}
