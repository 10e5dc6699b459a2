import { memberKey, type KnownOccasions, type OccasionMember } from '../calendar/known-occasions.ts'
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
 * repeats appears once, and an occasion that another feed still has is not canceled.
 */
export function changesOf(
  sources: readonly CombinedSource[],
  site: Site,
  occasions: KnownOccasions = [],
): readonly FeedChange[] {
  const all = sources.flatMap(({ feed, source }) => {
    const online = new Set(source.records.filter(isOnline).map(({ id }) => id))
    return (feed.changes?.(source, site) ?? []).map((change): FeedChange => ({
      ...change,
      feed,
      isShown: online.has(change.recordId),
    }))
  })
  const byFeed = Map.groupBy(all, ({ feed }) => feed.id)
  const byRecord = Map.groupBy(all, keyOf)
  const resources = new Set(sources.map(({ feed }) => feed.resource))
  const membersOf = new Map(
    occasions.flatMap((occasion) => {
      const readable = occasion.filter(({ resource }) => resources.has(resource))
      return readable.map((member) => [memberKey(member), readable] as const)
    }),
  )
  return all.filter((change) => {
    const key = keyOf(change)
    const members = membersOf.get(key) ?? []
    const own = members.find((member) => memberKey(member) === key)
    if (own && change.kind === 'canceled') return !members.some((other) => outlasts(other, own))
    const earlier = own ? members.slice(0, members.indexOf(own)) : []
    const known = earlier.filter(({ state }) => state !== 'separate')
    if (change.kind === 'new' && known.length > 0) return false
    const repeated = byFeed.get(change.feed.repeats ?? '') ?? []
    const ofKnown = known.flatMap((member) => byRecord.get(memberKey(member)) ?? [])
    return ![...repeated, ...ofKnown].some((other) => isSame(change, other))
  })
}

function keyOf({ feed: { resource }, recordId }: FeedChange): string {
  return memberKey({ resource, id: recordId })
}

function isSame({ text, since }: FeedChange, other: FeedChange): boolean {
  return other.text === text && Math.abs(other.since - since) < sameChangeMs
}

/** Returns true for another member that still exists, or that was removed later. */
function outlasts(other: OccasionMember, own: OccasionMember): boolean {
  return (
    other !== own &&
    (other.state === 'listed' || (other.state === 'removed' && other.changedAt > own.changedAt))
  )
}
