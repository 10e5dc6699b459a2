import { readingIntervalMs, type Load } from '../schedule/freshness.ts'

/** Longer intervals, as a multiple of the configured one, are reported. */
const noticeable = 1.1

/**
 * Explains that the call limit makes the interval between reads longer than `FRESH_SECONDS`. Undefined
 * if it does not.
 */
export function intervalSentence(load: Load): string | undefined {
  const { freshMs, callsPerDay } = load
  const intervalMs = readingIntervalMs({ ...load, usedToday: 0 }, false)
  if (intervalMs < freshMs * noticeable) return undefined
  const seconds = Math.ceil(intervalMs / 1000)
  return `Feedhouse reads the website every ${seconds} seconds instead of every ${freshMs / 1000} (FRESH_SECONDS), because reading it more often would use up the ${callsPerDay} API calls per day (CALLS_PER_DAY). To read it more often, offer fewer feeds, or raise CALLS_PER_DAY if it is below 5000; otherwise, set FRESH_SECONDS=${seconds}.`
}
