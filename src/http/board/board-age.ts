import type { Collections } from '../../collections/collections.ts'
import type { Feed } from '../../feeds/feed.ts'

export type BoardAge = {
  /** When the website was last read successfully for all of it. Milliseconds since the epoch. */
  readonly readAt: number
  /** The longest interval at which the website is read for any of it. */
  readonly intervalMs: number
}

/** Returns the age of what a board shows: its oldest part makes it as old as it is. */
export function boardAgeOf(
  shown: readonly Feed[],
  collections: Pick<Collections, 'states'>,
  now: number,
): BoardAge {
  const states = collections
    .states()
    .filter(({ resource }) => shown.some((feed) => feed.resource === resource))
  const times = states.flatMap(({ kept }) => kept?.collection.fetchedAt ?? [])
  const intervals = states.map(({ intervalMs }) => intervalMs)
  return { readAt: Math.min(now, ...times), intervalMs: Math.max(0, ...intervals) }
}
