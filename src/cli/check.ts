import { randomUUID } from 'node:crypto'
import { createUpstreamClient } from '../app/upstream-client.ts'
import { resourcesReadFor } from '../app/site.ts'
import { checkSite, type FeedsOfResource, type Finding } from '../check/site-check.ts'
import { systemClock } from '../clock.ts'
import { storeDirectory } from '../config/config.ts'
import type { Environment } from '../config/environment.ts'
import {
  createCatalog,
  defaultPublicFeeds,
  publishableFeeds,
  type Catalog,
} from '../feeds/catalog.ts'
import { includesMembers, members } from '../feeds/catalog/members.ts'
import type { Feed } from '../feeds/feed.ts'
import { hasEnded, type FeedLink } from '../links/feed-link.ts'
import { storedLinks } from '../links/stored-links.ts'
import { endpointOf, type Resource } from '../records/resources.ts'
import { isRunning, replicaCount } from '../store/replicas.ts'
import { requestRetry, writeFailure } from '../store/service-signals.ts'
import { createConnection } from '../upstream/connection.ts'
import { databaseFindings, settingsFindings } from './check-settings.ts'
import {
  configuredAddress,
  currentDatabases,
  forEachSite,
  openConfiguredStore,
  sitesOptions,
  type ChosenSite,
} from './chosen-site.ts'
import { defineCommand, flag, platformIn, type CommandContext } from './command.ts'
import { showProgress } from './progress.ts'
import { UsageError } from './user-errors.ts'

export const command = defineCommand({
  options: {
    databases: flag(
      'also list the custom databases, their fields and suggested DATABASE_FEEDS settings; uses one more call, plus one for each database',
    ),
    json: flag('print one JSON line per finding'),
    ...sitesOptions('check all sites in SITES_FILE, one after another'),
  },
  help: (list) => `Usage: npx feedhouse check

Tests the website at SITE_URL: connection and certificate, token, all endpoints, clock and time
zone, API calls used, whether phones can reach PUBLIC_URL, and the receivers of alerts. Reports each
problem, how to fix it and who can do so, then lists the available feeds. The exit status is 0 if
there are no problems, otherwise 1. If the website works, a running service immediately retries
failed reads. Uses about 14 API calls, which count toward the service's limit, and waits if the limit
is reached.

${list()}`,
  run: ({ values }, context) =>
    forEachSite(values, context, (site) => check(site, values, context)),
})

async function check(
  { config, print }: ChosenSite,
  values: { readonly json?: boolean | undefined; readonly databases?: boolean | undefined },
  context: CommandContext,
): Promise<number> {
  const { stdout, createLogger, environment } = context
  const { site } = config
  if (!site)
    throw new UsageError(
      'SITE_URL is not set, so there is no website to check. Set it in .env; README.md has the steps.',
    )
  await using store = await openConfiguredStore(config, context)
  const found: Finding[] = []
  using progress = showProgress(context, values)
  const show = (finding: Finding): void => {
    found.push(finding)
    progress.clear()
    print(finding, `${finding.ok ? 'ok   ' : 'FAULT'}  ${finding.sentence}`)
    progress.report('Checks done', found.length)
  }
  const { documents } = store
  const failure = await writeFailure(documents, storeDirectory(config), systemClock.now())
  if (failure) {
    // Without the store, calls to the API cannot be counted.
    show({ check: 'store', ok: false, sentence: failure.message })
    return 1
  }
  const replicas = Math.max(1, await replicaCount(documents))
  const { url: siteUrl, caPem } = site
  await using connection = createConnection({ siteUrl, caPem, now: systemClock.now })
  const client = createUpstreamClient({
    ...config,
    site,
    connection,
    store,
    replica: { id: randomUUID(), count: () => replicas },
    clock: systemClock,
    random: Math.random,
    log: createLogger('silent'),
    isForPerson: true,
    signal: new AbortController().signal,
  })
  const publicIds = config.publicFeeds ?? defaultPublicFeeds
  const databases = await currentDatabases(documents, config)
  const catalog = createCatalog(databases)
  const all = await storedLinks(documents)
  const links = all.filter((link) => !hasEnded(link, systemClock.now()))
  const findings = checkSite({
    dataService: client.dataService,
    async token() {
      await client.tokens.load()
      const { expiresAt } = client.tokens.state()
      await client.tokens.current()
      return expiresAt
    },
    isAccessToken: client.isAccessToken,
    budget: client.budget,
    siteUrl: site.url,
    timeZone: site.timeZone,
    feedsOf: feedsByAudience(publicIds, links, catalog),
    now: systemClock.now,
  })
  if (!values.json) {
    stdout.write(
      `Checking ${siteUrl}. This uses about 14 of the ${config.callsPerMinute} API calls per minute; it waits if the limit is reached.\n`,
    )
  }
  progress.report('Checking')
  for await (const finding of findings) show(finding)
  const isWanted = (databases?.length ?? 0) > 0 || values.databases === true
  if (isWanted && found.some((finding) => finding.check === 'databases' && isReadable(finding))) {
    const all = values.databases === true
    for await (const finding of databaseFindings(client.dataService, databases ?? [], { all })) {
      show(finding)
    }
  }
  const publicFeeds = catalog.feeds.filter(({ id }) => publicIds.includes(id))
  const resources = resourcesReadFor({ publicFeeds, catalog }, links)
  for await (const finding of settingsFindings({ config, store, resources })) show(finding)
  // If a read fails again, this costs only one call, and the read backs off again.
  if (found.some(isReadable)) await requestRetry(documents)
  progress.clear()
  const status = found.every(({ ok }) => ok) ? 0 : 1
  if (values.json) return status
  const { publicUrl } = await configuredAddress(documents, config)
  const serviceRuns = await isRunning(documents)
  stdout.write(`\n${checkSummary(found, publicUrl, environment, serviceRuns).join('\n')}\n`)
  return status
}

export function checkSummary(
  findings: readonly Finding[],
  address: string,
  environment: Environment,
  serviceRuns: boolean,
): readonly string[] {
  const { start, restart } = platformIn(environment)
  const isFaulty = findings.some(({ ok }) => !ok)
  const next = serviceRuns
    ? `open ${address}/ and ${address}/status. Feedhouse is running, and`
    : `${start}, then open ${address}/ and ${address}/status. A running Feedhouse`
  return [
    ...feedLines(findings),
    isFaulty
      ? 'Next: fix the FAULT lines above, then run check again.'
      : `Next: ${next} picks this up automatically, including a new token in SITE_REFRESH_TOKEN_FILE; ${restart} after changing any other setting.`,
  ]
}

function feedLines(findings: readonly Finding[]): readonly string[] {
  const works = findings.filter(isReadable)
  const fails = findings.filter(({ code, feeds }) => feeds && code !== undefined)
  if (works.length === 0) {
    return [
      'No feed could be read. If Feedhouse has read them before, it keeps serving its last good copies.',
    ]
  }
  const open = works.flatMap(({ feeds }) => feeds?.public ?? [])
  const byLink = works.flatMap(({ feeds }) => feeds?.byLink ?? [])
  const missing = fails.flatMap(({ feeds }) => [...(feeds?.public ?? []), ...(feeds?.byLink ?? [])])
  const listed = [
    ['Feeds that anyone can read', open],
    ['Feeds that require a feed link', byLink],
    ['Unavailable feeds', missing],
  ] as const
  return listed.flatMap(([label, ids]) => (ids.length > 0 ? [`${label}: ${ids.join(', ')}.`] : []))
}

function isReadable({ ok, code, feeds }: Finding): boolean {
  return feeds !== undefined && ok && code === undefined
}

const noFeeds: FeedsOfResource = { public: [], byLink: [], ifNamed: [], ifNamedByLink: [] }

function feedsByAudience(
  published: readonly string[],
  links: readonly FeedLink[],
  { linkFeeds, feedsOf }: Catalog,
): (resource: Resource) => FeedsOfResource {
  const byLink = [
    ...[{ feedIds: undefined }, ...links].flatMap(feedsOf).map(({ id }) => id),
    ...(links.some(includesMembers) ? [members.id] : []),
  ]
  const audienceOf = (id: Feed['id']) => {
    if (published.includes(id)) return 'public'
    if (byLink.includes(id)) return 'byLink'
    return publishableFeeds.some((feed) => feed.id === id) ? 'ifNamed' : 'ifNamedByLink'
  }
  return (resource) => {
    const shown = linkFeeds.filter((feed) => endpointOf(feed.resource) === resource)
    const ids = shown.map(({ id }) => id)
    return { ...noFeeds, ...Object.groupBy(ids, audienceOf) }
  }
}
