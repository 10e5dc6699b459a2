import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../clock.ts'
import type { Times } from './cached-response.ts'
import type { RequestBodies } from './request-bodies.ts'
import type { ResponseCache } from './response-cache.ts'

/** How long the front waits for the worker before it responds without it, in milliseconds. */
export const responseTimes = {
  /** If the worker takes longer, sends a recently outdated response. */
  recentMs: 3,
  /**
   * If the worker takes longer and has not responded to any client for `anyMs`, sends any outdated
   * response.
   */
  hangingMs: 100,
  /** If the worker takes longer, sends any outdated response. */
  anyMs: 2_000,
  /** Timeout for the worker. Shorter than the 10 seconds in which Caddy tries replicas. */
  maxMs: 9_000,
  /**
   * How long requests wait for a starting worker. An immediate 503 would show up as an error in apps,
   * and a late one would delay proxies that try another replica.
   */
  startMs: 5_000,
  /** Timeout for a health check. Kubernetes waits for one second by default. */
  healthMs: 800,
  /** Timeout for the status, which takes longer to collect. */
  statusMs: 1_900,
}

export type RequestContext = {
  readonly limits: typeof responseTimes
  readonly clock: Clock
  readonly times: Times
  readonly cache: ResponseCache
  readonly keyOf: (request: IncomingMessage) => string
  /** Returns the address of the client that sent a request, possibly through proxies. */
  readonly addressOf: (request: IncomingMessage) => string
  readonly bodies: RequestBodies
  /** Admits a complete request. If there are too many, answers it and returns false. */
  readonly admit: (response: ServerResponse, address: string) => boolean
  readonly isStopping: () => boolean
}
