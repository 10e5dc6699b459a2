import { autocannonLoad } from './autocannon-load.ts'
import { wrkLoad } from './wrk-load.ts'

/** A GET that accepts gzip. */
export type LoadRequest = {
  readonly url: string
  readonly ifNoneMatch?: string
}

export type LoadOptions = {
  /** Sent in turn, to one server. */
  readonly requests: readonly LoadRequest[]
  readonly connections: number
  readonly seconds: number
  /** Of all connections together; as many as can be when left out. */
  readonly requestsPerSecond?: number
}

export type Burst = {
  readonly answered: number
  /** Answers of a status above 399, errors of connections, and waits that were too long. */
  readonly failed: number
  /** Of all answers, with their heads. */
  readonly wireBytes: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export type Load = {
  readonly name: string
  readonly burst: (options: LoadOptions) => Promise<Burst>
}

/** `wrk` where it is installed: it needs less of the CPUs, which the servers share with it. */
export function availableLoad(): Load {
  return wrkLoad() ?? autocannonLoad()
}
