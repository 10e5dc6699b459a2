import { systemClock } from '../clock.ts'
import { secretFiles, type LoadedSettings } from '../config/environment.ts'
import type { SitesConfig } from '../config/sites-config.ts'
import { startHosting } from '../app/hosting.ts'
import type { Logger } from '../log.ts'
import { openDataDirectory } from '../store/data-directory.ts'
import { createStores } from '../store/open-store.ts'
import type { CommandContext } from './command.ts'
import { restrictFiles, warnOfShortPassword } from './startup-checks.ts'
import { serverOpener } from './server-opener.ts'
import { waitForSignal } from './wait-for-signal.ts'

/** Serves several sites, or the share of them that belongs to this maker. */
export async function serveSites(
  sitesConfig: SitesConfig,
  loaded: Pick<LoadedSettings, 'environment' | 'warnings'>,
  context: CommandContext,
): Promise<void> {
  const { createLogger, stdout, stopSignal, front } = context
  const { server, sites } = sitesConfig
  const maker = front?.index ?? 0
  const directory = openDataDirectory(server.dataDirectory)
  const ownLog = createLogger(server.logLevel)
  const log = maker === 0 ? ownLog : ownLog.child({ maker })
  if (maker === 0) checkAtStart(sitesConfig, loaded, { log, directory, context })
  const clock = systemClock
  const { redisUrl } = server
  await using stores = createStores({ directory, redisUrl, now: clock.now })
  await using hosting = await startHosting({
    ...sitesConfig,
    // The first maker reports them.
    faulty: maker === 0 ? sitesConfig.faulty : [],
    clock,
    log,
    random: Math.random,
    openServer: serverOpener(context),
    openStore: ({ name, config }) =>
      stores.open({ siteUrl: config.site.url, idHost: config.idHost }, (copy) =>
        log.info({ site: name, copy }, 'the store was migrated; a copy of the old store is kept'),
      ),
  })
  const stopped = stopSignal()
  if (maker === 0) {
    log.info({ url: hosting.url, sites: sites.length }, 'listening')
    stdout.write(siteTable(sitesConfig, hosting.url))
  }
  await waitForSignal(hosting, stopped, { clock, log })
}

/** Restricts access to files, and logs faults in the settings. */
function checkAtStart(
  { sites, faulty, secretFiles: namedFiles }: SitesConfig,
  { environment, warnings }: Pick<LoadedSettings, 'environment' | 'warnings'>,
  parts: {
    readonly log: Logger
    readonly directory: string
    readonly context: Pick<CommandContext, 'directory'>
  },
): void {
  const { log, directory, context } = parts
  for (const warning of warnings) log.warn(warning)
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
  return `Feedhouse serves ${sites.length} sites at ${url}\n\n${table.join('')}\nStop with Ctrl+C.\n`
}
