import { dayMs, type TimeSource } from '../clock.ts'
import { networkOf } from './client-address.ts'

/** Readers beyond this number per day are not counted. */
const maxReaders = 50_000

/** Readers from one network beyond this number per day are not counted. */
const maxPerNetwork = 1_000

const fnvPrime = 0x01000193

/** Returns true the first time that it gets a text on a UTC day, unless the text's network has reached its limit. */
export type DailyReaders = (text: string, address: string) => boolean

/** Keeps only hashes with a random seed, until the first use on another day. */
export function createDailyReaders(clock: TimeSource): DailyReaders {
  let day = 0
  let seed = 0
  const seen = new Set<number>()
  const perNetwork = new Map<number, number>()

  function hashOf(text: string): number {
    let [low, high] = [seed, ~seed]
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      low = Math.imul(low ^ code, fnvPrime)
      high = Math.imul(high ^ code, fnvPrime + 2)
    }
    return (high >>> 11) * 2 ** 32 + (low >>> 0)
  }

  return (text, address) => {
    const today = Math.floor(clock.now() / dayMs)
    if (today !== day) {
      day = today
      seed = Math.floor(Math.random() * 2 ** 32)
      seen.clear()
      perNetwork.clear()
    }
    const hash = hashOf(text)
    if (seen.size >= maxReaders || seen.has(hash)) return false
    const network = hashOf(networkOf(address))
    const count = perNetwork.get(network) ?? 0
    if (count >= maxPerNetwork) return false
    perNetwork.set(network, count + 1)
    seen.add(hash)
    return true
  }
}
