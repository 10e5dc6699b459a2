import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Clock } from '../../clock.ts'
import { respondStarting, unavailable } from '../server/starting.ts'
import { acceptOf } from './accept-encoding.ts'
import { useIn } from './cache-fields.ts'
import { createCachedFetch, type FetchLimits } from './cached-fetch.ts'
import { sendCached, type Times } from './cached-response.ts'
import {
  connectToWorker,
  forwardedHeaders,
  isCacheable,
  passOn,
  type WorkerConnection,
} from './forward.ts'
import { createWorkerHealth, healthCheckOf } from './health.ts'
import type { Use } from './protocol.ts'
import type { ResponseCache } from './response-cache.ts'

/**
 * How long requests wait for a starting worker. An immediate 503 would show as an error in apps, and a late
 * one delays proxies that try another replica.
 */
const maxStartMs = 5_000

/** Statuses that remove what the cache has for a URL. */
const withdrawn: ReadonlySet<number> = new Set([401, 403, 404, 410])

const respondRestarting = unavailable(2, 'Feedhouse is restarting. Please try again shortly.')
const respondBusy = unavailable(5, 'Feedhouse is busy. Please try again shortly.')

export type WorkerLimits = FetchLimits & {
  /** For a health check. Kubernetes waits for one second by default. */
  readonly healthMs: number
  /** For the status, which takes longer to collect. */
  readonly statusMs: number
}

/** Serves requests for which the cache has no fresh response. It outlives the worker's processes. */
export function createWorkerRequests(
  front: {
    readonly limits: WorkerLimits
    readonly clock: Clock
    readonly times: Times
    readonly cache: ResponseCache
    readonly keyOf: (request: IncomingMessage) => string
    readonly isStopping: () => boolean
  },
  options: {
    readonly worker: number
    readonly socketPath: string
    readonly used: (use: Use) => void
  },
) {
  const { limits, clock, cache, keyOf } = front
  const { worker, socketPath, used } = options
  const health = createWorkerHealth()
  const waiting = new Set<(listener: RequestListener) => void>()
  let connection: WorkerConnection | undefined
  let unanswered: RequestListener = respondStarting
  const cached = createCachedFetch<IncomingMessage>({
    ...front,
    isServing: () => connection !== undefined,
    async fetch({ path }, rawHeaders, maxMs) {
      if (!connection) throw new Error('the worker is not running')
      return connection.get(path, rawHeaders, maxMs)
    },
  })

  /** Holds a request until the worker has started. */
  function wait(request: IncomingMessage, response: ServerResponse): void {
    const settle = (respond: RequestListener) => {
      clearTimeout(timer)
      if (waiting.delete(settle) && !response.destroyed) respond(request, response)
    }
    const timer = setTimeout(() => settle(unanswered), maxStartMs)
    waiting.add(settle)
    response.once('close', () => settle(unanswered))
  }

  function respondFailed(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const { code } = error as NodeJS.ErrnoException
    // The process has exited, and another one will start.
    const isGone = code === 'ECONNREFUSED' || code === 'ENOENT' || !connection
    if (response.destroyed) return
    if (response.headersSent) return void response.destroy()
    if (health.respond(request, response)) return
    if (isGone && isCacheable(request)) return wait(request, response)
    const respond = connection && code === undefined ? respondBusy : unanswered
    respond(request, response)
  }

  function pass(
    request: IncomingMessage,
    response: ServerResponse,
    received: IncomingMessage,
    isConditional: boolean,
  ): void {
    const { statusCode = 502, headers } = received
    if (!front.isStopping()) health.note(request, statusCode)
    if (isSafe(request) && withdrawn.has(statusCode)) cache.removeUrl(keyOf(request))
    passOn(request, response, received, { isConditional, now: clock.now() })
    const use = useIn(headers)
    if (use) count(use, request, response)
  }

  function count(
    { site, use }: Pick<Use, 'site' | 'use'>,
    { method = '', headers }: IncomingMessage,
    { statusCode: status }: ServerResponse,
  ): void {
    used({ site, use, method, status, userAgent: headers['user-agent'] })
  }

  async function answerCached(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers, url: path = '' } = request
    const answer = await cached.answer({
      asked: { key: keyOf(request), host: headers.host ?? '', path, worker },
      accept: acceptOf(request),
      rawHeaders: forwardedHeaders(request, { isUnconditional: true }),
      isShared: !('cookie' in headers) && !('authorization' in headers),
    })
    if (answer.kind === 'failed') return respondFailed(request, response, answer.error)
    if (answer.kind === 'passed') {
      return response.destroyed
        ? void answer.response.destroy()
        : pass(request, response, answer.response, true)
    }
    const { url, response: found } = answer
    const { changedAt } = url.fields
    sendCached(request, response, found, { changedAt, now: clock.now() })
    count(url.fields, request, response)
  }

  async function respondCached(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await answerCached(request, response)
    } catch (error) {
      // The worker's response cannot be sent.
      respondFailed(request, response, error)
    }
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const timer = setTimeout(
      () => void health.respond(request, response),
      healthCheckOf(request) === 'status' ? limits.statusMs : limits.healthMs,
    )
    try {
      const received = await connection?.forward(request, response)
      if (!received) return wait(request, response)
      if (response.headersSent) received.resume()
      else pass(request, response, received, false)
    } catch (error) {
      if (!response.writableEnded) respondFailed(request, response, error)
    } finally {
      clearTimeout(timer)
    }
  }

  const listener: RequestListener = (request, response) => {
    if (health.respondForFront(request, response)) return
    if (!connection && health.respond(request, response)) return
    const isCached = isCacheable(request) && healthCheckOf(request) === undefined
    if (connection) void (isCached ? respondCached : forward)(request, response)
    else if (isCached && cached.isKept(keyOf(request), acceptOf(request))) {
      void respondCached(request, response)
    } else wait(request, response)
  }

  function serving(): void {
    connection = connectToWorker(socketPath)
    unanswered = respondRestarting
    health.serving()
    for (const settle of waiting) settle(listener)
  }

  function exited(): void {
    connection?.close()
    connection = undefined
    health.exited()
    cache.expireWorker(worker)
  }

  /** Responds to the requests that wait for the worker to start. */
  function stopWaiting(): void {
    for (const settle of waiting) settle(unanswered)
  }

  return { listener, serving, exited, refetch: cached.refetch, stopWaiting }
}

function isSafe({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}
