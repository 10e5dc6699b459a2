import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { missingCopy } from '../collections/status/status-sentences.ts'
import { keptIdHost, type IdHostOptions } from '../app/id-host.ts'
import { startStaticSite } from './static-site.ts'
import { openExportDirectory } from './export-directory.ts'
import { ExportError } from './export-error.ts'
import { createExporter, type ExportCounts } from './export-files.ts'
import { createExportLease } from './export-lease.ts'
import { keepExported } from './keep-exported.ts'

type ExportOptions = Omit<Parameters<typeof startStaticSite>[0], 'idHost' | 'exportedFiles'> & {
  readonly config: Partial<IdHostOptions>
  readonly directory: string
  /** True to write `.gz` and `.br` files as well. */
  readonly isPrecompressed: boolean
  /** Stops the export. */
  readonly signal: AbortSignal
}

export type Exported = {
  readonly counts: ExportCounts
  /** Reasons for exporting last good copies instead of current data. */
  readonly warnings: readonly string[]
}

/** Exports the public part of a site once. Rejects with an `ExportError` if there is no data to export. */
export async function exportSite(options: ExportOptions): Promise<Exported> {
  await using running = new AsyncDisposableStack()
  const { staticSite, exporter } = await startExport(running, options)
  const { shownFeeds, collections, status } = staticSite
  for (const { resource } of collections.states()) {
    await collections.readDue(resource)
  }
  const states = collections.states()
  const shown = shownFeeds().map(({ resource }) => resource)
  const missing = states.filter(
    ({ resource }) => shown.includes(resource) && !collections.copyOf(resource),
  )
  if (missing.length > 0) {
    const sentences = missing.map(({ resource, failure }) => missingCopy(resource, failure))
    throw new ExportError('no copy', `${sentences.join('\n')}\nNothing was written or removed.`)
  }
  const counts = await exporter.all()
  const isOld = states.some(({ failure, kept }) => failure !== undefined || kept?.held)
  return { counts, warnings: isOld ? (await status()).sentences : [] }
}

/** Exports the site whenever it changes, until aborted. */
export async function exportAndWatch(options: ExportOptions): Promise<void> {
  await using running = new AsyncDisposableStack()
  const { staticSite, exporter } = await startExport(running, options)
  staticSite.representations.start()
  staticSite.collections.start()
  await keepExported(staticSite, exporter, options)
}

async function startExport(running: AsyncDisposableStack, options: ExportOptions) {
  const { store, isPrecompressed, clock, log, signal } = options
  const directory = resolve(options.directory)
  const files = await openExportDirectory(directory)
  const lease = createExportLease(directory, {
    leases: store.leases,
    holder: randomUUID(),
    clock,
  })
  const { idHost: configured, configuredHosts } = options.config
  const idHost = await keptIdHost(store, {
    siteUrl: options.site.url,
    idHost: configured,
    configuredHosts,
    log,
    exportedHost: files.manifest().idHost,
  })
  const staticSite = running.use(
    await startStaticSite({
      ...options,
      idHost,
      exportedFiles: () => files.manifest().files,
    }),
  )
  running.defer(lease.release)
  const exporter = createExporter(staticSite, files, {
    isPrecompressed,
    hold: lease.hold,
    log,
    signal,
  })
  return { staticSite, exporter }
}
