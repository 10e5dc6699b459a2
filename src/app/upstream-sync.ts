import { randomUUID } from 'node:crypto'
import { every, type Clock } from '../clock.ts'
import { createCollections } from '../collections/collections.ts'
import type { SiteConfig, SiteSettings } from '../config/config.ts'
import type { Catalog } from '../feeds/catalog.ts'
import type { Feed } from '../feeds/feed.ts'
import { includesMembers, members } from '../feeds/catalog/members.ts'
import type { FeedLink } from '../links/feed-link.ts'
import type { LinkService } from '../links/link-service.ts'
import type { Logger } from '../log.ts'
import { createUpstreamClient } from './upstream-client.ts'
import { personalResourcesOf } from '../feeds/personal-members.ts'
import { heartbeatMs, createReplicas, type Replicas } from '../store/replicas.ts'
import type { Store } from '../store/store.ts'
import { countedConnection, createConnection } from '../upstream/connection.ts'
import { guardedConnection, noGuard, type ReadingGuard } from '../upstream/guarded-connection.ts'

/** Sources of time and randomness, and the log. */
export type Runtime = {
  readonly clock: Clock
  readonly log: Logger
  /** Returns a random number from 0 up to 1. */
  readonly random: () => number
}

export type UpstreamSyncOptions = Runtime & {
  readonly config: SiteConfig
  readonly site: SiteSettings
}

/**
 * Connects a site's upstream client and collections. The replica heartbeat is the only part that it
 * starts.
 */
export async function createUpstreamSync(
  starting: AsyncDisposableStack,
  options: UpstreamSyncOptions & {
    readonly store: Store
    readonly catalog: Pick<Catalog, 'feeds' | 'feedsOf'>
    readonly publicFeeds: readonly Feed[]
    readonly links: Pick<LinkService, 'open'>
    readonly stopping: AbortController
    readonly readingGuard?: ReadingGuard
  },
) {
  const { config, site, store, publicFeeds, links, clock, stopping } = options
  const { readingGuard = noGuard } = options
  const { feeds, feedsOf } = options.catalog
  const { signal } = stopping
  const { callsPerMinute, callsPerDay, freshMs, window } = config
  const id = randomUUID()
  const replicas = createReplicas(store.documents, { id, now: clock.now })
  const heartbeats = sendHeartbeats(replicas, clock, signal)
  starting.defer(() => heartbeats)
  // Abort even if the code below throws. Otherwise, disposal would wait forever.
  starting.defer(() => stopping.abort())
  const replica = { id, count: replicas.count }
  const { url: siteUrl, caPem } = site
  const website = starting.use(createConnection({ siteUrl, caPem, now: clock.now, signal }))
  const connection = countedConnection(guardedConnection(website, readingGuard, clock))
  const budget = { callsPerMinute, callsPerDay }
  const client = createUpstreamClient({ ...options, ...budget, connection, store, replica, signal })
  const collections = starting.use(
    createCollections({
      ...options,
      window,
      freshMs,
      callsPerDay,
      signal,
      dataService: client.dataService,
      resources: () => resourcesReadFor(publicFeeds, links.open(), options.catalog),
      feedsOf: (resource) => ({
        ids: [...feeds, members].filter((feed) => feed.resource === resource).map(({ id }) => id),
        areNamed:
          [
            ...publicFeeds,
            ...links
              .open()
              .filter(({ feedIds }) => feedIds)
              .flatMap(feedsOf),
          ].some((feed) => feed.resource === resource) ||
          (resource === members.resource && links.open().some(includesMembers)) ||
          // Without the members, a link for a member cannot show any personal entries.
          (resource === 'members' && personalResourcesOf(links.open()).includes(resource)),
      }),
      siteTimeZone: site.timeZone,
      holder: id,
      usedToday: async () => (await client.budget()).day.used,
    }),
  )
  starting.defer(() => stopping.abort())
  await Promise.all([collections.load(), client.tokens.load()])
  return { client, collections, upstreamCalls: connection.counts }
}

/** Returns the resources that these feeds and links need. */
export function resourcesReadFor(
  publicFeeds: readonly Feed[],
  links: readonly FeedLink[],
  { feedsOf }: Pick<Catalog, 'feedsOf'>,
): readonly Feed['resource'][] {
  const shown = [...publicFeeds, ...links.flatMap(feedsOf)].map((feed) => feed.resource)
  const contacts = links.some(includesMembers) ? [members.resource] : []
  return [...new Set([...shown, ...contacts, ...personalResourcesOf(links)])]
}

async function sendHeartbeats(
  replicas: Replicas,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  await every(clock, heartbeatMs, signal, replicas.heartbeat)
  await replicas.leave()
}
