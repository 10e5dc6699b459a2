import autocannon from 'autocannon'
import type { Burst, Load, LoadOptions } from './load.ts'

export function autocannonLoad(): Load {
  return { name: 'autocannon', burst }
}

async function burst(options: LoadOptions): Promise<Burst> {
  const { requests, connections, seconds, requestsPerSecond } = options
  const result = await autocannon({
    url: requests[0]?.url ?? '',
    connections,
    duration: seconds,
    ...(requestsPerSecond ? { overallRate: requestsPerSecond } : {}),
    requests: requests.map(({ url, ifNoneMatch }) => {
      const { pathname, search } = new URL(url)
      const condition = ifNoneMatch ? { 'If-None-Match': ifNoneMatch } : {}
      return {
        method: 'GET',
        path: `${pathname}${search}`,
        headers: { 'Accept-Encoding': 'gzip', ...condition },
      }
    }),
  })
  return {
    answered: result.requests.total,
    failed: result.errors + result.timeouts + result['4xx'] + result['5xx'],
    wireBytes: result.throughput.total,
    perSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    p999Ms: result.latency.p99_9,
  }
}
