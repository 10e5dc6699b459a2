import type { Burst, Load } from '../load/load.ts'
import { cpuUs, residentMib } from '../running/process-figures.ts'
import type { Subject } from './subject.ts'

const connections = 32

/**
 * Tolerated difference in size. Responses that are compressed for each request vary by a few bytes.
 */
const variation = 0.002

export type Measurement = Pick<Burst, 'perSecond' | 'p50Ms' | 'p99Ms'> & {
  /** The server's CPU time per response, in microseconds. */
  readonly cpuUs: number
  readonly residentMib: number
}

/**
 * Measures a server under load. Rejects if the responses differ in size from the first response.
 */
export async function measure(
  load: Load,
  { server, kind, request, wireBytes }: Subject,
  seconds: number,
): Promise<Measurement> {
  const before = cpuUs(server.pid)
  const burst = await load.burst({ requests: [request], connections, seconds })
  const used = cpuUs(server.pid) - before
  const { answered, failed } = burst
  // When the load ends, each connection may still be receiving a response.
  const tolerated = (connections + answered * variation) * wireBytes
  if (answered === 0 || failed > 0) {
    throw new Error(`${server.name}, ${kind}: ${failed} failed, ${answered} completed.`)
  }
  if (Math.abs(burst.wireBytes - answered * wireBytes) > tolerated) {
    const each = Math.round(burst.wireBytes / answered)
    throw new Error(`${server.name}, ${kind}: ${each} bytes per response instead of ${wireBytes}.`)
  }
  const { perSecond, p50Ms, p99Ms } = burst
  const own = { cpuUs: used / answered, residentMib: residentMib(server.pid) }
  return { perSecond, p50Ms, p99Ms, ...own }
}
