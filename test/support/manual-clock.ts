import type { Clock } from '../../src/clock.ts'

/** A clock whose sleepers wake on the test's command. Work in between runs in microtasks. */
export function manualClock(): Clock & { readonly advance: (ms: number) => Promise<void> } {
  let now = Date.parse('2026-03-05T15:00:00Z')
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>()
  return {
    now: () => now,
    sleep(ms, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const sleeper = { at: now + ms, wake: resolve }
      sleepers.add(sleeper)
      signal?.addEventListener('abort', () => {
        sleepers.delete(sleeper)
        reject(signal.reason as Error)
      })
      return promise
    },
    async advance(ms) {
      const end = now + ms
      for (;;) {
        const [next] = [...sleepers].toSorted((a, b) => a.at - b.at)
        if (!next || next.at > end) break
        now = Math.max(now, next.at)
        sleepers.delete(next)
        next.wake()
        await turn()
      }
      now = end
      await turn()
    },
  }
}

/** Lets all microtasks run. */
export async function turn(): Promise<void> {
  for (let count = 0; count < 40; count += 1) await Promise.resolve()
}
