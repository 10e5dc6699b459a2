import type { BoardItem } from '../board-item.ts'

const dayMs = 24 * 60 * 60_000

/**
 * Returns when a picture next changes because of the time, in milliseconds since the epoch: when an
 * item starts or ends, and at midnight. `instantOf` converts a site's time.
 */
export function nextChange(
  items: readonly BoardItem[],
  now: number,
  midnight: number,
  instantOf: (siteTime: string) => number,
): number {
  const instants = items.flatMap(({ role, startAt, endAt, start, end, changedAt }) => [
    ...(role === 'duty' || role === 'emergency' ? [instantFrom(startAt, start, instantOf)] : []),
    ...(end === null ? [] : [instantFrom(endAt, end, instantOf)]),
    ...(changedAt === null ? [] : [instantOf(changedAt) + dayMs]),
  ])
  return Math.min(midnight, ...instants.filter((instant) => instant > now))
}

/** Dates start and end at midnight, like the board. */
function instantFrom(
  exact: string | null,
  siteTime: string,
  instantOf: (siteTime: string) => number,
): number {
  if (exact !== null) return Date.parse(exact)
  return siteTime.length > 10 ? instantOf(siteTime) : Infinity
}
