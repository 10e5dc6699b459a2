import { dayMs, type TimeSource } from '../clock.ts'

/** Readers beyond this number per day are not counted. */
const maxReaders = 50_000

const fnvPrime = 0x01000193

/**
 * Returns a function that returns true the first time on a UTC day that it gets a text. Until the end
 * of the day, it keeps only a hash with a random seed.
 */
export function createDailyReaders(clock: TimeSource): (text: string) => boolean {
  let day = 0
  let seed = 0
  const seen = new Set<number>()

  return (text) => {
    const today = Math.floor(clock.now() / dayMs)
    if (today !== day) {
      day = today
      seed = Math.floor(Math.random() * 2 ** 32)
      seen.clear()
    }
    if (seen.size >= maxReaders) return false
    let [low, high] = [seed, ~seed]
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      low = Math.imul(low ^ code, fnvPrime)
      high = Math.imul(high ^ code, fnvPrime + 2)
    }
    const before = seen.size
    return seen.add((high >>> 11) * 2 ** 32 + (low >>> 0)).size > before
  }
}
