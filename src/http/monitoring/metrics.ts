import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import type { TimeSource } from '../../clock.ts'
import type { Status } from '../../collections/status/status.ts'
import type { Representations } from '../../representations/representations.ts'
import type { Rejections } from '../server/rejections.ts'
import type { FrontFigures } from '../front/protocol.ts'
import type { Traffic } from './traffic.ts'

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

/** A registry's metrics as JSON. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export type Metrics = {
  readonly contentType: string
  /** Renders Prometheus text. Includes Node metrics if the process serves only this site. */
  readonly text: () => Promise<string>
  readonly values: () => Promise<MetricValues>
}

/** Creates metrics that collect their values on each scrape. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry()
  const { traffic, rejections, representations, readingStatus, upstreamCalls, isAlone, clock } =
    sources
  const writeFront = isAlone ? frontGauges(registry) : () => undefined
  if (isAlone) collectDefaultMetrics({ register: registry })

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
      instruments.collectionAge.set(
        { collection: name },
        (clock.now() - Date.parse(fetchedAt)) / 1000,
      )
    }
    for (const [window, { max, used }] of Object.entries(budget)) {
      instruments.budgetLeft.set({ window }, Math.max(0, max - used))
    }
  }

  async function write(): Promise<void> {
    instruments.requests.reset()
    for (const { count, ...labels } of traffic.counts()) instruments.requests.inc(labels, count)
    writeRefusals(instruments.refused, rejections)
    instruments.calls.reset()
    for (const [code, count] of upstreamCalls()) instruments.calls.inc({ code }, count)
    writeRepresentations()
    writeFront(sources.frontFigures())
    await writeStatus()
  }

  return {
    contentType: registry.contentType,
    async text() {
      await write()
      return registry.metrics()
    },
    async values() {
      await write()
      return registry.getMetricsAsJSON()
    },
  }
}

/** Replaces the counts of rejections. */
export function writeRefusals(counter: Counter, rejections: Rejections): void {
  counter.reset()
  for (const [reason, count] of rejections.counts()) counter.inc({ reason }, count)
}

/** Creates the counter of rejections. */
export function refusalCounter(registry: Registry): Counter {
  return new Counter({
    name: 'feedhouse_refusals_total',
    help: 'Rejected requests and connections, by reason.',
    labelNames: ['reason', 'site'],
    registers: [registry],
  })
}

/** Returns a function that writes the figures of the front process. */
export function frontGauges(registry: Registry): (figures: FrontFigures | undefined) => void {
  const registers = [registry]
  const delay = new Gauge({
    name: 'feedhouse_front_event_loop_delay_max_seconds',
    help: 'Longest event loop delay since the last scrape, in the front, which accepts connections.',
    registers,
  })
  const memory = new Gauge({
    name: 'feedhouse_front_resident_memory_bytes',
    help: 'Resident memory of the front, which accepts connections.',
    registers,
  })
  return (figures) => {
    if (!figures) return
    delay.set(figures.maxDelayMs / 1000)
    memory.set(figures.residentBytes)
  }
}

function createInstruments(registry: Registry) {
  const registers = [registry]
  return {
    requests: new Counter({
      name: 'feedhouse_http_requests_total',
      help: 'Responses, by route pattern, status and client family.',
      labelNames: ['route', 'status', 'client'],
      registers,
    }),
    refused: refusalCounter(registry),
    representationBytes: new Gauge({
      name: 'feedhouse_representation_bytes',
      help: 'Size of each feed without options, as sent.',
      labelNames: ['feed', 'format', 'profile', 'encoding'],
      registers,
    }),
    representationAge: new Gauge({
      name: 'feedhouse_representation_age_seconds',
      help: 'Time since each feed without options was rendered.',
      labelNames: ['feed', 'format', 'profile'],
      registers,
    }),
    keptCount: new Gauge({
      name: 'feedhouse_representations_kept',
      help: 'Prebuilt feeds, including those with options.',
      registers,
    }),
    keptBytes: new Gauge({
      name: 'feedhouse_representations_kept_bytes',
      help: 'Memory used by prebuilt feeds.',
      registers,
    }),
    collectionAge: new Gauge({
      name: 'feedhouse_collection_age_seconds',
      help: 'Time since each collection was read from the website.',
      labelNames: ['collection'],
      registers,
    }),
    calls: new Counter({
      name: 'feedhouse_upstream_calls_total',
      help: 'API calls, by outcome: ok, or the error code.',
      labelNames: ['code'],
      registers,
    }),
    budgetLeft: new Gauge({
      name: 'feedhouse_budget_left_calls',
      help: 'API calls left in the sliding windows of a minute and a day.',
      labelNames: ['window'],
      registers,
    }),
  }
}
