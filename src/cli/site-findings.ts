import { randomUUID } from 'node:crypto'
import { servedSettings } from '../app/served-settings.ts'
import { resourcesReadFor } from '../app/site.ts'
import { createUpstreamClient } from '../app/upstream-client.ts'
import { checkSite, type FeedsOfResource, type Finding } from '../check/site-check.ts'
import { systemClock } from '../clock.ts'
import type { Config, SiteSettings } from '../config/config.ts'
import { createCatalog, publishableFeeds, type Catalog } from '../feeds/catalog.ts'
import { includesMembers, members } from '../feeds/catalog/members.ts'
import type { Feed } from '../feeds/feed.ts'
import { hasEnded, type FeedLink } from '../links/feed-link.ts'
import { storedLinks } from '../links/stored-links.ts'
import type { Logger } from '../log.ts'
import { endpointOf, type Resource } from '../records/resources.ts'
import { replicaCount } from '../store/replicas.ts'
import { requestRetry } from '../store/service-signals.ts'
import type { Store } from '../store/store.ts'
import { createConnection } from '../upstream/connection.ts'
import { databaseFindings, settingsFindings } from './check-settings.ts'
import { unknownText } from './command-settings.ts'

/**
 * Tests a website and all settings for it. With `hasAllDatabases`, also lists custom databases that are not in
 * the settings. With `isOnPage`, the advice is for a page with a form for the settings. If the website works,
 * a running service retries failed reads.
 */
export async function* siteFindings(
  config: Config & { readonly site: SiteSettings },
  store: Store,
  {
    log,
    hasAllDatabases = false,
    isOnPage = false,
  }: {
    readonly log: Logger
    readonly hasAllDatabases?: boolean
    readonly isOnPage?: boolean
  },
): AsyncGenerator<Finding> {
  const { site } = config
  const { documents } = store
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
    log,
    isForPerson: true,
    signal: new AbortController().signal,
  })
  const { config: served, unknown } = await servedSettings(config, store)
  if (unknown) yield { check: 'settings', ok: false, sentence: unknownText(unknown) }
  const { publicFeeds: publicIds } = served
  const { databases } = served.site
  const catalog = createCatalog(databases)
  const all = await storedLinks(documents)
  const links = all.filter((link) => !hasEnded(link, systemClock.now()))
  const found: Finding[] = []
  const ofWebsite = checkSite({
    dataService: client.dataService,
    async token() {
      await client.tokens.load()
      const { expiresAt } = client.tokens.state()
      await client.tokens.current()
      return expiresAt
    },
    isAccessToken: client.isAccessToken,
    budget: client.budget,
    siteUrl,
    timeZone: site.timeZone,
    feedsOf: feedsByAudience(publicIds, links, catalog),
    now: systemClock.now,
    isOnPage,
  })
  for await (const finding of ofWebsite) {
    found.push(finding)
    yield finding
  }
  const isWanted = (databases?.length ?? 0) > 0 || hasAllDatabases
  if (isWanted && found.some((finding) => finding.check === 'databases' && isReadable(finding))) {
    yield* databaseFindings(client.dataService, databases ?? [], { all: hasAllDatabases })
  }
  const publicFeeds = catalog.feeds.filter(({ id }) => publicIds.includes(id))
  const resources = resourcesReadFor({ publicFeeds, catalog }, links)
  const checked = { ...config, publicFeeds: publicIds }
  yield* settingsFindings({ config: checked, store, resources })
  // If a read fails again, this costs only one call, and the read backs off again.
  if (found.some(isReadable)) await requestRetry(documents)
}

/** Lists the feeds that can and cannot be read. */
export function feedLines(findings: readonly Finding[]): readonly string[] {
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
