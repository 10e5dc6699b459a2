import type { Clock, TimeSource } from '../../src/clock.ts'
import type { Times } from '../../src/front/cached-response.ts'

export type FakeClock = Clock & {
  /**
   * Advances the time and wakes up sleepers in order. Sleepers that are due at the same time wake
   * up together.
   */
  readonly advance: (ms: number) => Promise<void>
  /**
   * Advances the time in a single step, as if the machine had been suspended. Each sleeper wakes
   * once.
   */
  readonly leap: (ms: number) => Promise<void>
}

/**
 * Creates a clock that only advances on command. It starts within a second, because most times in HTTP
 * have no milliseconds. `settled` waits for all work at the current time.
 */
export function createFakeClock(
  start: string | number = '2026-03-05T15:00:00.500Z',
  settled = oneTurn,
): FakeClock {
  let now = new Date(start).getTime()
  const sleepers = new Set<{ readonly wakeAt: number; readonly wake: () => void }>()

  function wakeUp(): void {
    for (const sleeper of sleepers) {
      if (sleeper.wakeAt > now) continue
      sleepers.delete(sleeper)
      sleeper.wake()
    }
  }

  function after(ms: number, wake: () => void): () => void {
    const sleeper = { wakeAt: now + ms, wake }
    sleepers.add(sleeper)
    return () => void sleepers.delete(sleeper)
  }

  return {
    now: () => now,
    after,
    sleep(ms, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const cancel = after(ms, () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      })
      const abort = () => {
        cancel()
        reject(signal?.reason as Error)
      }
      if (signal?.aborted) abort()
      signal?.addEventListener('abort', abort, { once: true })
      return promise
    },
    async advance(ms) {
      await settled()
      const end = now + ms
      for (;;) {
        const wakeAt = Math.min(...[...sleepers].map((sleeper) => sleeper.wakeAt))
        if (wakeAt > end) break
        now = Math.max(now, wakeAt)
        wakeUp()
        await settled()
      }
      now = end
      await settled()
    },
    async leap(ms) {
      now += ms
      wakeUp()
      await settled()
    },
  }
}

/** Gives pending promises time to settle. */
export function oneTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Returns the maximum number of these ascending times in any window of that length. */
export function busiest(times: readonly number[], windowMs: number): number {
  let first = 0
  return times.reduce((max, at, index) => {
    while ((times[first] ?? at) <= at - windowMs) first += 1
    return Math.max(max, index - first + 1)
  }, 0)
}

/** Returns the times of a front's two clocks, which agree in tests. */
export function timesOf({ now }: TimeSource): Times {
  return () => ({ at: now(), elapsed: now() })
}
