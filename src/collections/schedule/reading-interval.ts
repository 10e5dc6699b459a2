import { dayMs, type TimeSource } from '../../clock.ts'
import type { FeedResource } from '../../records/resources.ts'
import type { Priority } from '../../upstream/throttle.ts'
import { rulesFor } from '../copy/resource-rules.ts'

/** Share of the daily calls to plan for. The rest is a reserve. */
const plannedShare = 0.85
/** Share of the daily calls for details. */
const detailsShare = 0.25
/** Share at which the daily calls count as used up, and intervals are at their maximum. */
const exhaustedShare = 0.95
const maxStretch = 20

/** Collections not requested for this long are read less often, by the factor below. */
const idleAfterMs = 60 * 60 * 1000
const idleStretch = 12

export type Load = {
  /** Minimum interval, from the settings. */
  readonly freshMs: number
  readonly callsPerDay: number
  readonly usedToday: number
  /** Average number of calls per interval, to read every collection. */
  readonly callsPerRound: number
  /** Number of sign-up sheets whose details must be read. */
  readonly details: number
}

export function callsPerRound(
  resources: readonly FeedResource[],
  callsOf: (resource: FeedResource) => number,
): number {
  return resources.reduce((sum, each) => sum + callsOf(each) / intervalFactorOf(each), 0)
}

export function intervalFactorOf(resource: FeedResource): number {
  return rulesFor(resource).intervalFactor ?? 1
}

export function readingIntervalMs(load: Load, isIdle: boolean): number {
  const { details, freshMs, callsPerDay, callsPerRound } = load
  const forDetails = Math.min((details * dayMs) / freshMs, callsPerDay * detailsShare)
  const planned = callsPerDay * plannedShare - forDetails
  return intervalMs(load, callsPerRound, planned) * (isIdle ? idleStretch : 1)
}

export function detailIntervalMs(load: Load): number {
  return intervalMs(load, load.details, load.callsPerDay * detailsShare)
}

function intervalMs(load: Load, callsPerRound: number, callsPerDay: number): number {
  const affordableMs = (callsPerRound * dayMs) / callsPerDay
  return Math.round(Math.max(load.freshMs, affordableMs) * stretch(load))
}

/** Returns 1 while usage is within the plan, and higher factors as the daily calls run out. */
function stretch({ usedToday, callsPerDay }: Load): number {
  const left = exhaustedShare - usedToday / callsPerDay
  if (left <= 0) return maxStretch
  return Math.min(maxStretch, Math.max(1, (exhaustedShare - plannedShare) / left))
}

/** Longer intervals, as a multiple of the configured one, are reported. */
const noticeable = 1.1

/** Explains why the call limit makes the interval longer than `FRESH_SECONDS`, if it does. */
export function intervalSentence(load: Load): string | undefined {
  const { freshMs, callsPerDay } = load
  const intervalMs = readingIntervalMs({ ...load, usedToday: 0 }, false)
  if (intervalMs < freshMs * noticeable) return undefined
  const seconds = Math.ceil(intervalMs / 1000)
  return `Feedhouse reads the website every ${seconds} seconds instead of every ${freshMs / 1000} (FRESH_SECONDS), because reading it more often would use up the ${callsPerDay} API calls per day (CALLS_PER_DAY). To read it more often, offer fewer feeds, or raise CALLS_PER_DAY if it is below 5000; otherwise, set FRESH_SECONDS=${seconds}.`
}

export type Demand = {
  readonly recordRead: (resource: FeedResource) => void
  /** Returns how often a collection was used for the first time, or again after it was idle. */
  readonly wakeUps: () => number
  /** Marks the collection as awaited by a user until disposed. */
  readonly addWaiter: (resource: FeedResource) => Disposable
  readonly hasBeenRead: (resource: FeedResource) => boolean
  readonly isIdle: (resource: FeedResource) => boolean
  readonly priorityOf: (resource: FeedResource) => Priority
}

/** Tracks the use of collections. Startup is a use, because clients return after a restart. */
export function createDemand(clock: TimeSource): Demand {
  const startedAt = clock.now()
  const lastReaderAt = new Map<FeedResource, number>()
  let wakeUps = 0
  const waiting = new Map<FeedResource, number>()

  const isIdle = (resource: FeedResource) =>
    clock.now() - (lastReaderAt.get(resource) ?? startedAt) > idleAfterMs

  const changeWaiters = (resource: FeedResource, people: number) =>
    waiting.set(resource, (waiting.get(resource) ?? 0) + people)

  return {
    recordRead(resource) {
      if (!lastReaderAt.has(resource) || isIdle(resource)) wakeUps += 1
      lastReaderAt.set(resource, clock.now())
    },
    wakeUps: () => wakeUps,
    addWaiter(resource) {
      changeWaiters(resource, 1)
      return { [Symbol.dispose]: () => void changeWaiters(resource, -1) }
    },
    hasBeenRead: (resource) => lastReaderAt.has(resource),
    isIdle,
    priorityOf(resource) {
      if ((waiting.get(resource) ?? 0) > 0) return 'person'
      return isIdle(resource) ? 'warm-up' : 'scheduled'
    },
  }
}
