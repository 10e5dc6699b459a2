import type { BoardItem } from '../board-item.ts'

const dayMs = 24 * 60 * 60_000

/**
 * Returns the time of a picture's next known change, in milliseconds since the epoch: when a shift or an
 * emergency starts, when an item ends, when a change is a day old, or at midnight. `instantOf` converts a
 * site's time.
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

/** Returns `Infinity` for a date without a time, because pictures change at midnight anyway. */
function instantFrom(
  exact: string | null,
  siteTime: string,
  instantOf: (siteTime: string) => number,
): number {
  if (exact !== null) return Date.parse(exact)
  return siteTime.length > 10 ? instantOf(siteTime) : Infinity
}
