const dayMs = 24 * 60 * 60 * 1000

/** Shares of the day's calls that are planned for; what remains is for the unforeseen. */
const plannedShare = { collections: 0.5, details: 0.25 }

/** From the first share of the day's calls on, readings are spaced out more and more, up to the last. */
const pressureFrom = 0.75
const pressureTo = 0.95
const mostStretch = 20

/** Collections that nobody has read for so long are read that much less often. */
export const idleAfterMs = 60 * 60 * 1000
const idleStretch = 12

export type Load = {
  /** The shortest interval, from the settings. */
  readonly freshMs: number
  readonly callsPerDay: number
  /** Calls in the last 24 hours. */
  readonly usedToday: number
}

/** The interval at which collections are read that take so many calls together. */
export function readingIntervalMs(load: Load, callsPerRound: number, isIdle: boolean): number {
  return intervalMs(load, callsPerRound, plannedShare.collections) * (isIdle ? idleStretch : 1)
}

/** The interval at which each of so many details is read. */
export function detailIntervalMs(load: Load, details: number): number {
  return intervalMs(load, details, plannedShare.details)
}

function intervalMs(load: Load, callsPerRound: number, share: number): number {
  const { freshMs, callsPerDay } = load
  const affordableMs = (callsPerRound * dayMs) / (callsPerDay * share)
  return Math.round(Math.max(freshMs, affordableMs) * stretch(load))
}

/** 1 while there is plenty, more as the day's calls run down. */
function stretch({ usedToday, callsPerDay }: Load): number {
  const left = pressureTo - usedToday / callsPerDay
  if (left <= 0) return mostStretch
  return Math.min(mostStretch, Math.max(1, (pressureTo - pressureFrom) / left))
}
