import type { RecordedChange } from './recorded-change.ts'
import type { SiteDateTime } from './site-time.ts'

/**
 * Observed changes to a record, which its own timestamps may not reflect. Times are in milliseconds
 * since the epoch.
 */
export type ChangeHistory = {
  /** Hash of the record's content. */
  readonly hash: string
  /** 0 until the first observed change. */
  readonly revision: number
  readonly firstSeenAt: number
  readonly changedAt: number
  /** The record's own modification time when first seen. */
  readonly saidAt?: SiteDateTime
  /** Reported changes, oldest first. */
  readonly changes?: readonly RecordedChange[]
}

/**
 * Returns the time of a record's last change: its own modification time until Feedhouse observes a
 * change, then the time of the latest observed change.
 */
export function lastChangeOf(
  { revision, firstSeenAt, changedAt, saidAt }: ChangeHistory,
  instantOf: (time: SiteDateTime) => number,
): number {
  const reported = saidAt === undefined ? firstSeenAt : Math.min(instantOf(saidAt), firstSeenAt)
  return wholeSeconds(revision > 0 ? changedAt : reported)
}

/** Rounds down to whole seconds, the precision of feeds. */
function wholeSeconds(instant: number): number {
  return Math.floor(instant / 1000) * 1000
}
