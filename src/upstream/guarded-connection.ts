import type { TimeSource } from '../clock.ts'
import type { Transport } from './connection.ts'
import { UpstreamError } from './upstream-error.ts'

/** Time after a response during which its records are parsed, compared and stored. */
const processingMs = 5_000

/** Reports when a website is being read, so that one that crashes the process can be paused. */
export type ReadingGuard = {
  readonly reading: (isDone: boolean) => void
  /** When the website may be read again, in epoch milliseconds, or 0 if there is no pause. */
  readonly pausedUntil: () => number
}

/** Guard for a process that is not restarted when it exits. */
export const noGuard: ReadingGuard = { reading: () => undefined, pausedUntil: () => 0 }

/** Rejects with `reading_paused` while the website must not be read. */
export function guardedConnection(
  connection: Transport,
  { reading, pausedUntil }: ReadingGuard,
  clock: TimeSource,
): Transport {
  let timer: NodeJS.Timeout | undefined
  let pending = 0
  return {
    async request(call) {
      const pauseMs = pausedUntil() - clock.now()
      if (pauseMs > 0) {
        const options = { retryAfterMs: pauseMs }
        throw new UpstreamError('reading_paused', 'reading the website is paused', options)
      }
      if (pending === 0 && !timer) reading(false)
      clearTimeout(timer)
      pending += 1
      try {
        return await connection.request(call)
      } finally {
        pending -= 1
        timer = setTimeout(() => {
          timer = undefined
          if (pending === 0) reading(true)
        }, processingMs).unref()
      }
    },
  }
}

/** A site is paused after two exits within this time while it was being read. */
const pauseMs = 60 * 60_000

/** Unexpected exit of a process, in milliseconds since the epoch, and the sites that it was reading. */
type Exit = { readonly at: number; readonly reading: readonly string[] }

/**
 * Returns the end of a site's pause, after two recent exits while the site was being read, or 0. If
 * another site was being read at the same exits and also at other exits, that site is the likely
 * cause. If several sites were being read at the same exits, they resume one at a time, so that the
 * next exit reveals the cause.
 */
export function pausedUntil(site: string, exits: readonly Exit[]): number {
  const timesOf = (name: string) =>
    exits.flatMap(({ at, reading }) => (reading.includes(name) ? [at] : []))
  const times = timesOf(site)
  const [latest = 0, previous = 0] = times.toSorted((a, b) => b - a)
  if (previous === 0 || latest - previous >= pauseMs) return 0
  const suspects = [...new Set(exits.flatMap(({ reading }) => reading))]
    .filter((name) => times.every((at) => timesOf(name).includes(at)))
    .toSorted()
  if (suspects.some((name) => timesOf(name).length > times.length)) return 0
  return latest + pauseMs * (1 + suspects.indexOf(site) / suspects.length)
}
