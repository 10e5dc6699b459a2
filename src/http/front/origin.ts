import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { isForReaders, respondStarting, sendText, unavailable, waitMsFor } from './starting.ts'
import { acceptOf } from './accept-encoding.ts'
import { useIn } from './cache-fields.ts'
import { createCachedFetch } from './cached-fetch.ts'
import {
  forwardedHeaders,
  hasBody,
  headersFromHost,
  headersToAsk,
  passOn,
  readableBytes,
  type OriginConnection,
} from './forward.ts'
import { isCacheable, isSafe, sendCached, useOf } from './front-listener.ts'
import { HeadersTooLarge } from './host-connection.ts'
import { createWorkerHealth, healthCheckOf } from './health.ts'
import type { Use } from './protocol.ts'
import { bodyLimits } from './request-bodies.ts'
import type { RequestContext } from './request-context.ts'
import type { CachedOrigin, CachedRepresentation } from './cached-urls.ts'

/** Maximum time until the front notices that a process has exited. */
const retryMs = 100

/** Statuses that remove a URL's response from the cache. */
const withdrawn: ReadonlySet<number> = new Set([401, 403, 404, 410])

const respondRestarting = unavailable(2, 'Feedhouse is restarting. Please try again shortly.')
const respondBusy = unavailable(5, 'Feedhouse is busy. Please try again shortly.')

const respondTooLarge: RequestListener = (_request, response) =>
  sendText(response, 431, 'The request headers are too large.')

/** Some response headers repeat the request's URL. */
const isTooLarge = (error: unknown) =>
  error instanceof HeadersTooLarge ||
  (error as NodeJS.ErrnoException).code === 'HPE_HEADER_OVERFLOW'

/** The source of cached responses: a worker, whose processes it outlives. */
export type Origin = CachedOrigin & {
  readonly listener: RequestListener
  readonly serving: () => void
  readonly exited: () => void
  /** Forwards all requests, because this origin's host has left. */
  readonly left: (passTo: RequestListener) => void
  /** Fetches changed representations. They may have come from the site's previous owner. */
  readonly refetch: (changed: readonly CachedRepresentation[]) => Promise<void>
  /** Answers the requests that are waiting for the worker to start, or forwards them. */
  readonly stopWaiting: (respond?: RequestListener) => void
  /** Forwards a request from another host, which decides how long it waits. */
  readonly answerHost: (
    request: IncomingMessage,
    response: ServerResponse,
    client: string,
  ) => Promise<void>
}

/** Serves requests for which the cache has no fresh response. */
export function createOrigin(
  front: RequestContext,
  {
    connect,
    used,
    isFollowed = () => true,
  }: {
    readonly connect: () => OriginConnection
    readonly used: (use: Use) => void
    readonly isFollowed?: () => boolean
  },
): Origin {
  const { limits, clock, cache, keyOf, addressOf, bodies } = front
  const health = createWorkerHealth()
  const waiting = new Set<(listener: RequestListener) => void>()
  const retried = new WeakSet<IncomingMessage>()
  let connection: OriginConnection | undefined
  let unanswered: RequestListener = respondStarting
  let successor: RequestListener | undefined
  const cached = createCachedFetch({
    ...front,
    isServing: () => connection !== undefined,
    async fetch({ client, asked: { path } }, rawHeaders, { maxMs, unneeded }) {
      if (!connection) throw new Error('the worker is not running')
      return connection.get(client, path, rawHeaders, maxMs, unneeded)
    },
  })

  /** Holds a request until the worker has started. */
  function wait(request: IncomingMessage, response: ServerResponse): void {
    if (successor) return successor(request, response)
    const settle = (respond: RequestListener) => {
      clearTimeout(timer)
      if (waiting.delete(settle) && !response.destroyed) respond(request, response)
    }
    const waitMs = waitMsFor(request.url ?? '', limits.startMs)
    const timer = setTimeout(() => settle(unanswered), waitMs)
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
    if (isTooLarge(error)) return respondTooLarge(request, response)
    if (isGone && isCacheable(request)) return wait(request, response)
    // The process exited while it was responding. The next process answers feed readers, but not
    // other requests, because one of them may have caused the exit.
    const isRetried = isForReaders(request.url ?? '') && !retried.has(request)
    if (code === 'ECONNRESET' && isCacheable(request) && isRetried) {
      retried.add(request)
      return void setTimeout(() => listener(request, response), retryMs)
    }
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
    passOn(request, response, received, { conditionsAt: isConditional ? clock.now() : undefined })
    const counted = useIn(headers)
    if (counted) used(useOf(counted, response))
  }

  async function answerCached(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers, url: path = '' } = request
    const left = new AbortController()
    response.once('close', () => !response.writableEnded && left.abort())
    const answer = await cached.answer({
      asked: { key: keyOf(request), host: headers.host ?? '', path, origin },
      client: addressOf(request),
      accept: acceptOf(request),
      rawHeaders: forwardedHeaders(request, { isUnconditional: true }),
      isShared: !('cookie' in headers) && !('authorization' in headers),
      left: left.signal,
    })
    if (answer.kind === 'failed') return respondFailed(request, response, answer.error)
    if (answer.kind === 'passed') {
      if (!response.destroyed) return pass(request, response, answer.response, true)
      return void answer.response.destroy()
    }
    used(sendCached(request, response, answer.url, answer.response, clock.now()))
  }

  function respondCached(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The worker's response may not be sendable.
    return answerCached(request, response).catch((error: unknown) =>
      respondFailed(request, response, error),
    )
  }

  /** Resolves to the worker's response instead if the worker does not read the body. */
  async function receiveBody(
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
  ): Promise<IncomingMessage | undefined> {
    const ask = (length: number) =>
      connection?.forward(address, response, headersToAsk(request, length), undefined)
    const answer = await ask(Number(request.headers['content-length'] ?? 0))
    if (!answer) return undefined
    const longest = readableBytes(answer)
    if (longest === undefined) {
      // Node would treat whatever such a client sends next as the body.
      if ('expect' in request.headers) response.shouldKeepAlive = false
      return answer
    }
    answer.resume()
    const received = await bodies.receive(response, longest)
    return typeof received === 'number' ? ask(received) : undefined
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const timer = setTimeout(
      () => void health.respond(request, response),
      healthCheckOf(request) === 'status' ? limits.statusMs : limits.healthMs,
    )
    try {
      const address = addressOf(request)
      const isUnread = hasBody(request) && !bodies.of(request)
      const refusal = isUnread ? await receiveBody(request, response, address) : undefined
      const hasEnded = response.writableEnded || response.destroyed
      if (hasEnded || (isUnread && connection && !front.admit(response, address))) {
        return void refusal?.destroy()
      }
      const body = bodies.of(request)
      const send = () => connection?.forward(address, response, forwardedHeaders(request), body)
      const received = refusal ?? (await send())
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
    connection = connect()
    unanswered = respondRestarting
    health.serving()
    stopWaiting(listener)
  }

  function exited(): void {
    connection?.close()
    connection = undefined
    health.exited()
    cache.expireOrigin(origin)
  }

  function stopWaiting(respond = unanswered): void {
    // A forwarded request may wait again.
    const before = [...waiting]
    for (const settle of before) settle(respond)
  }

  function left(passTo: RequestListener): void {
    successor = passTo
    exited()
    stopWaiting(passTo)
  }

  const answerHost: Origin['answerHost'] = async (request, response, client) => {
    try {
      if (hasBody(request)) {
        const body = await bodies.receive(response, bodyLimits.maxBytesOfClient)
        if (!Buffer.isBuffer(body) || !front.admit(response, client)) return
      }
      const headers = headersFromHost(request)
      const received = await connection?.forward(client, response, headers, bodies.of(request))
      if (received) passOn(request, response, received, { isToHost: true })
      else unanswered(request, response)
    } catch (error) {
      if (response.headersSent) return
      const respond = isTooLarge(error) ? respondTooLarge : respondBusy
      respond(request, response)
    }
  }

  const refetch: Origin['refetch'] = (changed) => cached.refetch(changed, origin)

  const ofFront = { serving, exited, left, refetch, stopWaiting, answerHost }
  const origin: Origin = { listener, used, isFollowed, ...ofFront }
  return origin
}
