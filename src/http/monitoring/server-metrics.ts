import { AggregatorRegistry, Gauge, Registry } from 'prom-client'
import {
  createInstruments,
  nodeMetricsIn,
  writeSite,
  writeSummary,
  type MetricSources,
} from './metrics.ts'
import type { HostedSite } from './server-pages.ts'
import type { OtherWorkerReports } from './worker-reports.ts'

type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export type WorkerMetrics = {
  readonly node: MetricValues
  /** Prometheus text with a summary of each site. */
  readonly sites: string
  /** Number of sites that run in the worker. */
  readonly count: number
}

/** Creates metrics for several sites. Node metrics of other workers have the label `maker`. */
export function createServerMetrics({
  rejections,
  frontFigures,
  sites,
  otherWorkers,
}: Pick<MetricSources, 'rejections' | 'frontFigures'> & {
  readonly sites: () => readonly Pick<HostedSite, 'name' | 'metrics'>[]
  readonly otherWorkers: () => readonly Pick<
    OtherWorkerReports,
    'index' | 'metrics' | 'siteMetrics'
  >[]
}) {
  const nodeRegistry = new Registry()
  const startNodeMetrics = nodeMetricsIn(nodeRegistry)

  async function summaries(isFirst = false): Promise<Omit<WorkerMetrics, 'node'>> {
    const all = await Promise.all(
      sites().map(async ({ name, metrics }) => ({ site: name, figures: await metrics() })),
    )
    const registry = new Registry()
    const instruments = createInstruments(registry)
    if (isFirst) {
      instruments.writeRejections(rejections)
      instruments.writeFront(frontFigures())
    }
    for (const { site, figures } of all) {
      if (figures) writeSummary(instruments, figures, { site })
      else instruments.ok.set({ site }, 0)
    }
    return { sites: await registry.metrics(), count: all.filter(({ figures }) => figures).length }
  }

  async function nodeText(others: readonly MetricValues[]): Promise<string> {
    if (others.length === 0) return nodeRegistry.metrics()
    return combined([await nodeRegistry.getMetricsAsJSON(), ...others]).metrics()
  }

  /** Resolves to all metrics of one of this worker's sites, or to undefined if there are none. */
  async function ownSiteText(site: string): Promise<string | undefined> {
    const figures = await sites()
      .find(({ name }) => name === site)
      ?.metrics()
    if (!figures) return undefined
    const registry = new Registry()
    writeSite(createInstruments(registry), figures, { site })
    return registry.metrics()
  }

  return {
    contentType: nodeRegistry.contentType,
    values: async (): Promise<WorkerMetrics> => {
      await startNodeMetrics()
      return { node: await nodeRegistry.getMetricsAsJSON(), ...(await summaries()) }
    },
    text: async (): Promise<string> => {
      await startNodeMetrics()
      const workers = otherWorkers().map(async ({ index, metrics }) => {
        const { node, ...worker } = (await metrics()) ?? { node: [], sites: '', count: 0 }
        // Existing dashboards use this label name.
        return { ...worker, node: labeled(node, { maker: String(index) }) }
      })
      const [own, ...others] = await Promise.all([summaries(true), ...workers])
      const all = [own, ...others]
      const texts = [...all.map((worker) => worker.sites), await ownedSitesText(all)]
      return `${await nodeText(others.map(({ node }) => node))}\n${joined(texts)}`
    },
    ownSiteText,
    siteText: async (site: string): Promise<string | undefined> => {
      const texts = otherWorkers().map(({ siteMetrics }) => siteMetrics(site))
      return (await Promise.all([ownSiteText(site), ...texts])).find((text) => text !== undefined)
    },
  }
}

function ownedSitesText(workers: readonly Pick<WorkerMetrics, 'count'>[]): Promise<string> {
  const registry = new Registry()
  const labels = { name: 'feedhouse_owned_sites', help: 'Sites that run on this host.' }
  const owned = new Gauge({ ...labels, registers: [registry] })
  owned.set(workers.reduce((sum, { count }) => sum + count, 0))
  return registry.metrics()
}

/** Joins Prometheus texts, whose metrics are separated by empty lines. Each metric may appear only once. */
function joined(texts: readonly string[]): string {
  const metrics = new Map<string, string[]>()
  for (const metric of texts.flatMap((text) => text.trimEnd().split('\n\n'))) {
    const [, head = '', samples = ''] = /^(.*\n.*)\n?([^]*)$/.exec(metric) ?? []
    if (samples === '') continue
    const known = metrics.get(head)
    if (known) known.push(samples)
    else metrics.set(head, [samples])
  }
  return [...metrics].map(([head, samples]) => `${[head, ...samples].join('\n')}\n`).join('\n')
}

/** Combines metrics that differ in their labels. By default, some would be averaged or omitted. */
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
