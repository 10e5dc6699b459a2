import { createHash, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { keptIdHost, type IdHostOptions } from '../app/id-host.ts'
import { missingCopy } from '../collections/status/status-sentences.ts'
import type { TimeSource } from '../clock.ts'
import type { Logger } from '../log.ts'
import { siteDateAt } from '../records/site-time.ts'
import { plainTargets } from '../representations/target.ts'
import { withFallback } from '../store/store-error.ts'
import type { Leases } from '../store/store.ts'
import { ExportError, openExportDirectory } from './export-directory.ts'
import { createExporter } from './export-files.ts'
import { startStaticSite } from './static-site.ts'

const pollIntervalMs = 5_000

/** Delay after a change. Resources are read sequentially, so related changes may follow. */
const settleMs = 2_000

/** Interval between writes of the board, which shows current events and the time of the last read. */
const boardMs = 60_000

/** Retry interval after a write error such as a full disk. */
const retryMs = 30_000

/** Time until a killed process's lease expires. */
const leaseMs = 60_000

type ExportOptions = Omit<Parameters<typeof startStaticSite>[0], 'idHost' | 'exportedFiles'> & {
  readonly config: Partial<IdHostOptions>
  readonly directory: string
  readonly isPrecompressed: boolean
  readonly hasDirectories?: boolean
  readonly signal: AbortSignal
  readonly report?: (step: string, done: number, total: number) => void
}

/**
 * Exports the public part of a site once. `warnings` has the reasons for exporting last good copies
 * instead of current data. Rejects with an `ExportError` if there is no data to export.
 */
export async function exportSite(options: ExportOptions) {
  await using running = new AsyncDisposableStack()
  const { staticSite, exporter } = await startExport(running, options)
  const { shownFeeds, collections, status } = staticSite
  const before = collections.states()
  for (const [index, { resource }] of before.entries()) {
    options.report?.('Reading the website', index, before.length)
    await collections.readDue(resource)
  }
  const states = collections.states()
  const shown = shownFeeds().map(({ resource }) => resource)
  const missing = states.filter(
    ({ resource }) => shown.includes(resource) && !collections.copyOf(resource),
  )
  if (missing.length > 0) {
    const sentences = missing.map(({ resource, failure }) => missingCopy(resource, failure))
    throw new ExportError(`${sentences.join('\n')}\nNothing was written or removed.`)
  }
  const counts = (await exporter.ifUnchanged()) ?? (await exporter.all(options.report))
  const isOld = states.some(({ failure, kept }) => failure !== undefined || kept?.held)
  return { counts, warnings: isOld ? (await status()).sentences : [] }
}

/** Exports the site whenever records change or the date affects a feed, until aborted. */
export async function exportAndWatch(options: ExportOptions): Promise<void> {
  await using running = new AsyncDisposableStack()
  const { staticSite, exporter } = await startExport(running, options)
  const { site, shownFeeds, combinedFeeds, representations, overviews, collections } = staticSite
  const { clock, log, signal } = options
  const pause = (ms: number) => clock.sleep(ms, signal).catch(() => undefined)
  let written: readonly unknown[] | undefined
  let boardAt = -Infinity

  /** Returns the same values as before unless something has changed. */
  async function currentState(): Promise<readonly unknown[]> {
    const feeds = shownFeeds()
    const targets = plainTargets(feeds, combinedFeeds, 'public')
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

  representations.start()
  collections.start()
  while (!signal.aborted) {
    let waitMs = pollIntervalMs
    try {
      await poll()
    } catch (error) {
      if (!signal.aborted) logFailure(log, error)
      waitMs = retryMs
    }
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

async function startExport(running: AsyncDisposableStack, options: ExportOptions) {
  const { store, config, site, clock, log } = options
  const directory = resolve(options.directory)
  const files = await openExportDirectory(directory)
  const lease = createExportLease(directory, store.leases, clock)
  const exportedHost = files.manifest().idHost
  const idHost = await keptIdHost(store, { ...config, siteUrl: site.url, log, exportedHost })
  const exportedFiles = () => files.manifest().files
  const staticSite = running.use(await startStaticSite({ ...options, idHost, exportedFiles }))
  running.defer(() => lease.release())
  const exporter = createExporter(staticSite, files, { ...options, hold: () => lease.hold() })
  return { staticSite, exporter }
}

/** Creates a lease that lets only one process at a time export into a directory. */
export function createExportLease(directory: string, leases: Leases, clock: TimeSource) {
  const holder = randomUUID()
  // Replicas on different hosts share the store, but not their directories.
  const place = createHash('sha256').update(`${hostname()} ${directory}`).digest('base64url')
  const name = `export ${place}`
  let takenAt = -Infinity
  return {
    /** Acquires or renews the lease. Rejects if another process holds it. */
    async hold(): Promise<void> {
      if (clock.now() < takenAt + leaseMs / 2) return
      // While the store is down, other processes cannot be detected.
      const isOurs = (await withFallback(() => leases.take(name, holder, leaseMs))) ?? true
      if (!isOurs) {
        throw new ExportError(`Another export is writing to ${directory}.`)
      }
      takenAt = clock.now()
    },
    async release(): Promise<void> {
      takenAt = -Infinity
      await withFallback(() => leases.release(name, holder))
    },
  }
}
