import { setTimeout } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import { singleFlight, type TimeSource } from '../../clock.ts'
import type { Status } from '../../collections/status/status.ts'
import type { KeptRepresentations, Representations } from '../../representations/representations.ts'
import type { Rejections } from '../../front/rejections.ts'
import type { FrontFigures } from '../../front/protocol.ts'
import type { Traffic, TrafficCount } from '../../web/request-log.ts'

export type MetricSources = {
  readonly traffic: Traffic
  readonly rejections: Rejections
  readonly representations: Representations
  readonly readingStatus: () => Promise<Status>
  /** Number of calls to the data service since startup, by result. */
  readonly upstreamCalls: () => ReadonlyMap<string, number>
  /** True if the process serves only this site. */
  readonly isAlone: boolean
  /** Returns the figures of the front process, or undefined if there is none. */
  readonly frontFigures: () => FrontFigures | undefined
  readonly clock: TimeSource
}

export type SiteFigures = Omit<Status, 'state' | 'sentences' | 'token' | 'store'> & {
  readonly requests: readonly TrafficCount[]
  readonly rejections: Rejections
  readonly calls: ReadonlyMap<string, number>
  readonly representations: KeptRepresentations
  readonly now: number
}

export type Metrics = {
  readonly contentType: string
  readonly figures: () => Promise<SiteFigures>
  /**
   * Renders Prometheus text, once for concurrent requests. Includes Node metrics if the process
   * serves only this site.
   */
  readonly text: () => Promise<string>
}

/** Loads the package on the first scrape, because it takes megabytes that many sites never need. */
const loadPackage = () => import('prom-client')

const contentType = 'text/plain; version=0.0.4; charset=utf-8'

/** Creates metrics that collect their values on each scrape. */
export function createMetrics(sources: MetricSources): Metrics {
  const nodeMetrics = createNodeMetrics()

  async function figures(): Promise<SiteFigures> {
    const { ok, collections, budget, zoneRules } = await sources.readingStatus()
    return {
      requests: sources.traffic.counts(),
      rejections: sources.rejections,
      calls: sources.upstreamCalls(),
      representations: sources.representations.kept(),
      ok,
      collections,
      budget,
      zoneRules,
      now: sources.clock.now(),
    }
  }

  return {
    contentType,
    figures,
    text: singleFlight(async () => {
      const instruments = await createInstruments()
      writeSite(instruments, await figures())
      const { registry } = instruments
      if (!sources.isAlone) return registry.metrics()
      instruments.writeFront(sources.frontFigures())
      const nodeRegistry = await nodeMetrics()
      return `${await registry.metrics()}\n${await nodeRegistry.metrics()}`
    }),
  }
}

type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export type WorkerMetrics = { readonly node: MetricValues; readonly sites: MetricValues }

/** Metrics of this worker's sites. */
export type OwnMetrics = {
  readonly values: () => Promise<WorkerMetrics>
  readonly ownSiteText: (site: string) => Promise<string | undefined>
}

type ServerMetrics = OwnMetrics & {
  readonly contentType: string
  readonly text: () => Promise<string>
  readonly siteText: (site: string) => Promise<string | undefined>
}

/** Creates metrics for several sites. Node metrics of other workers have the label `worker`. */
export function createServerMetrics({
  rejections,
  frontFigures,
  sites,
  otherWorkers,
}: Pick<MetricSources, 'rejections' | 'frontFigures'> & {
  readonly sites: () => readonly {
    readonly name: string
    readonly metrics: () => Promise<SiteFigures | undefined>
  }[]
  readonly otherWorkers: () => readonly {
    readonly index: number
    readonly metrics: () => Promise<WorkerMetrics | undefined>
    readonly siteMetrics: (site: string) => Promise<string | undefined>
  }[]
}): ServerMetrics {
  const nodeMetrics = createNodeMetrics()

  async function values(isFirst = false): Promise<WorkerMetrics> {
    const nodeRegistry = await nodeMetrics()
    const all = await Promise.all(
      sites().map(async ({ name, metrics }) => ({ site: name, figures: await metrics() })),
    )
    const instruments = await createInstruments()
    const { registry } = instruments
    if (isFirst) {
      instruments.writeRejections(rejections)
      instruments.writeFront(frontFigures())
    }
    for (const { site, figures } of all) {
      if (figures) writeSummary(instruments, figures, { site })
      else instruments.ok.set({ site }, 0)
    }
    instruments.writeOwnedSites(all.filter(({ figures }) => figures).length)
    return { node: await nodeRegistry.getMetricsAsJSON(), sites: await registry.getMetricsAsJSON() }
  }

  async function ownSiteText(site: string): Promise<string | undefined> {
    const figures = await sites()
      .find(({ name }) => name === site)
      ?.metrics()
    if (!figures) return undefined
    const instruments = await createInstruments()
    writeSite(instruments, figures, { site })
    return instruments.registry.metrics()
  }

  return {
    contentType,
    values: () => values(),
    text: async () => {
      const workers = otherWorkers().map(async ({ index, metrics }) => {
        const { node, sites } = (await metrics()) ?? { node: [], sites: [] }
        return [...labeled(node, { worker: String(index) }), ...sites]
      })
      const { node, sites } = await values(true)
      const all = [...node, ...sites, ...(await Promise.all(workers)).flat()]
      return (await combined(all)).metrics()
    },
    ownSiteText,
    siteText: async (site) => {
      const texts = otherWorkers().map(({ siteMetrics }) => siteMetrics(site))
      return (await Promise.all([ownSiteText(site), ...texts])).find((text) => text !== undefined)
    },
  }
}

/** Combines metrics that differ in their labels. By default, some would be averaged or omitted. */
async function combined(metrics: MetricValues): Promise<Registry> {
  const { AggregatorRegistry } = await loadPackage()
  const measured = metrics.filter(({ values }) => values.length > 0)
  return AggregatorRegistry.aggregate([measured.map((each) => ({ ...each, aggregator: 'sum' }))])
}

function labeled(metrics: MetricValues, labels: Readonly<Record<string, string>>): MetricValues {
  return metrics.map((metric) => ({
    ...metric,
    values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, ...labels } })),
  }))
}

/** Writes all metrics of a site, with a `site` label if there are several sites. */
function writeSite(instruments: Instruments, figures: SiteFigures, site: SiteLabel = {}): void {
  const { requests, representations, now } = figures
  for (const { count, ...labels } of requests) {
    instruments.requests.inc({ ...labels, ...site }, count)
  }
  for (const { target, representation, madeAt } of representations.pinned) {
    const { feed, format, profile } = target
    const labels = { feed: feed.id, format, profile }
    instruments.representationAge.set({ ...labels, ...site }, (now - madeAt) / 1000)
    for (const [encoding, body] of Object.entries(representation.encodings)) {
      instruments.representationBytes.set({ ...labels, encoding, ...site }, body.length)
    }
  }
  writeTotals(instruments, figures, site)
}

/**
 * Writes a site's metrics without the route, client and feed labels, because thousands of sites
 * would have hundreds of thousands of time series. Includes the number of requests by status, the
 * size of all feeds, and the age of the oldest one.
 */
function writeSummary(instruments: Instruments, figures: SiteFigures, site: SiteLabel): void {
  const { requests, representations, now } = figures
  const byStatus = Map.groupBy(requests, ({ status }) => status)
  for (const [status, counts] of byStatus) {
    const count = counts.reduce((sum, each) => sum + each.count, 0)
    instruments.requests.inc({ status, ...site }, count)
  }
  const { pinned } = representations
  if (pinned.length > 0) {
    const firstAt = Math.min(...pinned.map(({ madeAt }) => madeAt))
    instruments.representationAge.set(site, (now - firstAt) / 1000)
    const bodies = pinned.flatMap(({ representation }) => Object.values(representation.encodings))
    const bytes = bodies.reduce((sum, body) => sum + body.length, 0)
    instruments.representationBytes.set(site, bytes)
  }
  writeTotals(instruments, figures, site)
}

function writeTotals(instruments: Instruments, figures: SiteFigures, site: SiteLabel): void {
  const { rejections, calls, representations, ok, collections, budget, zoneRules, now } = figures
  if (ok !== null) instruments.ok.set(site, Number(ok))
  instruments.writeRejections(rejections, site)
  for (const [code, count] of calls) instruments.calls.inc({ code, ...site }, count)
  instruments.keptCount.set(site, representations.count)
  instruments.keptBytes.set(site, representations.bytes)
  for (const { name, fetchedAt } of collections) {
    if (fetchedAt === null) continue
    const ageMs = now - Date.parse(fetchedAt)
    instruments.collectionAge.set({ collection: name, ...site }, ageMs / 1000)
  }
  for (const [window, { max, used }] of Object.entries(budget)) {
    instruments.budgetLeft.set({ window, ...site }, Math.max(0, max - used))
  }
  const { release, systemRelease } = zoneRules
  instruments.zoneRules.set({ release, system: systemRelease ?? '', ...site }, 1)
}

const sampleMs = 10

/**
 * Returns a function that starts collecting Node's metrics and waits for samples of the event loop
 * delay. They start with the first scrape because they wake up an idle process 100 times a second.
 * Each scrape uses the samples since the previous one, and without samples, the delay would be NaN.
 */
function createNodeMetrics(): () => Promise<Registry> {
  let started: Promise<Registry> | undefined
  let sampled: Promise<unknown> = Promise.resolve()

  async function sample(): Promise<Registry> {
    started ??= startNodeMetrics()
    const registry = await started
    for (const _ of [1, 2, 3, 4]) await setTimeout(sampleMs)
    return registry
  }

  return () => {
    const next = sampled.then(sample)
    sampled = next
    return next
  }
}

async function startNodeMetrics(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await loadPackage()
  const register = new Registry()
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: sampleMs })
  return register
}

type SiteLabel = { readonly site?: string }

type Instruments = Awaited<ReturnType<typeof createInstruments>>

/** Creates empty metrics. Using a new registry for each scrape drops the metrics of removed sites. */
async function createInstruments() {
  const { Counter, Gauge, Registry } = await loadPackage()
  const registry = new Registry()
  const counter = (name: string, help: string, labels: readonly string[]) =>
    new Counter({ name, help, labelNames: [...labels, 'site'], registers: [registry] })
  const gauge = (name: string, help: string, labels: readonly string[] = []) =>
    new Gauge({ name, help, labelNames: [...labels, 'site'], registers: [registry] })

  const refusals = counter(
    'feedhouse_refusals_total',
    'Rejected requests and connections, by reason.',
    ['reason'],
  )
  return {
    registry,
    ok: gauge(
      'feedhouse_site_ok',
      '1 if the website can be read, 0 if something needs attention. Missing during the first reads.',
    ),
    requests: counter(
      'feedhouse_http_requests_total',
      'Responses, by route pattern, status and client family.',
      ['route', 'status', 'client'],
    ),
    representationBytes: gauge(
      'feedhouse_representation_bytes',
      'Size of each feed without options, as sent.',
      ['feed', 'format', 'profile', 'encoding'],
    ),
    representationAge: gauge(
      'feedhouse_representation_age_seconds',
      'Time since each feed without options was rendered.',
      ['feed', 'format', 'profile'],
    ),
    keptCount: gauge(
      'feedhouse_representations_kept',
      'Prebuilt feeds, including those with options.',
    ),
    keptBytes: gauge('feedhouse_representations_kept_bytes', 'Memory used by prebuilt feeds.'),
    collectionAge: gauge(
      'feedhouse_collection_age_seconds',
      'Time since each collection was read from the website.',
      ['collection'],
    ),
    calls: counter(
      'feedhouse_upstream_calls_total',
      'API calls, by outcome: ok, or the error code.',
      ['code'],
    ),
    budgetLeft: gauge(
      'feedhouse_budget_left_calls',
      'API calls left in the sliding windows of a minute and a day.',
      ['window'],
    ),
    zoneRules: gauge(
      'feedhouse_zone_rules',
      'Releases of the time zone rules in use and of the operating system’s. Always 1.',
      ['release', 'system'],
    ),
    writeRejections(rejections: Rejections, site: SiteLabel = {}) {
      for (const [reason, count] of rejections.counts()) refusals.inc({ reason, ...site }, count)
    },
    writeFront(figures: FrontFigures | undefined) {
      if (!figures) return
      gauge(
        'feedhouse_front_event_loop_delay_max_seconds',
        'Longest event loop delay since the last scrape, in the front, which accepts connections.',
      ).set(figures.maxDelayMs / 1000)
      gauge(
        'feedhouse_front_resident_memory_bytes',
        'Resident memory of the front, which accepts connections.',
      ).set(figures.residentBytes)
    },
    writeOwnedSites(count: number) {
      gauge('feedhouse_owned_sites', 'Sites that run on this host.').set(count)
    },
  }
}
