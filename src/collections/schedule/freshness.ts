const dayMs = 24 * 60 * 60 * 1000

/** What is planned to be used of the day's calls; the rest is for the unforeseen. */
const plannedShare = 0.85
/** How much of the day's calls details may take of that. */
const detailsShare = 0.25
/** Here the day's calls count as used up: readings are then spaced out the most. */
const exhaustedShare = 0.95
const maxStretch = 20

/** Collections that nobody has read for so long are read that much less often. */
export const idleAfterMs = 60 * 60 * 1000
const idleStretch = 12

/** What there is to read, and with how many calls. */
export type Load = {
  /** The shortest interval, from the settings. */
  readonly freshMs: number
  readonly callsPerDay: number
  /** Calls in the last 24 hours. */
  readonly usedToday: number
  /** How many calls it takes to read every collection once. */
  readonly callsPerRound: number
  /** How many sign up sheets have details to be read. */
  readonly details: number
}

/** The interval at which each collection is read. */
export function readingIntervalMs(load: Load, isIdle: boolean): number {
  const { callsPerDay, callsPerRound } = load
  const planned = callsPerDay * plannedShare - plannedForDetails(load)
  return intervalMs(load, callsPerRound, planned) * (isIdle ? idleStretch : 1)
}

/** The interval at which the details of each sheet are read. */
export function detailIntervalMs(load: Load): number {
  return intervalMs(load, load.details, load.callsPerDay * detailsShare)
}

/** Calls a day. */
function plannedForDetails({ details, freshMs, callsPerDay }: Load): number {
  return Math.min((details * dayMs) / freshMs, callsPerDay * detailsShare)
}

function intervalMs(load: Load, callsPerRound: number, callsPerDay: number): number {
  const affordableMs = (callsPerRound * dayMs) / callsPerDay
  return Math.round(Math.max(load.freshMs, affordableMs) * stretch(load))
}

/** 1 while no more is used than planned, more as the day's calls run down. */
function stretch({ usedToday, callsPerDay }: Load): number {
  const left = exhaustedShare - usedToday / callsPerDay
  if (left <= 0) return maxStretch
  return Math.min(maxStretch, Math.max(1, (exhaustedShare - plannedShare) / left))
}
