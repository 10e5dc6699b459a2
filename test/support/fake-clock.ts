import type { Clock } from '../../src/clock.ts'

export type FakeClock = Clock & {
  /** Moves the time on, waking sleepers in their order. */
  readonly advance: (ms: number) => Promise<void>
  /** The same at once, as for a machine that has slept: each sleeper wakes once. */
  readonly leap: (ms: number) => Promise<void>
}

/** A clock that stands still until it is moved; `settled` waits for all that a moment brings about. */
export function createFakeClock(
  start: string | number = '2026-03-05T15:00:00Z',
  settled = oneTurn,
): FakeClock {
  let now = new Date(start).getTime()
  const sleepers = new Set<{ readonly wakeAt: number; readonly wake: () => void }>()

  return {
    now: () => now,
    sleep(ms, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const sleeper = { wakeAt: now + ms, wake: resolve }
      sleepers.add(sleeper)
      const abort = () => {
        sleepers.delete(sleeper)
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
        const next = [...sleepers].sort((a, b) => a.wakeAt - b.wakeAt)[0]
        if (!next || next.wakeAt > end) break
        sleepers.delete(next)
        now = Math.max(now, next.wakeAt)
        next.wake()
        await settled()
      }
      now = end
      await settled()
    },
    async leap(ms) {
      now += ms
      for (const sleeper of sleepers) {
        if (sleeper.wakeAt > now) continue
        sleepers.delete(sleeper)
        sleeper.wake()
      }
      await settled()
    },
  }
}

/** Lets everything run that waits for nothing but promises. */
export function oneTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
