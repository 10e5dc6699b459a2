/** With hundreds of sites, collecting the metrics takes seconds. */
const timeoutMs = 60_000

export const noMetrics = 'this service has no /metrics'

/**
 * Returns the samples from `/metrics` that have no labels, by name, or undefined if the service has
 * no metrics.
 */
export async function fetchMetrics(url: string): Promise<ReadonlyMap<string, number> | undefined> {
  const response = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(timeoutMs) })
  const text = await response.text()
  if (!response.ok) return undefined
  const samples = text.matchAll(/^(\w+) (\S+)$/gm)
  return new Map([...samples].map(([, name = '', value]) => [name, Number(value)]))
}
