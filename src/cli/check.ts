import { randomBytes, randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { ConfigError } from '../config/config-error.ts'
import { storeDirectory, type Config } from '../config/config.ts'
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
import { idHostOf } from '../app/id-host.ts'
import { endpointOf, type FeedResource, type Resource } from '../records/resources.ts'
import { writeFailure } from '../store/probe.ts'
import { createUpstreamClient } from '../app/upstream-client.ts'
import { resourcesReadFor } from '../app/upstream-sync.ts'
import { detailedResource } from '../collections/copy/resource-rules.ts'
import { storedStates } from '../collections/copy/stored-states.ts'
import { callsPerRound } from '../collections/schedule/freshness.ts'
import { intervalSentence } from '../collections/status/interval-sentence.ts'
import { createReplicas, isRunning, requestRetry } from '../store/replicas.ts'
import type { Documents, Store } from '../store/store.ts'
import { createConnection } from '../upstream/connection.ts'
import { checkSite, type FeedsOfResource, type Finding } from '../check/site-check.ts'
import { databaseFindings } from './check-databases.ts'
import { notificationFindings } from './check-notifications.ts'
import { publicUrlFindings } from './check-public-url.ts'
import { checkSummary } from './check-summary.ts'
import type { Command, CommandContext } from './command.ts'
import { configuredAddress } from './command-config.ts'
import { openConfiguredStore } from './configured-store.ts'
import { forEachSite, sitesOptions, type ChosenSite } from './each-site.ts'
import { UsageError } from './user-errors.ts'

const help = `Usage: npx feedhouse check

Tests the website at SITE_URL: connection and certificate, token, all endpoints, clock and time
zone, API calls used, whether phones can reach PUBLIC_URL, and the receivers of alerts. Reports each problem, how to fix it
and who can do so, then lists the available feeds. The exit status is 0 if there are no problems,
otherwise 1. If the website works, a running service immediately retries failed reads. Uses about 14
API calls, which count toward the service's limit, and waits if the limit is reached.

  --databases  also list the custom databases, their fields, and settings for DATABASE_FEEDS that
               would work; uses another call, and one more for each database
  --json       print one JSON line per finding
  --site NAME  name of the site, if SITES_FILE lists several
  --all        check all sites in SITES_FILE, one after another
`

const run: Command['run'] = async (args, context) => {
  const { values } = parseArgs({
    args: [...args],
    options: { ...sitesOptions, json: { type: 'boolean' }, databases: { type: 'boolean' } },
  })
  return forEachSite(values, context, (site) => check(site, values, context))
}

export const checkCommand: Command = { help, run }

/** Prints the findings about a site. Resolves to the exit status. */
async function check(
  { config, jsonLine }: ChosenSite,
  values: { readonly json?: boolean | undefined; readonly databases?: boolean | undefined },
  context: CommandContext,
): Promise<number> {
  const { stdout, stderr, createLogger, environment } = context
  const { site } = config
  if (!site) throw new UsageError('SITE_URL is not set, so there is no website to check.')
  await using store = await openConfiguredStore(config, stderr)
  const found: Finding[] = []
  const show = (finding: Finding): void => {
    const { ok, sentence } = finding
    found.push(finding)
    stdout.write(values.json ? jsonLine(finding) : `${ok ? 'ok   ' : 'FAULT'}  ${sentence}\n`)
  }
  const failure = await writeFailure(store.documents, {
    directory: storeDirectory(config),
    now: systemClock.now(),
    random: randomBytes,
  })
  if (failure) {
    // Without the store, calls to the API cannot be counted.
    show({ check: 'store', ok: false, sentence: failure.message })
    return 1
  }
  const id = randomUUID()
  const { count, observe } = createReplicas(store.documents, { id, now: systemClock.now })
  await observe()
  const { url: siteUrl, caPem } = site
  await using connection = createConnection({ siteUrl, caPem, now: systemClock.now })
  const client = createUpstreamClient({
    ...config,
    site,
    connection,
    store,
    replica: { id, count },
    clock: systemClock,
    random: Math.random,
    log: createLogger('silent'),
    isForPerson: true,
    signal: new AbortController().signal,
  })
  const publicIds = config.publicFeeds ?? defaultPublicFeeds
  const catalog = createCatalog(site.databases)
  const links = await openLinks(store.documents)
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
  for await (const finding of findings) show(finding)
  const { databases = [] } = site
  const isWanted = databases.length > 0 || values.databases === true
  if (isWanted && found.some((finding) => finding.check === 'databases' && isReadable(finding))) {
    const all = values.databases === true
    for await (const finding of databaseFindings(client.dataService, databases, { all })) {
      show(finding)
    }
  }
  const publicFeeds = catalog.feeds.filter(({ id }) => publicIds.includes(id))
  const resources = resourcesReadFor(publicFeeds, links, catalog)
  for (const finding of await intervalFindings(config, resources, store.documents)) show(finding)
  show(await idHostFinding(store, config))
  for (const finding of await publicUrlFindings(config, store.documents)) show(finding)
  for (const finding of await notificationFindings(config)) show(finding)
  // If a read fails again, this costs only one call, and the read backs off again.
  if (found.some(isReadable)) await requestRetry(store.documents)
  const status = found.every(({ ok }) => ok) ? 0 : 1
  if (values.json) return status
  const { publicUrl } = await configuredAddress(store.documents, config)
  const setup = { environment, serviceRuns: await isRunning(store.documents) }
  stdout.write(`\n${checkSummary(found, publicUrl, setup).join('\n')}\n`)
  return status
}

async function openLinks(documents: Documents): Promise<readonly FeedLink[]> {
  const links = await storedLinks(documents)
  return links.filter((link) => !hasEnded(link, systemClock.now()))
}

/** Reports that the call limit makes the interval between reads longer than `FRESH_SECONDS`. */
async function intervalFindings(
  { freshMs, callsPerDay }: Config,
  resources: readonly FeedResource[],
  documents: Documents,
): Promise<readonly Finding[]> {
  const states = await storedStates(documents)
  const sentence = intervalSentence({
    freshMs,
    callsPerDay,
    usedToday: 0,
    callsPerRound: callsPerRound(resources, (resource) => states.get(resource)?.calls ?? 1),
    details: Object.keys(states.get(detailedResource)?.details ?? {}).length,
  })
  return sentence === undefined ? [] : [{ check: 'FRESH_SECONDS', ok: true, sentence }]
}

/** Reports the host used in all ids. */
async function idHostFinding(store: Store, config: Config): Promise<Finding> {
  const { site, idHost, configuredHosts } = config
  const check = 'ID_HOST'
  try {
    const ids = await idHostOf(store, { siteUrl: site?.url ?? '', idHost, configuredHosts })
    if (ids.isKept) {
      const sentence = `The ids of entries and stories use ${ids.host}, even if the website moves.`
      return { check, ok: true, sentence }
    }
    const sentence = `The ids of entries and stories will use ${ids.host}, which cannot be changed once Feedhouse has started. To use another host, set ID_HOST first.`
    return { check, ok: true, sentence: [sentence, ids.warning ?? []].flat().join(' ') }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { check, ok: false, sentence: error.message }
  }
}

function isReadable({ ok, code, feeds }: Finding): boolean {
  return feeds !== undefined && ok && code === undefined
}

/** Returns a function that lists the feeds made from a resource by audience. */
function feedsByAudience(
  published: readonly string[],
  links: readonly FeedLink[],
  { linkFeeds, feedsOf }: Catalog,
): (resource: Resource) => FeedsOfResource {
  const byLink = [
    ...[{ feedIds: undefined }, ...links].flatMap(feedsOf).map(({ id }) => id),
    ...(links.some(includesMembers) ? [members.id] : []),
  ]
  const audienceOf = ({ id }: Pick<Feed, 'id'>) => {
    if (published.includes(id)) return 'public'
    if (byLink.includes(id)) return 'byLink'
    return publishableFeeds.some((feed) => feed.id === id) ? 'ifNamed' : 'ifNamedByLink'
  }
  return (resource) => {
    const all = linkFeeds.filter((feed) => endpointOf(feed.resource) === resource)
    const idsFor = (audience: keyof FeedsOfResource) =>
      all.filter((feed) => audienceOf(feed) === audience).map(({ id }) => id)
    return {
      public: idsFor('public'),
      byLink: idsFor('byLink'),
      ifNamed: idsFor('ifNamed'),
      ifNamedByLink: idsFor('ifNamedByLink'),
    }
  }
}
