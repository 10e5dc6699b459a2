import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client'
import type { FrontFigures } from '../front/protocol.ts'
import type { Rejections } from '../server/rejections.ts'
import {
  frontGauges,
  refusalCounter,
  writeRefusals,
  type Metrics,
  type MetricValues,
} from './metrics.ts'

/** Metrics of one of several workers. */
export type WorkerMetrics = {
  /** Node metrics. */
  readonly node: MetricValues
  /** Each site's metrics, with a `site` label. */
  readonly sites: readonly MetricValues[]
}

export type ServerMetrics = Pick<Metrics, 'contentType' | 'text'> & {
  /** The metrics of this process, as plain data. */
  readonly values: () => Promise<WorkerMetrics>
}

/**
 * Creates metrics for a process with several sites. Node metrics of other workers have a `worker` label.
 */
export function createServerMetrics(sources: {
  readonly frontFigures: () => FrontFigures | undefined
  readonly rejections: Rejections
  readonly sites: () => readonly {
    readonly name: string
    readonly metrics: () => Promise<MetricValues | undefined>
  }[]
  readonly otherWorkers: () => readonly {
    readonly index: number
    readonly metrics: () => Promise<WorkerMetrics | undefined>
  }[]
}): ServerMetrics {
  const { rejections, sites, otherWorkers, frontFigures } = sources
  const nodeRegistry = new Registry()
  collectDefaultMetrics({ register: nodeRegistry })
  const processRegistry = new Registry()
  const refused = refusalCounter(processRegistry)
  const writeFront = frontGauges(processRegistry)

  const siteValues = () =>
    Promise.all(
      sites().map(async ({ name, metrics }) => labelled((await metrics()) ?? [], { site: name })),
    )

  async function nodeText(others: readonly MetricValues[]): Promise<string> {
    if (others.length === 0) return nodeRegistry.metrics()
    return combined([await nodeRegistry.getMetricsAsJSON(), ...others]).metrics()
  }

  return {
    contentType: nodeRegistry.contentType,
    values: async () => ({
      node: await nodeRegistry.getMetricsAsJSON(),
      sites: await siteValues(),
    }),
    async text() {
      writeRefusals(refused, rejections)
      writeFront(frontFigures())
      const workers = otherWorkers().map(async ({ index, metrics }) => {
        const { node, sites: all } = (await metrics()) ?? { node: [], sites: [] }
        // Dashboards know the label by this name.
        return { node: labelled(node, { maker: String(index) }), sites: all }
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

function labelled(metrics: MetricValues, labels: Readonly<Record<string, string>>): MetricValues {
  return metrics.map((metric) => ({
    ...metric,
    values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, ...labels } })),
  }))
}
