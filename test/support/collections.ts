import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { createCollections } from '../../src/collections/collections.ts'
import type { StatusOptions } from '../../src/collections/status/status-sentences.ts'
import type { Clock } from '../../src/clock.ts'
import { createLogger } from '../../src/log.ts'
import { standardCatalog } from '../../src/feeds/catalog.ts'
import type { FeedResource } from '../../src/records/resources.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { siteDateTime } from '../../src/sandbox/site-dates.ts'
import type { Store } from '../../src/store/store.ts'
import type { DataService, Query } from '../../src/upstream/data-service.ts'
import type { Priority } from '../../src/upstream/throttle.ts'
import type { UpstreamError } from '../../src/upstream/upstream-error.ts'
import { createFakeClock } from './fake-clock.ts'
import { openTestStore } from './store.ts'
import { zoneData } from './zone-files.ts'

export const minuteMs = 60_000
const sample = sampleDatasetOn('2026-03-05')

/** Creates collections on a real store, with a website that responds, fails or hangs on command. */
export function collectionsOf(
  options: {
    readonly resources?: readonly FeedResource[]
    readonly freshMs?: number
    readonly callsPerDay?: number
  } = {},
) {
  const clock = createFakeClock()
  const store = openTestStore(clock.now)
  const website = {
    items: { news: sample.news } as { [R in FeedResource]?: readonly unknown[] },
    /** Response to a call for a single sign-up sheet. */
    groups: {} as Record<string, { readonly sheet: unknown; readonly groups: readonly unknown[] }>,
    failure: undefined as UpstreamError | undefined,
    failing: undefined as FeedResource | undefined,
    hangs: undefined as Promise<void> | undefined,
    usedToday: 0,
    /** Time zone of the time in responses. */
    timeZone: 'America/New_York',
    readings: [] as {
      readonly endpoint: string
      readonly query: Query
      readonly at: number
      readonly priority: () => Priority
    }[],
  }
  const dataService: DataService = {
    readPage: () => Promise.reject(new Error('not asked for')),
    async readListing(endpoint, query, priority) {
      const pages = await dataService.readAll(endpoint, query, priority)
      const { calls, envelope } = pages
      const { generated } = envelope
      return { pageHashes: [undefined], calls, generated, pages: async () => pages }
    },
    async readAll(endpoint, query, priority) {
      website.readings.push({ endpoint, query, at: clock.now(), priority })
      await website.hangs
      const generated = siteDateTime(clock.now(), website.timeZone)
      const common = { endpoint, domain: '', generated, startRow: 1 }
      const detail = website.groups[query['ID'] ?? '']
      const { DatabaseID: databaseId, ID: topicId } = query
      const list = endpoint === 'discuss' && topicId !== undefined ? 'replies' : databaseId
      const resource = list === undefined ? endpoint : `${endpoint}/${list}`
      const isFailing = [undefined, endpoint, resource].includes(website.failing)
      if (website.failure && isFailing) throw website.failure
      const items = detail?.groups ?? website.items[resource as FeedResource] ?? []
      const envelope = { ...common, totalCount: items.length, items: [], sheet: detail?.sheet }
      return { items, calls: 1, envelope }
    },
  }
  const lines: string[] = []

  /**
   * Simulates starting a process that uses the store. Calling it again simulates another replica or
   * a restart.
   */
  function start(changes: { readonly store?: Store; readonly clock?: Clock } = {}) {
    const stopping = new AbortController()
    const collections = createCollections({
      dataService,
      store: changes.store ?? store,
      clock: changes.clock ?? clock,
      log: createLogger('info', { write: (line) => lines.push(line) }),
      resources: () => options.resources ?? ['news'],
      feedsOf: (resource) => ({ ids: [resource], areNamed: true }),
      siteTimeZone: 'America/New_York',
      window: { pastDays: 400, futureDays: 550 },
      holder: randomUUID(),
      freshMs: options.freshMs ?? 5 * minuteMs,
      callsPerDay: options.callsPerDay ?? 5000,
      usedToday: () => Promise.resolve(website.usedToday),
      random: () => 0,
      signal: stopping.signal,
    })
    const stop = async () => {
      stopping.abort()
      await collections[Symbol.asyncDispose]()
    }
    onTestFinished(stop)
    return { collections, stop }
  }

  const readingsOf = (endpoint: FeedResource) =>
    website.readings.filter((reading) => reading.endpoint === endpoint)
  const first = start()
  /** Starts the first collections, and lets time pass. */
  async function run(ms = 0): Promise<void> {
    first.collections.start()
    await clock.advance(ms)
  }
  /** Starts another replica, or starts again, with the stored copies. */
  async function startLoaded(changes: Parameters<typeof start>[0] = {}) {
    const next = start(changes)
    await next.collections.load()
    return next
  }
  /** Makes calls to the website hang until the returned function is called. */
  function hang(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    website.hangs = promise
    return resolve
  }
  /** Input for the status of these collections. */
  const statusOptions = (used = 0, { states, readingLoad } = first.collections): StatusOptions => ({
    collections: states(),
    load: readingLoad(),
    storeFailure: undefined,
    budget: { minute: { used: 0, max: 30 }, day: { used, max: options.callsPerDay ?? 5000 } },
    token: { expiresAt: undefined, failure: undefined },
    timeZone: 'America/New_York',
    zoneData,
    language: 'en-US',
    now: clock.now(),
  })
  const running = { ...first, start, run, startLoaded, hang }
  return { ...running, clock, store, dataService, website, lines, readingsOf, statusOptions }
}

/** News stories in the sample, as items. */
export const sampleNews = sample.news

/** Resources of a link to all feeds. */
export const allResources = [
  ...new Set(standardCatalog.feedsOf({ feedIds: undefined }).map(({ resource }) => resource)),
].toSorted()
