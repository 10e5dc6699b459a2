import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { acceptedCodings, acceptOf } from './accept-encoding.ts'
import { useIn } from './cache-fields.ts'
import { createCachedFetch, type ClientRequest } from './cached-fetch.ts'
import type { CachedOrigin, CachedRepresentation } from './cached-urls.ts'
import { forwardedHeaders, passOn } from './forward.ts'
import type { OriginConnection, Subscribe } from './origin-connection.ts'
import { createForwardedRequests, type ForwardedRequests } from './forwarded-requests.ts'
import { isCacheable, isSafe, sendCached, useOf } from './front-listener.ts'
import { createWorkerHealth, healthCheckOf } from './health.ts'
import type { RequestContext } from './request-context.ts'
import { createUnansweredRequests, type UnansweredRequests } from './unanswered-requests.ts'

/** Statuses that remove a URL's response from the cache. */
const withdrawn: ReadonlySet<number> = new Set([401, 403, 404, 410])

/** The source of cached responses: a worker, whose processes it outlives. */
export type Origin = CachedOrigin & {
  readonly listener: RequestListener
  readonly serving: () => void
  readonly exited: () => void
  /** Forwards all requests, because this origin's host has left. */
  readonly left: (passTo: RequestListener) => void
  /** Fetches changed representations. They may have come from the site's previous owner. */
  readonly refetch: (changed: readonly CachedRepresentation[]) => Promise<void>
  readonly stopWaiting: UnansweredRequests['stopWaiting']
  readonly answerHost: ForwardedRequests['answerHost']
}

type OriginOptions = {
  readonly connect: () => OriginConnection
  readonly used: CachedOrigin['used']
  readonly isFollowed?: () => boolean
}

/** Serves requests for which the cache has no fresh response. */
export function createOrigin(
  front: RequestContext,
  { connect, used, isFollowed = () => true }: OriginOptions,
): Origin {
  const { limits, clock, cache, keyOf } = front
  const health = createWorkerHealth()
  let connection: OriginConnection | undefined
  const isServing = () => connection !== undefined
  const unanswered = createUnansweredRequests(limits.startMs, health, isServing, listener)
  const forwarded = createForwardedRequests(front, {
    health,
    unanswered,
    connection: () => connection,
    pass,
  })
  const cached = createCachedFetch({ ...front, connection: () => connection })

  function pass(
    request: IncomingMessage,
    response: ServerResponse,
    received: IncomingMessage,
    isConditional = false,
  ): void {
    const { statusCode = 502, headers } = received
    if (!front.isStopping()) health.note(request, statusCode)
    if (isSafe(request) && withdrawn.has(statusCode)) cache.removeUrl(keyOf(request))
    passOn(request, response, received, { conditionsAt: isConditional ? clock.now() : undefined })
    const counted = useIn(headers)
    if (counted) used(useOf(counted, response), front.addressOf(request))
  }

  async function respondCached(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let isAnswered = false
    // Its wait also ends if it gets 503 to make room for another request.
    const onLeft: Subscribe = (listener) =>
      void response.once('close', () => isAnswered || listener())
    try {
      const asked = { ...clientRequestFrom(request, front, origin), onLeft }
      const answer = await cached.answer(asked)
      isAnswered = true
      if (response.destroyed) {
        if (answer.kind === 'passed') answer.response.destroy()
      } else if (answer.kind === 'failed') unanswered.failed(request, response, answer.error)
      else if (answer.kind === 'cached') {
        const { url, response: kept } = answer
        const codings = acceptedCodings(request.headers['accept-encoding'])
        const use = sendCached(response, url.fields, kept, codings, clock.now())
        used(use, front.addressOf(request))
      } else pass(request, response, answer.response, true)
    } catch (error) {
      // The worker's response may not be sendable.
      unanswered.failed(request, response, error)
    }
  }

  function listener(request: IncomingMessage, response: ServerResponse): void {
    if (health.respondForFront(request, response)) return
    if (!connection && health.respond(request, response)) return
    const isCached = isCacheable(request) && healthCheckOf(request) === undefined
    const ifError = () =>
      cache.ifError({ asked: { key: keyOf(request) }, accept: acceptOf(request) })
    if (connection) void (isCached ? respondCached : forwarded.forward)(request, response)
    else if (isCached && ifError()) void respondCached(request, response)
    else unanswered.wait(request, response)
  }

  function exited(): void {
    connection?.close()
    connection = undefined
    health.exited()
    cache.expireOrigin(origin)
  }

  const origin: Origin = {
    used,
    isFollowed,
    listener,
    serving() {
      connection = connect()
      health.serving()
      unanswered.serving()
    },
    exited,
    left(passTo) {
      exited()
      unanswered.left(passTo)
    },
    refetch: (changed) => cached.refetch(changed, origin),
    stopWaiting: unanswered.stopWaiting,
    answerHost: forwarded.answerHost,
  }
  return origin
}

function clientRequestFrom(
  request: IncomingMessage,
  { keyOf, addressOf }: RequestContext,
  origin: CachedOrigin,
): ClientRequest {
  const { headers, url: path = '' } = request
  return {
    asked: { key: keyOf(request), host: headers.host ?? '', path, origin },
    client: addressOf(request),
    accept: acceptOf(request),
    rawHeaders: forwardedHeaders(request, { isUnconditional: true }),
    isShared: !('cookie' in headers) && !('authorization' in headers),
  }
}
