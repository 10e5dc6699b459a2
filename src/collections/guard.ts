const minuteMs = 60_000

/** Fewer records than these may go by half without a question. */
const fewRecords = 10
const readingsToConfirm = 3
const confirmationMs = 30 * minuteMs

/** A reading that is not published, since it lacks most of what was there. */
export type Held = {
  /** Since when readings lack most; milliseconds since the epoch, as all times here. */
  readonly since: number
  /** Of the reading's records. */
  readonly version: string
  readonly records: number
  /** When this very version was first read, and how often since. */
  readonly firstReadAt: number
  readonly readings: number
  /** Whether most came and cannot be read: reading it again proves nothing. */
  readonly isUnreadable: boolean
}

/** Whether a reading empties a collection, or lacks more than half of at least ten records. */
export function isMassLoss(before: readonly number[], after: ReadonlySet<number>): boolean {
  if (after.size === 0) return before.length > 0
  const lost = before.filter((id) => !after.has(id)).length
  return before.length >= fewRecords && lost > before.length / 2
}

/** What is held after another such reading. */
export function heldAfter(
  held: Held | undefined,
  reading: Pick<Held, 'version' | 'records' | 'isUnreadable'>,
  now: number,
): Held {
  if (held?.version === reading.version) return { ...held, readings: held.readings + 1 }
  return { ...reading, since: held?.since ?? now, firstReadAt: now, readings: 1 }
}

/** Whether the same has been read often and long enough to be believed. */
export function isConfirmed(held: Held, now: number): boolean {
  const { readings, firstReadAt, isUnreadable } = held
  return !isUnreadable && readings >= readingsToConfirm && now - firstReadAt >= confirmationMs
}
