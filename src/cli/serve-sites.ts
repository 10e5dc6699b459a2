import { systemClock } from '../clock.ts'
import { secretFiles, type LoadedSettings } from '../config/environment.ts'
import type { SitesConfig } from '../config/sites-config.ts'
import { startHosting } from '../app/hosting.ts'
import { openDataDirectory } from '../store/data-directory.ts'
import { createStores } from '../store/open-store.ts'
import type { CommandContext } from './command.ts'
import { restrictFiles, warnOfShortPassword } from './startup-checks.ts'
import { serverOpener } from './server-opener.ts'
import { waitForSignal } from './wait-for-signal.ts'

/** Serves several sites in one process. */
export async function serveSites(
  sitesConfig: SitesConfig,
  { environment, warnings }: Pick<LoadedSettings, 'environment' | 'warnings'>,
  context: CommandContext,
): Promise<void> {
  const { createLogger, directory: workingDirectory, stdout, stopSignal } = context
  const { server, sites, faulty } = sitesConfig
  const directory = openDataDirectory(server.dataDirectory)
  const log = createLogger(server.logLevel)
  for (const warning of warnings) log.warn(warning)
  const secrets = [...secretFiles(environment, workingDirectory), ...sitesConfig.secretFiles]
  restrictFiles({ dataDirectory: directory, secretFiles: secrets }, log)
  for (const { name, faults } of faulty) {
    for (const fault of faults) log.error({ site: name }, fault)
  }
  const clock = systemClock
  for (const { name, config } of sites) warnOfShortPassword(config, log.child({ site: name }))
  const { redisUrl } = server
  await using stores = createStores({ directory, redisUrl, now: clock.now })
  await using hosting = await startHosting({
    ...sitesConfig,
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
  log.info({ url: hosting.url, sites: sites.length }, 'listening')
  const width = Math.max(...[...sites, ...faulty].map(({ name }) => name.length))
  const table = [
    ...sites.map(({ name, config }) => `  ${name.padEnd(width)}  ${config.publicUrl}/\n`),
    ...faulty.map(
      ({ name }) => `  ${name.padEnd(width)}  not served: invalid settings, see the log\n`,
    ),
  ]
  stdout.write(
    `Feedhouse serves ${sites.length} sites at ${hosting.url}\n\n${table.join('')}\nStop with Ctrl+C.\n`,
  )
  await waitForSignal(hosting, stopped, { clock, log })
}
