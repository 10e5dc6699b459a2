const dayMs = 24 * 60 * 60 * 1000

/** Collections with fewer records have no partial loss: half of them may go within a day's work. */
export const smallCollection = 10
/** Fewer records than this are no loss of a small collection. */
const minSmallLoss = 3

/** A single partial loss is published after this long, in at least this many equal readings. */
const confirmationMs = dayMs
const readingsToConfirm = 3

/** Losses of several collections within this time of each other have one cause. */
const incidentMs = dayMs

/** Records that are missing from a reading although nothing says that they should be. */
export type Loss = {
  /** `small`: most records of a small collection, which is a loss only beside others. */
  readonly extent: 'total' | 'partial' | 'small'
  /** Ascending. */
  readonly lostIds: readonly number[]
}

export type LossReading = Loss & {
  /** Of the reading's records, and how many they are. */
  readonly version: string
  readonly records: number
  /** Whether most records came but cannot be read: reading them again proves nothing. */
  readonly isUnreadable: boolean
}

/** A loss that is not published. Times in milliseconds since the epoch. */
export type Held = Omit<LossReading, 'extent'> & {
  readonly since: number
  /** When exactly these records were first missing, and in how many readings since. */
  readonly firstReadAt: number
  readonly readings: number
  /** Whether time alone never publishes it. */
  readonly needsAcceptance: boolean
  /** Whether somebody has asked to keep holding it, which has the same effect. */
  readonly isHeldByRequest: boolean
}

/**
 * Returns the loss of a reading, if most or all is lost. Records that were expected to leave are not
 * lost, unless they were lost before that.
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

/** Returns false for a loss that is published at once: a small one on its own. */
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

/** What is held after another reading with a loss. */
export function heldAfter(
  held: Held | undefined,
  { extent, ...reading }: LossReading,
  { otherLossesAt, now }: { readonly otherLossesAt: readonly number[]; readonly now: number },
): Held {
  // A clock that was ahead must not make the wait longer.
  const since = Math.min(held?.since ?? now, now)
  const isSame = held !== undefined && isSameList(held.lostIds, reading.lostIds)
  return {
    ...reading,
    since,
    firstReadAt: isSame ? Math.min(held.firstReadAt, now) : now,
    readings: isSame ? held.readings + 1 : 1,
    needsAcceptance:
      held?.needsAcceptance === true ||
      extent === 'total' ||
      isIncident(otherLossesAt, since) ||
      reading.isUnreadable,
    isHeldByRequest: held?.isHeldByRequest ?? false,
  }
}

/** When time publishes it, if the readings stay the same; undefined for never. */
export function publishesAt(held: Held): number | undefined {
  const isOpenEnded = held.needsAcceptance || held.isHeldByRequest
  return isOpenEnded ? undefined : held.firstReadAt + confirmationMs
}

/** Whether the same loss has been read often and long enough to be believed. */
export function isConfirmed(held: Held, now: number): boolean {
  return held.readings >= readingsToConfirm && now >= (publishesAt(held) ?? Infinity)
}

/** Merges what two replicas hold that have gone apart; what keeps it held in one of them stands. */
export function mergedHeld(later: Held | undefined, other: Held | undefined): Held | undefined {
  const needsAcceptance = later?.needsAcceptance || other?.needsAcceptance || false
  const isHeldByRequest = later?.isHeldByRequest || other?.isHeldByRequest || false
  return later && { ...later, needsAcceptance, isHeldByRequest }
}

function isSameList(some: readonly number[], others: readonly number[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index])
}
