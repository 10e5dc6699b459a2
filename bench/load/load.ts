/** GET request that accepts gzip. */
export type LoadRequest = {
  readonly url: string
  readonly ifNoneMatch?: string
}

export type LoadOptions = {
  /** Requests that are sent to one server in rotation. */
  readonly requests: readonly LoadRequest[]
  readonly connections: number
  readonly seconds: number
  /** Total rate across all connections; unlimited if omitted. */
  readonly requestsPerSecond?: number
}

export type Burst = {
  readonly answered: number
  /** Number of responses with a status above 399, connection errors and timeouts. */
  readonly failed: number
  /** Total size of all responses in bytes, including their status lines and headers. */
  readonly wireBytes: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly p999Ms: number
}

export type Load = {
  readonly name: string
  readonly burst: (options: LoadOptions) => Promise<Burst>
}
