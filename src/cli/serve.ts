import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { readConfig } from '../config/config.ts'
import { secretFiles, settingsIn } from '../config/environment.ts'
import { hasSitesFile, readSitesConfig } from '../config/sites-config.ts'
import { defaultPublicFeeds, feeds, standardCatalog } from '../feeds/catalog.ts'
import { feedUrl } from '../feeds/feed.ts'
import { startService } from '../app/hosting.ts'
import { openDataDirectory } from '../store/data-directory.ts'
import { emptyDemoStore } from '../store/open-store.ts'
import type { Command } from './command.ts'
import { openServedStore } from './configured-store.ts'
import { UsageError } from './user-errors.ts'
import { serveSites } from './serve-sites.ts'
import { serverOpener } from './server-opener.ts'
import { restrictFiles, warnOfShortPassword } from './startup-checks.ts'
import { waitForSignal } from './wait-for-signal.ts'

const help = `Usage: npx feedhouse serve

Runs the service with settings from the environment and the .env file. Without SITE_URL, it
serves the demo: a sandbox with sample data. With SITES_FILE, it serves several sites, each at its
own PUBLIC_URL.

  --demo  serve the demo even if PUBLIC_URL is https
`

const publicDemoText =
  'PUBLIC_URL is https and SITE_URL is not set, so this would publish the demo. Set SITE_URL, or run serve --demo to publish the demo.'

const demoConflictText = '--demo cannot be combined with SITE_URL or SITES_FILE.'

/** Feed link for trying the demo. */
const demoLink = {
  label: 'Demo',
  feedIds: undefined,
  profile: 'full',
  expiresAt: undefined,
} as const

/** Settings for the look of the demo's pages. */
const demoIdentity = { place: 'Cedar Hollow, NY', color: '#b3261e' }

/** Hosts that stand for all network interfaces. Subscribers cannot connect to them. */
const wildcardHosts = ['0.0.0.0', '::']

const run: Command['run'] = async (args, context) => {
  const { values } = parseArgs({ args: [...args], options: { demo: { type: 'boolean' } } })
  const loaded = settingsIn(context.directory, context.environment)
  const { environment, faults, warnings } = loaded
  if (hasSitesFile(environment)) {
    if (values.demo) throw new UsageError(demoConflictText)
    const readSites = (text?: string) =>
      readSitesConfig(environment, faults, context.directory, text)
    return serveSites(readSites, loaded, context)
  }
  const config = readConfig(environment, faults, context.directory)
  if (values.demo && config.site) throw new UsageError(demoConflictText)
  if (!values.demo && !config.site && config.publicUrl?.startsWith('https:')) {
    throw new UsageError(publicDemoText)
  }
  const dataDirectory = openDataDirectory(config.dataDirectory)
  const log = context.createLogger(config.logLevel)
  for (const warning of warnings) log.warn(warning)
  const secrets = secretFiles(environment, context.directory)
  restrictFiles({ dataDirectory, secretFiles: secrets }, log)
  await using running = new AsyncDisposableStack()
  const { site, ...shown } = config.site
    ? { site: config.site, title: config.site.url, feedIds: defaultPublicFeeds, note: '' }
    : await startDemo(dataDirectory, running)
  const publicFeedIds = config.publicFeeds ?? shown.feedIds
  warnOfShortPassword(config, log)
  const clock = systemClock
  let hasOpened = false
  const openStore = () => {
    // A change of settings opens the store again.
    if (!config.site && !hasOpened) emptyDemoStore(dataDirectory)
    hasOpened = true
    return openServedStore(config, dataDirectory, {
      onMigrated: (copy) =>
        log.warn({ copy }, 'the store was migrated; a copy of the old store is kept'),
    })
  }
  const parts = {
    site,
    publicFeedIds,
    openStore,
    openServer: serverOpener(context),
    clock,
    log,
    random: Math.random,
  }
  // The demo may share its data directory with stores for real websites.
  const idHost = config.site ? config.idHost : new URL(site.url).hostname
  const service = running.use(await startService({ ...parts, config: { ...config, idHost } }))
  const stopped = context.stopSignal()
  log.info({ url: service.url }, 'listening')
  const link = config.site ? undefined : await service.site.addLink(demoLink)
  const addresses = addressTable(publicFeedIds, service.publicUrl, [
    ...(link === undefined ? [] : [['Feed link (full)', link]]),
    ...(config.adminPassword === undefined ? [] : [['Admin page', `${service.publicUrl}/admin`]]),
  ])
  context.stdout.write(
    `Feedhouse serves ${shown.title}\n\n${addresses}${shown.note}\nStop with Ctrl+C.\n`,
  )
  if (config.publicUrl === undefined && wildcardHosts.includes(config.host)) {
    context.stdout.write('Set PUBLIC_URL to the URL where subscribers reach Feedhouse.\n')
  }
  await waitForSignal(service, stopped, { clock, log })
}

export const serveCommand: Command = { help, run }

async function startDemo(dataDirectory: string, running: AsyncDisposableStack) {
  const { createSandbox } = await import('../sandbox/sandbox.ts')
  const certificateDirectory = openDataDirectory(join(dataDirectory, 'sandbox'))
  const sandbox = running.use(await createSandbox({ certificateDirectory }))
  const { url, caFile, timeZone, siteName: name, projects, manager } = sandbox
  const refreshToken = projects[0]?.refreshToken ?? ''
  return {
    site: {
      url,
      caPem: readFileSync(caFile, 'utf8'),
      timeZone,
      name,
      identity: demoIdentity,
      refreshToken,
      links: {},
    },
    title: `the demo: ${name}, a fictional website`,
    feedIds: standardCatalog.feedsOf(demoLink).map(({ id }) => id),
    note: `\nManage the demo site's API Projects at\n  ${manager.url}  (password ${manager.password})\n`,
  }
}

function addressTable(
  publicFeedIds: readonly string[],
  publicUrl: string,
  others: readonly (readonly string[])[],
): string {
  const published = feeds.filter((feed) => publicFeedIds.includes(feed.id))
  const rows = [
    ['Home page', `${publicUrl}/`],
    ...others,
    ...published.flatMap((feed) =>
      feed.formats.map((format) => [`${feed.title} (${format})`, feedUrl(publicUrl, feed, format)]),
    ),
  ]
  const width = Math.max(...rows.map(([label = '']) => label.length))
  return rows.map(([label = '', url = '']) => `  ${label.padEnd(width)}  ${url}\n`).join('')
}
