import type { FoundItem } from './change-items.ts'

/** What has been sent, so that it is not sent again. */
export type SentChanges = {
  /** Ids of the feeds whose items are known. */
  readonly feeds: readonly string[]
  /** Days since the epoch on which each key was first found. */
  readonly seen: Readonly<Record<string, number>>
}

export const nothingSent: SentChanges = { feeds: [], seen: {} }

const dayMs = 24 * 60 * 60_000

/** Items may come back, for example when the website's data is complete again. */
const vanishedKeptDays = 90
const maxVanished = 5_000

/**
 * Returns the items that have not been found before. Those of a feed that is found for the first time are
 * not new.
 */
export function newItems(
  before: SentChanges,
  found: { readonly feeds: readonly string[]; readonly items: readonly FoundItem[] },
  now: number,
): { readonly sent: SentChanges; readonly items: readonly FoundItem[] } {
  const knownFeeds = new Set(before.feeds)
  const unseen = found.items.filter(({ key }) => before.seen[key] === undefined)
  const feeds = [...new Set([...before.feeds, ...found.feeds])]
  if (unseen.length === 0 && feeds.length === before.feeds.length) {
    return { sent: before, items: [] }
  }
  const today = Math.floor(now / dayMs)
  const current = new Set(found.items.map(({ key }) => key))
  const vanished = Object.entries(before.seen)
    .filter(([key, day]) => !current.has(key) && day > today - vanishedKeptDays)
    .slice(-maxVanished)
  const present = [...current].map((key) => [key, before.seen[key] ?? today] as const)
  return {
    sent: { feeds, seen: Object.fromEntries([...vanished, ...present]) },
    items: unseen.filter(({ feed }) => knownFeeds.has(feed)),
  }
}
