import { createHash } from 'node:crypto'
import type { Collections } from '../../collections/collections.ts'
import { changesOf } from '../../feeds/changes.ts'
import { itemUrl, type Feed } from '../../feeds/feed.ts'
import type { DuplicateMemory } from '../../feeds/shared-duplicates.ts'
import type { Site } from '../../feeds/site.ts'

/** A change to a public entry, or a public news item. */
export type ChangeItem = {
  /** Permanent, and unique within the site. */
  readonly id: string
  /** What a change means to readers, or `news`. */
  readonly kind: string
  /** Id of the feed. */
  readonly feed: string
  readonly text: string
  /** Undefined for an entry that the website no longer shows. */
  readonly url?: string | undefined
}

/** An item that was found, and whose content is made only when it is sent. */
export type FoundItem = {
  /** Short hash, different for every version of an item that readers should see. */
  readonly key: string
  readonly feed: string
  readonly make: () => ChangeItem
}

export type ChangeItemOptions = {
  readonly site: Site
  readonly publicFeeds: readonly Feed[]
  readonly collections: Pick<Collections, 'copyOf'>
  readonly duplicateMemory: DuplicateMemory
}

/** Returns the feeds that have records, and everything in them that can be sent, as the public sees it. */
export async function findChangeItems(
  { site, publicFeeds, collections, duplicateMemory }: ChangeItemOptions,
  now: number,
): Promise<{ readonly feeds: readonly string[]; readonly items: readonly FoundItem[] }> {
  const sources = publicFeeds.flatMap((feed) => {
    const source = collections.copyOf(feed.resource)
    return source ? [{ feed, source }] : []
  })
  const calendars = sources.filter(({ feed }) => 'changes' in feed)
  const duplicates = calendars.length > 1 ? await duplicateMemory.duplicatesFor('public') : []
  const changes = changesOf(calendars, site, { duplicates }).map((change): FoundItem => {
    const { feed, kind, text, recordId, isShown } = change
    const id = `${feed.id}-${change.id}`
    const url = isShown ? itemUrl(feed.id, recordId, site, 'public') : undefined
    // An edit within minutes changes the text of the same change.
    const key = keyOf(`${id} ${text}`)
    return { key, feed: feed.id, make: () => ({ id, kind, feed: feed.id, text, url }) }
  })
  const news = sources
    .filter(({ feed }) => !('changes' in feed))
    .flatMap(({ feed, source }) => {
      const drafts = feed.newsItems?.(source, { values: {}, profile: 'public', site }) ?? []
      return drafts
        .filter(({ publishedAt, expiresAt }) => publishedAt <= now && now < expiresAt)
        .toSorted((a, b) => a.order - b.order)
        .map(({ recordId, make }): FoundItem => {
          const id = `${feed.id}-${recordId}`
          const item = () => {
            const { title, url } = make()
            return { id, kind: 'news', feed: feed.id, text: `${feed.title}: ${title}`, url }
          }
          return { key: keyOf(id), feed: feed.id, make: item }
        })
    })
  return { feeds: sources.map(({ feed }) => feed.id), items: [...changes, ...news] }
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12)
}
