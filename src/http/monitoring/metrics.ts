import { setTimeout } from 'node:timers/promises'
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import type { TimeSource } from '../../clock.ts'
import type { Status } from '../../collections/status/status.ts'
import type { Representations } from '../../representations/representations.ts'
import type { Rejections } from '../server/rejections.ts'
import type { FrontFigures } from '../front/protocol.ts'
import type { Traffic } from './request-log.ts'
import type { HostedSite } from './server-pages.ts'
import type { OtherWorkerReports } from './worker-reports.ts'

export type MetricSources = {
  readonly traffic: Traffic
  readonly rejections: Rejections
  readonly representations: Representations
  readonly readingStatus: () => Promise<Status>
  /** Number of calls to the data service since startup, by result. */
  readonly upstreamCalls: () => ReadonlyMap<string, number>
  /** True if the process serves only this site. */
  readonly isAlone: boolean
  /** Returns the figures of the front process; undefined if there is none. */
  readonly frontFigures: () => FrontFigures | undefined
  readonly clock: TimeSource
}

export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export type Metrics = ReturnType<typeof createMetrics>

/** Creates metrics that collect their values on each scrape. */
export function createMetrics(sources: MetricSources) {
  const registry = new Registry()
  const { traffic, rejections, representations, readingStatus, upstreamCalls, isAlone, clock } =
    sources
  const writeFront = isAlone ? frontGauges(registry) : () => undefined
  const measureEventLoop = isAlone ? nodeMetricsIn(registry) : async () => undefined

  const instruments = createInstruments(registry)

  function writeRepresentations(): void {
    const { count, bytes, pinned } = representations.kept()
    instruments.keptCount.set(count)
    instruments.keptBytes.set(bytes)
    instruments.representationBytes.reset()
    for (const { target, representation, madeAt } of pinned) {
      const labels = { feed: target.feed.id, format: target.format, profile: target.profile }
      instruments.representationAge.set(labels, (clock.now() - madeAt) / 1000)
      for (const [encoding, body] of Object.entries(representation.encodings)) {
        instruments.representationBytes.set({ ...labels, encoding }, body.length)
      }
    }
  }

  async function writeStatus(): Promise<void> {
    const { collections, budget } = await readingStatus()
    for (const { name, fetchedAt } of collections) {
      if (fetchedAt === null) continue
      const ageMs = clock.now() - Date.parse(fetchedAt)
      instruments.collectionAge.set({ collection: name }, ageMs / 1000)
    }
    for (const [window, { max, used }] of Object.entries(budget)) {
      instruments.budgetLeft.set({ window }, Math.max(0, max - used))
    }
  }

  async function write(): Promise<void> {
    instruments.requests.reset()
    for (const { count, ...labels } of traffic.counts()) instruments.requests.inc(labels, count)
    instruments.writeRejections(rejections)
    instruments.calls.reset()
    for (const [code, count] of upstreamCalls()) instruments.calls.inc({ code }, count)
    writeRepresentations()
    writeFront(sources.frontFigures())
    await writeStatus()
  }

  return {
    contentType: registry.contentType,
    /** Renders Prometheus text. Includes Node metrics if the process serves only this site. */
    text: async () => {
      await write()
      await measureEventLoop()
      return registry.metrics()
    },
    values: async () => {
      await write()
      return registry.getMetricsAsJSON()
    },
  }
}

/** Interval at which Node's metrics sample the delay of the event loop. */
const sampleMs = 10

/**
 * Returns a function that starts collecting Node's metrics and waits for samples of the event loop's delay.
 * They start with the first scrape because they wake an idle process 100 times a second. Each scrape takes the
 * samples since the one before, and without any, the delay is not a number.
 */
function nodeMetricsIn(registry: Registry): () => Promise<void> {
  let isStarted = false
  let sampled = Promise.resolve()

  async function sample(): Promise<void> {
    if (!isStarted) {
      collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: sampleMs })
      isStarted = true
    }
    for (const _ of [1, 2, 3, 4]) await setTimeout(sampleMs)
  }

  return () => (sampled = sampled.then(sample))
}

/** Returns a function that replaces the counts of rejections. */
function rejectionCounter(registry: Registry): (rejections: Rejections) => void {
  const help = 'Rejected requests and connections, by reason.'
  const counter = counterIn(registry)('feedhouse_refusals_total', help, ['reason', 'site'])
  return (rejections) => {
    counter.reset()
    for (const [reason, count] of rejections.counts()) counter.inc({ reason }, count)
  }
}

function frontGauges(registry: Registry): (figures: FrontFigures | undefined) => void {
  const gauge = gaugeIn(registry)
  const delay = gauge(
    'feedhouse_front_event_loop_delay_max_seconds',
    'Longest event loop delay since the last scrape, in the front, which accepts connections.',
  )
  const memory = gauge(
    'feedhouse_front_resident_memory_bytes',
    'Resident memory of the front, which accepts connections.',
  )
  return (figures) => {
    if (!figures) return
    delay.set(figures.maxDelayMs / 1000)
    memory.set(figures.residentBytes)
  }
}

function createInstruments(registry: Registry) {
  const counter = counterIn(registry)
  const gauge = gaugeIn(registry)
  return {
    requests: counter(
      'feedhouse_http_requests_total',
      'Responses, by route pattern, status and client family.',
      ['route', 'status', 'client'],
    ),
    writeRejections: rejectionCounter(registry),
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
  }
}

const counterIn = (registry: Registry) => (name: string, help: string, labelNames: string[]) =>
  new Counter({ name, help, labelNames, registers: [registry] })

const gaugeIn =
  (registry: Registry) =>
  (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })

export type WorkerMetrics = {
  readonly node: MetricValues
  /** Each site's metrics, with a `site` label. */
  readonly sites: readonly MetricValues[]
}

/** Creates metrics for several sites. Node metrics of other workers have the label `maker`. */
export function createServerMetrics({
  rejections,
  frontFigures,
  sites,
  otherWorkers,
}: Pick<MetricSources, 'rejections' | 'frontFigures'> & {
  readonly sites: () => readonly Pick<HostedSite, 'name' | 'metrics'>[]
  readonly otherWorkers: () => readonly Pick<OtherWorkerReports, 'index' | 'metrics'>[]
}) {
  const nodeRegistry = new Registry()
  const startNodeMetrics = nodeMetricsIn(nodeRegistry)
  const processRegistry = new Registry()
  const writeRejections = rejectionCounter(processRegistry)
  const writeFront = frontGauges(processRegistry)

  const valuesOf = async ({ name, metrics }: ReturnType<typeof sites>[number]) =>
    labeled((await metrics()) ?? [], { site: name })
  const siteValues = () => Promise.all(sites().map(valuesOf))

  async function nodeText(others: readonly MetricValues[]): Promise<string> {
    if (others.length === 0) return nodeRegistry.metrics()
    return combined([await nodeRegistry.getMetricsAsJSON(), ...others]).metrics()
  }

  return {
    contentType: nodeRegistry.contentType,
    values: async (): Promise<WorkerMetrics> => {
      await startNodeMetrics()
      return { node: await nodeRegistry.getMetricsAsJSON(), sites: await siteValues() }
    },
    text: async () => {
      await startNodeMetrics()
      writeRejections(rejections)
      writeFront(frontFigures())
      const workers = otherWorkers().map(async ({ index, metrics }) => {
        const { node, sites: all } = (await metrics()) ?? { node: [], sites: [] }
        // Dashboards know the label by this name.
        return { node: labeled(node, { maker: String(index) }), sites: all }
      })
      const [own, ...others] = await Promise.all([siteValues(), ...workers])
      const all = AggregatorRegistry.aggregate([
        await processRegistry.getMetricsAsJSON(),
        ...own,
        ...others.flatMap((each) => each.sites),
      ])
      return `${await nodeText(others.map(({ node }) => node))}\n${await all.metrics()}`
    },
  }
}

/** Combines metrics that differ in their labels. By default, some would be averaged or left out. */
function combined(metrics: readonly MetricValues[]): Registry {
  return AggregatorRegistry.aggregate(
    metrics.map((values) => values.map((each) => ({ ...each, aggregator: 'first' as const }))),
  )
}

function labeled(metrics: MetricValues, labels: Readonly<Record<string, string>>): MetricValues {
  return metrics.map((metric) => ({
    ...metric,
    values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, ...labels } })),
  }))
}
