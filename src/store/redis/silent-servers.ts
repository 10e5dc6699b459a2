import { retryDelayMs, systemClock } from '../../clock.ts'

const probes = { initialMs: 200, maxMs: 2_000 }

export type SilentServers = {
  readonly has: (place: string) => boolean
  /** Probes the server of a place until it responds, unless that is already in progress. */
  readonly add: (place: string) => void
  readonly close: () => void
}

/**
 * Remembers which servers do not respond, so that commands can fail immediately. `probe` sends
 * a command to the server of a place, and resolves to true if it responds.
 */
export function createSilentServers(probe: (place: string) => Promise<boolean>): SilentServers {
  const silent = new Set<string>()
  const closing = new AbortController()

  async function awaitResponse(place: string): Promise<void> {
    for (let attempts = 1; ; attempts += 1) {
      await systemClock.sleep(retryDelayMs(probes, attempts), closing.signal)
      if (await probe(place)) break
    }
    silent.delete(place)
  }

  return {
    has: (place) => silent.has(place),
    add(place) {
      if (silent.has(place) || closing.signal.aborted) return
      silent.add(place)
      awaitResponse(place).catch(() => undefined)
    },
    close: () => closing.abort(),
  }
}
