import type { SiteDateTime } from './site-time.ts'

/** What is known of a record's changes beyond what it says itself. Milliseconds since the epoch. */
export type ChangeHistory = {
  /** Of the record's content. */
  readonly hash: string
  /** 0 until it is first seen to change. */
  readonly revision: number
  readonly firstSeenAt: number
  readonly changedAt: number
  /** When it said that it was last changed, when it was first seen. */
  readonly saidAt?: SiteDateTime
}

/**
 * When a record was last changed: when it said so as it was first seen, but not after that; then
 * whenever it was seen to change.
 */
export function lastChangeOf(
  { revision, firstSeenAt, changedAt, saidAt }: ChangeHistory,
  instantOf: (time: SiteDateTime) => number,
): number {
  const said = saidAt === undefined ? firstSeenAt : Math.min(instantOf(saidAt), firstSeenAt)
  return wholeSeconds(revision > 0 ? changedAt : said)
}

/** As feeds publish it. */
function wholeSeconds(instant: number): number {
  return Math.floor(instant / 1000) * 1000
}
