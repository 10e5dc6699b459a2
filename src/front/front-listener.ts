import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { InFlightResponses } from './in-flight-responses.ts'
import { acceptedCodings, acceptFrom } from './accept-encoding.ts'
import { headsOf, timeUntil, type CachedResponse } from './cached-response.ts'
import { evaluate, hasPrecondition } from './conditional.ts'
import { hasBody } from './forward.ts'
import { healthCheckOf } from './health.ts'
import type { Use, UseLabel } from './protocol.ts'
import type { RequestContext } from './request-context.ts'
import type { CacheFields } from './cache-fields.ts'
import type { ContentCoding } from '../representations/encodings.ts'

/** Sends fresh responses from the cache, and forwards all other requests. */
export function createFrontListener(
  front: RequestContext & {
    /** Answers a request from another host. Returns false for all others. */
    readonly answerHost: (request: IncomingMessage, response: ServerResponse) => boolean
    /** Handles requests that the cache cannot answer. */
    readonly others: RequestListener
    /** Called for each request, except health checks. */
    readonly noteUse: (at: number) => void
    readonly inFlight: InFlightResponses
  },
): RequestListener {
  const { cache, clock, times, keyOf, addressOf, inFlight, isStopping } = front
  const { answerHost, others, noteUse } = front

  function sendFresh(request: IncomingMessage, response: ServerResponse): boolean {
    if (!isCacheable(request)) return false
    const now = times()
    const url = cache.find(keyOf(request), now)
    if (!url) return false
    const codings = acceptedCodings(request.headers['accept-encoding'])
    const cached = url.representation.responses.get(acceptFrom(codings))
    if (!cached) return false
    if (timeUntil(cached.freshUntil, now) <= 0) return false
    noteUse(now.at)
    const { fields } = url
    const use = sendCached(response, fields, cached, codings, now.at)
    url.origin.used(use, addressOf(request))
    // Most responses have already been written to the socket completely.
    if (response.writableLength > 0) inFlight.addUnsent(response, addressOf(request))
    return true
  }

  return (request, response) => {
    if (answerHost(request, response)) return noteUse(clock.now())
    // Tells keep-alive clients that the connection will close.
    if (isStopping()) response.shouldKeepAlive = false
    if (sendFresh(request, response)) return
    // Containers check health constantly.
    if (healthCheckOf(request) === undefined) noteUse(clock.now())
    if (admitFrom(request, response, front, addressOf(request))) others(request, response)
  }
}

/** Admits a request, or only its body. `admit` then admits the request once it is complete. */
export function admitFrom(
  request: IncomingMessage,
  response: ServerResponse,
  { bodies, admit }: RequestContext,
  address: string,
): boolean {
  return hasBody(request) ? bodies.admit(response, address) : admit(response, address)
}

/** Sends a cached response to a GET or HEAD request, as 200 or 304. Returns its use. */
export function sendCached(
  response: ServerResponse,
  fields: CacheFields,
  cached: CachedResponse,
  accepted: readonly ContentCoding[],
  now: number,
): Use {
  const { headers, method } = response.req
  const heads = headsOf(cached, fields, now)
  const etags = () => cached.etagsFor(accepted)
  const outcome = evaluate(headers, { etags, lastModified: heads.lastModified }, now)
  if (outcome.status === 304) {
    const { etag } = outcome
    const [name = '', own, ...others] = heads.notModified
    const head = etag === own ? heads.notModified : [name, etag, ...others]
    response.writeHead(304, withTime(head, cached, now)).end()
  } else {
    response.writeHead(200, withTime(heads.found, cached, now))
    response.end(method === 'HEAD' ? undefined : cached.body)
  }
  return useOf(fields, response)
}

function withTime(head: readonly string[], { timeField }: CachedResponse, now: number): string[] {
  // Node only reads the list.
  if (timeField === undefined) return head as string[]
  return [...head, timeField, new Date(now).toISOString()]
}

export function useOf({ site, use, hasReaders }: UseLabel, response: ServerResponse): Use {
  const { method = '', headers } = response.req
  const { statusCode: status } = response
  return { site, use, hasReaders, method, status, userAgent: headers['user-agent'] }
}

export function isSafe({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Returns true for a request that may be answered from the cache. */
export function isCacheable(request: IncomingMessage): boolean {
  return isSafe(request) && !hasBody(request) && !hasPrecondition(request.headers)
}
