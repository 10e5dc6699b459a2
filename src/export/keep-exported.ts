import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { siteDateAt } from '../records/site-time.ts'
import { plainTargets } from '../representations/target.ts'
import type { StaticSite } from './static-site.ts'
import { ExportError } from './export-error.ts'
import type { Exporter } from './export-files.ts'

/** Interval between checks for changes. */
const pollIntervalMs = 5_000

/** Delay after a change. Resources are read sequentially, so related changes may follow. */
const settleMs = 2_000

/** Interval between writes of the board, which shows current events and the time of the last read. */
const boardMs = 60_000

/** Retry interval after a write error such as a full disk. */
const retryMs = 30_000

/** Exports whenever records change or the date affects a feed, until aborted. */
export async function keepExported(
  staticSite: StaticSite,
  exporter: Exporter,
  options: { readonly clock: Clock; readonly log: Logger; readonly signal: AbortSignal },
): Promise<void> {
  const { site, shownFeeds, combinedFeeds, representations, overviews } = staticSite
  const { clock, log, signal } = options
  const pause = (ms: number) => clock.sleep(ms, signal).catch(() => undefined)
  let written: readonly unknown[] | undefined
  let boardAt = -Infinity

  /**
   * Returns a list of objects and strings. Unless something has changed, they are identical to
   * those in the previous list.
   */
  async function currentState(): Promise<readonly unknown[]> {
    const feeds = shownFeeds()
    const targets = plainTargets([...feeds, ...combinedFeeds], 'public')
    return [
      siteDateAt(clock.now(), site.timeZone),
      ...(await Promise.all(feeds.map((feed) => overviews.read(feed, 'public')))),
      ...(await Promise.all(targets.map((target) => representations.get(target)))),
    ]
  }

  async function poll(): Promise<void> {
    const state = await currentState()
    if (written && isSame(state, written)) {
      if (clock.now() < boardAt + boardMs) return
      await exporter.board()
    } else {
      await pause(settleMs)
      if (signal.aborted) return
      const counts = await exporter.all()
      written = state
      log.info(counts, 'exported')
    }
    boardAt = clock.now()
  }

  while (!signal.aborted) {
    const waitMs = await poll().then(
      () => pollIntervalMs,
      (error: unknown) => {
        if (!signal.aborted) logFailure(log, error)
        return retryMs
      },
    )
    await pause(waitMs)
  }
}

function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index])
}

function logFailure(log: Logger, error: unknown): void {
  const why = error instanceof ExportError ? { reason: error.message } : { err: error }
  log.error({ ...why, retryMs }, 'the export failed')
}
