import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { siteDateAt } from '../records/site-time.ts'
import { plainTargets } from '../representations/target.ts'
import type { StaticSite } from '../app/static-site.ts'
import { ExportError } from './export-error.ts'
import type { Exporter } from './export-files.ts'

/** How often it is looked what has become another. */
const pollIntervalMs = 5_000

/** Resources are read one after the other: what changes together is written together. */
const settleMs = 2_000

/** The board says what is on now, and when the website was last read. */
const boardMs = 60_000

/** What cannot be written, for a full disk, is tried again. */
const retryMs = 30_000

/** Writes what has changed, by the records or by the clock, until the signal. */
export async function keepExported(
  staticSite: Pick<StaticSite, 'site' | 'shownFeeds' | 'representations' | 'overviews'>,
  exporter: Exporter,
  options: { readonly clock: Clock; readonly log: Logger; readonly signal: AbortSignal },
): Promise<void> {
  const { site, shownFeeds, representations, overviews } = staticSite
  const { clock, log, signal } = options
  const nap = (ms: number) => clock.sleep(ms, signal).catch(() => undefined)
  let written: readonly unknown[] | undefined
  let boardAt = -Infinity

  /** The same objects and texts for as long as nothing is another. */
  async function currentState(): Promise<readonly unknown[]> {
    const feeds = shownFeeds()
    const targets = plainTargets(feeds, 'public')
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
      await nap(settleMs)
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
        if (!signal.aborted) tell(log, error)
        return retryMs
      },
    )
    await nap(waitMs)
  }
}

function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index])
}

function tell(log: Logger, error: unknown): void {
  const why = error instanceof ExportError ? { reason: error.message } : { err: error }
  log.error({ ...why, retryMs }, 'the export failed')
}
