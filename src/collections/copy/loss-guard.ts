import { z } from 'zod'
import { dayMs } from '../../clock.ts'
import { lastDateOf } from '../../records/fields.ts'
import type { RecordOf } from '../../records/read-records.ts'
import type { FeedResource } from '../../records/resources.ts'
import type { SiteDate, SiteDateTime } from '../../records/site-time.ts'
import { rulesFor } from './resource-rules.ts'

/** In smaller collections, removing half of the records may be normal. */
const smallCollection = 10
/** Minimum number of missing records that counts as a loss in a small collection. */
const minSmallLoss = 3

/** A partial loss is published after this much time and this many equal readings. */
const confirmationMs = dayMs
const readingsToConfirm = 3

/** Losses in several collections within this time are assumed to have the same cause. */
const incidentMs = dayMs

export type Loss = {
  /** A small collection's loss is held back only if other collections have losses. */
  readonly extent: 'total' | 'partial' | 'small'
  /** Ascending. */
  readonly lostIds: readonly number[]
}

/**
 * A loss that is held back. Times are in milliseconds since the epoch. Values with a default may be
 * missing from data stored by older versions.
 */
export const heldSchema = z.object({
  since: z.number(),
  version: z.string(),
  records: z.number(),
  /** When this exact set of records was first missing, and the number of readings since. */
  firstReadAt: z.number(),
  readings: z.number(),
  lostIds: z.array(z.number()).readonly().default([]),
  /** True if it is never published without an operator's consent. */
  needsAcceptance: z.boolean().default(false),
  /** True if an operator has chosen to keep holding it. Like `needsAcceptance`, prevents publication. */
  isHeldByRequest: z.boolean().default(false),
})

export type Held = Readonly<z.infer<typeof heldSchema>>

export type LossReading = Loss & { readonly version: string; readonly records: number }

/**
 * Returns the loss in a reading if most or all records are missing. Records whose removal is expected do
 * not count, unless they were missing before.
 */
export function lossFrom(
  before: readonly number[],
  reading: {
    readonly isPresent: (id: number) => boolean
    readonly isEmpty: boolean
    readonly isExpectedToLeave: (id: number) => boolean
    readonly alreadyLost: readonly number[]
  },
): Loss | undefined {
  const { isPresent, isEmpty, isExpectedToLeave } = reading
  const alreadyLost = new Set(reading.alreadyLost)
  const considered = before.filter(
    (id) => isPresent(id) || alreadyLost.has(id) || !isExpectedToLeave(id),
  )
  const lostIds = considered.filter((id) => !isPresent(id))
  const isSmall = considered.length < smallCollection
  if (lostIds.length === 0) return undefined
  if (lostIds.length === considered.length && (isEmpty || !isSmall)) {
    return { extent: 'total', lostIds }
  }
  if (lostIds.length <= considered.length / 2) return undefined
  if (!isSmall) return { extent: 'partial', lostIds }
  return lostIds.length < minSmallLoss ? undefined : { extent: 'small', lostIds }
}

/** Returns true unless the loss is small, not held yet, and the only one within a day. */
export function needsHolding(
  { extent }: Pick<Loss, 'extent'>,
  held: Held | undefined,
  { otherLossesAt, now }: { readonly otherLossesAt: readonly number[]; readonly now: number },
): boolean {
  return extent !== 'small' || held !== undefined || isIncident(otherLossesAt, now)
}

function isIncident(otherLossesAt: readonly number[], since: number): boolean {
  return otherLossesAt.some((at) => Math.abs(at - since) <= incidentMs)
}

export function heldAfter(
  held: Held | undefined,
  { extent, ...reading }: LossReading,
  { otherLossesAt, now }: { readonly otherLossesAt: readonly number[]; readonly now: number },
): Held {
  // A clock that was ahead must not extend the wait.
  const since = Math.min(held?.since ?? now, now)
  const isSame = held !== undefined && isSameList(held.lostIds, reading.lostIds)
  return {
    ...reading,
    since,
    firstReadAt: isSame ? Math.min(held.firstReadAt, now) : now,
    readings: isSame ? held.readings + 1 : 1,
    needsAcceptance:
      held?.needsAcceptance === true || extent === 'total' || isIncident(otherLossesAt, since),
    isHeldByRequest: held?.isHeldByRequest ?? false,
  }
}

/** Undefined if it is not published without an operator's consent. */
export function publishesAt(held: Held): number | undefined {
  const isOpenEnded = held.needsAcceptance || held.isHeldByRequest
  return isOpenEnded ? undefined : held.firstReadAt + confirmationMs
}

export function isConfirmed(held: Held, now: number): boolean {
  return held.readings >= readingsToConfirm && now >= (publishesAt(held) ?? Infinity)
}

/** Merges the held losses of two diverged replicas. It stays held if either replica requires it. */
export function mergedHeld(later: Held | undefined, other: Held | undefined): Held | undefined {
  const needsAcceptance = later?.needsAcceptance || other?.needsAcceptance || false
  const isHeldByRequest = later?.isHeldByRequest || other?.isHeldByRequest || false
  return later && { ...later, needsAcceptance, isHeldByRequest }
}

function isSameList(some: readonly number[], others: readonly number[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index])
}

/** First and last requested day. */
export type Days = { readonly from: SiteDate; readonly to: SiteDate }

export function isOutside(record: object, days: Days | undefined): boolean {
  const { startDate, endDate } = record as Partial<RecordOf['rental']>
  if (!days || startDate === undefined) return false
  return lastDateOf({ startDate, endDate }) < days.from || startDate > days.to
}

/**
 * Returns a function that returns true for records whose removal is expected. These are records
 * outside the requested days, expired announcements, and past records in small collections, which
 * webmasters clean up by hand.
 */
export function expectedToLeave<R extends FeedResource>(
  resource: R,
  records: readonly RecordOf[R][],
  { days, siteNow = '' }: { readonly days: Days | undefined; readonly siteNow?: SiteDateTime },
): (id: number) => boolean {
  const { endOf, leavesWhenOver = false } = rulesFor(resource)
  const mayEnd = leavesWhenOver || records.length < smallCollection
  const isOver = (record: RecordOf[R]) => {
    const end = mayEnd ? endOf?.(record) : undefined
    return end !== undefined && end < siteNow.slice(0, end.length)
  }
  const ids = records
    .filter((record) => isOutside(record, days) || isOver(record))
    .map(({ id }) => id)
  const expected = new Set(ids)
  return (id) => expected.has(id)
}
