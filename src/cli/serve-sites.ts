import { systemClock } from '../clock.ts'
import { secretFiles, type LoadedSettings } from '../config/environment.ts'
import { sitesFilePath, type SitesConfig } from '../config/sites-config.ts'
import { readSitesFile } from '../config/sites-file.ts'
import { watchFile } from '../config/watched-file.ts'
import { startHosting } from '../app/hosting.ts'
import { createSitesReload } from '../config/sites-reload.ts'
import type { Logger } from '../log.ts'
import { openDataDirectory } from '../store/data-directory.ts'
import { createStores } from '../store/open-store.ts'
import type { CommandContext } from './command.ts'
import { restrictFiles, warnOfShortPassword } from './startup-checks.ts'
import { serverOpener } from './server-opener.ts'
import { waitForSignal } from './wait-for-signal.ts'

/** Serves several sites, or the share of them that belongs to this worker. */
export async function serveSites(
  readSites: (text?: string) => SitesConfig,
  loaded: LoadedSettings,
  context: CommandContext,
): Promise<void> {
  const { createLogger, stdout, stopSignal, front } = context
  const sitesConfig = readSites(context.sitesText)
  const { server, sites } = sitesConfig
  const worker = front?.index ?? 0
  const directory = openDataDirectory(server.dataDirectory)
  const ownLog = createLogger(server.logLevel)
  const log = worker === 0 ? ownLog : ownLog.child({ worker })
  const check = (config: SitesConfig) => checkSites(config, loaded, { log, directory, context })
  if (worker === 0) {
    for (const warning of loaded.warnings) log.warn(warning)
    check(sitesConfig)
  }
  const clock = systemClock
  const { redisUrl } = server
  const { SITES_FILE: file = '' } = loaded.environment
  const path = sitesFilePath(loaded.environment, context.directory)
  const reload = createSitesReload(sitesConfig, {
    readText: () => readSitesFile(file.trim(), path),
    parse: readSites,
    changed(changed) {
      check(changed)
      hosting.changeSites(changed)
    },
    log,
  })
  await using stores = createStores({ directory, redisUrl, now: clock.now })
  await using hosting = await startHosting({
    sites: sitesConfig,
    parse: readSites,
    faults: reload.faults,
    clock,
    log,
    random: Math.random,
    openServer: serverOpener(context),
    // Not a possible host name, so it cannot be the name of a website's store.
    openSitesStore: () => stores.open({ siteUrl: 'https://_sites' }, () => undefined),
    openStore: ({ name, config }) =>
      stores.open({ siteUrl: config.site.url, idHost: config.idHost }, (copy) =>
        log.info({ site: name, copy }, 'the store was migrated; a copy of the old store is kept'),
      ),
  })
  const stopped = stopSignal()
  const watching = new AbortController()
  if (worker === 0) {
    hosting.onReload(() => reload.check(true))
    void watchFile(path, { check: () => reload.check(), clock, signal: watching.signal })
    log.info({ url: hosting.url, sites: sites.length }, 'listening')
    stdout.write(siteTable(sitesConfig, hosting.url))
  }
  await waitForSignal(hosting, stopped, { clock, log })
  watching.abort()
}

/** Restricts access to files, and logs faults in the settings. */
function checkSites(
  { sites, faulty, secretFiles: namedFiles }: SitesConfig,
  { environment }: LoadedSettings,
  parts: {
    readonly log: Logger
    readonly directory: string
    readonly context: CommandContext
  },
): void {
  const { log, directory, context } = parts
  const secrets = [...secretFiles(environment, context.directory), ...namedFiles]
  restrictFiles({ dataDirectory: directory, secretFiles: secrets }, log)
  for (const { name, faults } of faulty) {
    for (const fault of faults) log.error({ site: name }, fault)
  }
  for (const { name, config } of sites) warnOfShortPassword(config, log.child({ site: name }))
}

function siteTable({ sites, faulty }: SitesConfig, url: string): string {
  const width = Math.max(...[...sites, ...faulty].map(({ name }) => name.length))
  const table = [
    ...sites.map(({ name, config }) => `  ${name.padEnd(width)}  ${config.publicUrl}/\n`),
    ...faulty.map(
      ({ name }) => `  ${name.padEnd(width)}  not served: invalid settings, see the log\n`,
    ),
  ]
  const count = sites.length === 1 ? 'one site' : `${sites.length} sites`
  return `Feedhouse serves ${count} at ${url}\n\n${table.join('')}\nStop with Ctrl+C.\n`
}
