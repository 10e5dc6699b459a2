import type { Burst, Load } from '../load/load.ts'
import { cpuUs, residentMib } from '../running/process-figures.ts'
import type { Subject } from './subject.ts'

const connections = 32

/** Answers that are compressed anew differ by a few bytes of their chunks. */
const variation = 0.002

export type Measurement = Pick<Burst, 'perSecond' | 'p50Ms' | 'p99Ms'> & {
  /** Of the server, for each answer. */
  readonly cpuUs: number
  readonly residentMib: number
}

/** Rejects when an answer was another than it was before. */
export async function measure(
  load: Load,
  { server, kind, request, wireBytes }: Subject,
  seconds: number,
): Promise<Measurement> {
  const before = cpuUs(server.pid)
  const burst = await load.burst({ requests: [request], connections, seconds })
  const used = cpuUs(server.pid) - before
  const { answered, failed } = burst
  // Of each connection an answer may have begun that did not end in time.
  const tolerated = (connections + answered * variation) * wireBytes
  if (answered === 0 || failed > 0) {
    throw new Error(`${server.name}, ${kind}: ${failed} failed, ${answered} answered.`)
  }
  if (Math.abs(burst.wireBytes - answered * wireBytes) > tolerated) {
    const each = Math.round(burst.wireBytes / answered)
    throw new Error(`${server.name}, ${kind}: ${each} bytes an answer instead of ${wireBytes}.`)
  }
  const { perSecond, p50Ms, p99Ms } = burst
  const own = { cpuUs: used / answered, residentMib: residentMib(server.pid) }
  return { perSecond, p50Ms, p99Ms, ...own }
}
