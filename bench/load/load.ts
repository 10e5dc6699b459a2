import { autocannonLoad } from './autocannon-load.ts'
import { wrkLoad } from './wrk-load.ts'

/** A GET that accepts gzip. */
export type LoadRequest = {
  readonly url: string
  readonly ifNoneMatch?: string
}

export type LoadOptions = {
  /** Sent in rotation to one server. */
  readonly requests: readonly LoadRequest[]
  readonly connections: number
  readonly seconds: number
  /** Total of all connections; unlimited if omitted. */
  readonly requestsPerSecond?: number
}

export type Burst = {
  readonly answered: number
  /** Responses with a status above 399, connection errors and timeouts. */
  readonly failed: number
  /** Bytes of all responses, including heads. */
  readonly wireBytes: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export type Load = {
  readonly name: string
  readonly burst: (options: LoadOptions) => Promise<Burst>
}

/** Prefers `wrk`, which takes less CPU time from the servers. */
export function availableLoad(): Load {
  return wrkLoad() ?? autocannonLoad()
}
