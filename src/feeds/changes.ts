import type { ReportedChange } from '../calendar/reported-changes.ts'
import { isOnline } from '../records/fields.ts'
import type { CombinedSource } from './combined-feed.ts'
import type { Feed } from './feed.ts'
import type { Site } from './site.ts'

/** Two feeds are read at different times, so they show the same change at different times. */
const sameChangeMs = 24 * 60 * 60 * 1000

export type FeedChange = ReportedChange & {
  readonly feed: Feed
  /** True if the website still shows the record. */
  readonly isShown: boolean
}

/**
 * Returns the changes in these feeds, in no particular order. A change to an entry that another feed
 * repeats appears once.
 */
export function changesOf(sources: readonly CombinedSource[], site: Site): readonly FeedChange[] {
  const all = sources.flatMap(({ feed, source }) => {
    const online = new Set(source.records.filter(isOnline).map(({ id }) => id))
    return (feed.changes?.(source, site) ?? []).map((change): FeedChange => ({
      ...change,
      feed,
      isShown: online.has(change.recordId),
    }))
  })
  const byFeed = Map.groupBy(all, ({ feed }) => feed.id)
  return all.filter(({ feed: { repeats = '' }, text, since }) => {
    const others = byFeed.get(repeats) ?? []
    return !others.some(
      (other) => other.text === text && Math.abs(other.since - since) < sameChangeMs,
    )
  })
}
