import { randomUUID } from 'node:crypto'
import { startHosting, startService } from '../hosting/hosting.ts'
import { recordSettings } from '../app/lost-documents.ts'
import { wildcardHosts, type OpenServer } from '../hosting/web-server.ts'
import { systemClock } from '../clock.ts'
import {
  minPasswordLength as atLeast,
  readConfig,
  readServer,
  type SiteConfig,
} from '../config/config.ts'
import { readValues, secretFiles, settingsIn, type LoadedSettings } from '../config/environment.ts'
import { readProcessConfig, readSitesConfig, type SitesConfig } from '../config/sites-config.ts'
import { hasSitesFile, sitesLocation } from '../config/sites-location.ts'
import { createSitesReload } from '../config/sites-reload.ts'
import { defaultPublicFeeds, feeds } from '../feeds/catalog.ts'
import { feedUrl } from '../feeds/feed.ts'
import type { Logger } from '../log.ts'
import { openDataDirectory } from '../store/data-directory.ts'
import { createStores, emptyDemoStore, sharedStore, type Stores } from '../store/open-store.ts'
import {
  removeAbandonedFiles,
  restrictDataFiles,
  restrictSecretFiles,
} from '../store/private-files.ts'
import { withFallback } from '../store/store-error.ts'
import { servedStore } from './chosen-site.ts'
import { defineCommand, flag, type CommandContext, type StopSignal } from './command.ts'
import { isTerminal } from './output.ts'
import { demoLinks, demoSettings, isDemo, startDemo } from './demo.ts'
import { createSitesSource } from './sites-source.ts'
import { UsageError } from './user-errors.ts'

/** Time for load balancers to stop sending requests; they may poll /readyz every two seconds. */
const unreadyMs = 2_000

const publicDemoText =
  'PUBLIC_URL is https and SITE_URL is not set, so this would publish the demo. Set SITE_URL, or run serve --demo to publish the demo.'

const demoConflictText = '--demo cannot be combined with SITE_URL or SITES_FILE.'

const clock = systemClock
const random = Math.random

export const command = defineCommand({
  options: { demo: flag('serve the demo even if PUBLIC_URL is https') },
  help: (list) => `Usage: npx feedhouse serve

Runs the service with settings from the environment and the .env file. Without SITE_URL, it
serves the demo (a sandbox with sample data) or, with SETUP=yes, a page that asks for the settings.
With SITES_FILE, it serves several sites, each at its own PUBLIC_URL.

${list()}`,
  async run({ values }, context) {
    const { directory, environment } = context
    const loaded = settingsIn(directory, environment)
    if (!values.demo && isDemo(loaded.environment) && hasSetupPage(loaded)) {
      const { runSetup } = await import('./setup.ts')
      const openServer = await runSetup(loaded, requireServer(context), context)
      if (!openServer) return
      return serveSite(false, settingsIn(directory, environment), { ...context, openServer })
    }
    if (!hasSitesFile(loaded.environment)) return serveSite(values.demo === true, loaded, context)
    if (values.demo) throw new UsageError(demoConflictText)
    return serveSites(loaded, context)
  },
})

function hasSetupPage({ environment: { SETUP }, directory }: LoadedSettings): boolean {
  return readServer(readValues({ SETUP }, directory)).config.hasSetupPage
}

async function serveSite(isDemoWanted: boolean, loaded: LoadedSettings, context: CommandContext) {
  await using running = new AsyncDisposableStack()
  const environment = isDemo(loaded.environment)
    ? await demoSettings(loaded.environment, running, context)
    : loaded.environment
  const config = readConfig(environment, loaded.faults, context.directory)
  if (isDemoWanted && config.site) throw new UsageError(demoConflictText)
  if (!isDemoWanted && !config.site && config.publicUrl?.startsWith('https:')) {
    throw new UsageError(publicDemoText)
  }
  const dataDirectory = openDataDirectory(config.dataDirectory)
  const inTerminal = isTerminal(context.stdout)
  // Log lines would push the demo's list of URLs off the screen.
  const isQuiet = inTerminal && !config.site && !loaded.environment['LOG_LEVEL']
  const log = context.createLogger(isQuiet ? 'warn' : config.logLevel)
  for (const warning of loaded.warnings) log.warn(warning)
  restrictFiles(dataDirectory, secretFiles(loaded.environment, context.directory), log)
  const redisUrl = config.site ? config.redisUrl : undefined
  await using stores = createStores({ directory: dataDirectory, redisUrl, now: clock.now })
  const { language, adminPassword } = config
  const printsEmails = environment['SMTP_URL'] !== loaded.environment['SMTP_URL']
  const { site, ...shown } = config.site
    ? { site: config.site, title: config.site.url, feedIds: defaultPublicFeeds, note: '' }
    : await startDemo(dataDirectory, { language, adminPassword, printsEmails }, running, context)
  const publicFeedIds = config.publicFeeds ?? shown.feedIds
  warnOfShortPassword(config, log)
  let hasOpened = false
  const openStore = () => {
    // A settings change opens the store again.
    if (!config.site && !hasOpened) emptyDemoStore(dataDirectory)
    hasOpened = true
    return stores.open(servedStore(config), {
      onMigrated: (copy) =>
        log.warn({ copy }, 'the store was migrated; a copy of the old store is kept'),
    })
  }
  // The demo may share its data directory with stores for real websites.
  const idHost = config.site ? config.idHost : new URL(site.url).hostname
  const service = running.use(
    await startService({
      config: { ...config, idHost },
      site,
      publicFeedIds,
      openStore,
      openSharedStore: () => stores.open(sharedStore),
      openServer: requireServer(context),
      clock,
      log,
      random,
    }),
  )
  const stopped = context.stopSignal()
  await warnOfStore(stores, log)
  log.info({ url: service.url }, 'listening')
  const links = config.site || config.adminPassword === undefined || !inTerminal ? [] : demoLinks
  const addresses = addressTable(publicFeedIds, service.publicUrl, [
    ['Board', `${service.publicUrl}/board`],
    ...(config.adminPassword === undefined ? [] : [['Admin page', `${service.publicUrl}/admin`]]),
    ...(await Promise.all(
      links.map(async ([name, link]) => [name, await service.site.addLink(link)]),
    )),
  ])
  context.stdout.write(
    `Feedhouse serves ${shown.title}\n\n${addresses}${shown.note}\nStop with Ctrl+C.\n`,
  )
  if (config.publicUrl === undefined && wildcardHosts.includes(config.host)) {
    context.stdout.write('Set PUBLIC_URL to the URL where subscribers reach Feedhouse.\n')
  }
  await drainOnSignal(service, stopped, log)
}

function addressTable(
  publicFeedIds: readonly string[],
  publicUrl: string,
  others: readonly (readonly string[])[],
): string {
  const published = feeds.filter((feed) => publicFeedIds.includes(feed.id))
  return tableOf([
    ['Home page', `${publicUrl}/`],
    ...others,
    ...published.flatMap((feed) =>
      feed.formats.map((format) => [
        `${feed.textIn('en').title} (${format})`,
        feedUrl(publicUrl, feed, format),
      ]),
    ),
  ])
}

function tableOf(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map(([label = '']) => label.length))
  return rows.map(([label = '', text = '']) => `  ${label.padEnd(width)}  ${text}\n`).join('')
}

async function serveSites(loaded: LoadedSettings, context: CommandContext): Promise<void> {
  const { createLogger, stdout, stopSignal, front } = context
  const { environment, faults } = loaded
  const server = readProcessConfig(environment, faults, context.directory)
  const worker = front?.index ?? 0
  const directory = openDataDirectory(server.dataDirectory)
  const ownLog = createLogger(server.logLevel)
  const log = worker === 0 ? ownLog : ownLog.child({ worker })
  const location = sitesLocation(environment, context.directory)
  const source = createSitesSource(location, { header: server.sitesFileHeader, clock, log })
  const parse = (text: string) => readSitesConfig(environment, faults, context.directory, text)
  const sitesConfig =
    context.sitesText === undefined ? await source.first(parse) : parse(context.sitesText)
  const { sites } = sitesConfig
  /** Restricts access to files, and logs errors in the settings. */
  const check = (config: SitesConfig) => {
    const named = secretFiles(environment, context.directory)
    restrictFiles(directory, [...named, ...config.secretFiles], log)
    for (const { name, faults } of config.faulty) {
      for (const fault of faults) log.error({ site: name }, fault)
    }
    for (const site of config.sites)
      warnOfShortPassword(site.config, log.child({ site: site.name }))
  }
  if (worker === 0) {
    for (const warning of loaded.warnings) log.warn(warning)
    check(sitesConfig)
    source.keep(sitesConfig.text)
  }
  const { redisUrl, advertiseUrl } = server
  const owner = front && advertiseUrl !== undefined ? randomUUID() : undefined
  const reload = createSitesReload(sitesConfig, {
    readText: () => source.text(),
    parse,
    changed(changed) {
      check(changed)
      source.keep(changed.text)
      hosting.changeSites(changed)
    },
    log,
  })
  await using stores = createStores({ directory, redisUrl, now: clock.now, owner })
  front?.events.on('renewClaims', () => void stores.renewClaims())
  await using hosting = await startHosting({
    sites: sitesConfig,
    parse,
    faults: () => [
      ...reload.faults().map((fault) => `The changed sites file is not used: ${fault}`),
      ...source.faults().map((fault) => `The sites file could not be downloaded: ${fault}`),
    ],
    sitesFile: source.status,
    clock,
    log,
    random,
    openServer: requireServer(context),
    openSharedStore: () => stores.open(sharedStore),
    openStore: ({ name, config }, { lost }) =>
      stores.open(servedStore(config), {
        lost: owner && lost,
        onMigrated: (copy) =>
          log.info({ site: name, copy }, 'the store was migrated; a copy of the old store is kept'),
      }),
  })
  const stopped = stopSignal()
  const watching = new AbortController()
  const { signal } = watching
  if (worker === 0) {
    await warnOfStore(stores, log)
    hosting.onReload(() => source.reload(reload.check))
    void source.watch(reload.check, signal)
    if (owner !== undefined) {
      const stored = () => reload.sites().map(({ config }) => servedStore(config))
      void recordSettings(() => stores.recordSettings(stored()), { clock, log, random }, signal)
    }
    const { source: from, since } = source.status() ?? {}
    log.info({ url: hosting.url, sites: sites.length, source: from, since }, 'listening')
    stdout.write(siteTable(sitesConfig, hosting.url))
  }
  await drainOnSignal(hosting, stopped, log)
  watching.abort()
}

function siteTable({ sites, faulty }: SitesConfig, url: string): string {
  const table = tableOf([
    ...sites.map(({ name, config }) => [name, `${config.publicUrl}/`]),
    ...faulty.map(({ name }) => [name, 'not served: invalid settings, see the log']),
  ])
  const count = sites.length === 1 ? 'one site' : `${sites.length} sites`
  return `Feedhouse serves ${count} at ${url}\n\n${table}\nStop with Ctrl+C.\n`
}

function requireServer({ openServer }: CommandContext): OpenServer {
  if (openServer) return openServer
  throw new Error('only a worker process can serve')
}

/** Logs settings of Redis with which it can lose data. */
async function warnOfStore(stores: Stores, log: Logger): Promise<void> {
  const faults = await withFallback(
    () => stores.faults(),
    () => [],
  )
  for (const fault of faults) log.warn(fault)
}

/** Restricts access to data files and secrets to this user. Logs a warning for each failure. */
function restrictFiles(dataDirectory: string, secrets: readonly string[], log: Logger): void {
  removeAbandonedFiles(dataDirectory, clock.now())
  for (const file of [...restrictDataFiles(dataDirectory), ...restrictSecretFiles(secrets)]) {
    log.warn(
      { file },
      'other users can access this file, and its mode could not be changed; change it with chmod',
    )
  }
}

function warnOfShortPassword({ adminPassword }: SiteConfig, log: Logger): void {
  if (adminPassword === undefined || adminPassword.length >= atLeast) return
  log.warn({ characters: adminPassword.length, atLeast }, 'ADMIN_PASSWORD is short')
}

/** On SIGTERM, /readyz first returns 503 for a while, so that load balancers send no requests. */
async function drainOnSignal(
  service: { readonly drain: () => void },
  stopped: Promise<StopSignal>,
  log: Logger,
): Promise<void> {
  const signal = await stopped
  log.info({ signal }, 'stopping')
  if (signal !== 'SIGTERM') return
  service.drain()
  await clock.sleep(unreadyMs)
}
