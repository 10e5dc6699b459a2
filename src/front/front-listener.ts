import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { InFlightResponses } from './in-flight-responses.ts'
import { acceptedCodings, acceptOf } from './accept-encoding.ts'
import { unknownParametersField } from './cache-fields.ts'
import { timeUntil, type CachedResponse } from './cached-response.ts'
import { evaluate, hasPrecondition, lastModifiedAt } from './conditional.ts'
import { hasBody } from './forward.ts'
import type { Use, UseLabel } from './protocol.ts'
import type { RequestContext } from './request-context.ts'
import type { CachedUrl } from './cached-urls.ts'

/** Sends fresh responses from the cache, and forwards all other requests. */
export function createFrontListener(
  front: RequestContext & {
    /** Handles requests that the cache cannot answer. */
    readonly others: RequestListener
    readonly inFlight: InFlightResponses
  },
): RequestListener {
  const { cache, times, keyOf, addressOf, others, inFlight, isStopping } = front

  function sendFresh(request: IncomingMessage, response: ServerResponse): boolean {
    if (!isCacheable(request)) return false
    const url = cache.find(keyOf(request))
    const cached = url?.representation.responses.get(acceptOf(request))
    if (!url || !cached) return false
    const now = times()
    if (timeUntil(cached.freshUntil, now) <= 0) return false
    url.origin.used(sendCached(request, response, url, cached, now.at), addressOf(request))
    // Most responses have already been written to the socket completely.
    if (response.writableLength > 0) inFlight.addUnsent(response, addressOf(request))
    return true
  }

  return (request, response) => {
    // Tells keep-alive clients that the connection will close.
    if (isStopping()) response.shouldKeepAlive = false
    if (sendFresh(request, response)) return
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
  request: IncomingMessage,
  response: ServerResponse,
  { fields }: CachedUrl,
  cached: CachedResponse,
  now: number,
): Use {
  const { headers, method } = request
  const { timeField } = cached
  const { changedAt, unknownParameters } = fields
  const etags = cached.etagsFor(acceptedCodings(headers['accept-encoding']))
  const lastModified = lastModifiedAt(cached.lastModified, changedAt, now)
  const outcome = evaluate(headers, { etags, lastModified }, now)
  const etag = outcome.status === 304 ? outcome.etag : cached.etag
  const validators = ['ETag', etag, ...(lastModified === '' ? [] : ['Last-Modified', lastModified])]
  const added: string[] = timeField === undefined ? [] : [timeField, new Date(now).toISOString()]
  if (unknownParameters !== undefined) added.push(unknownParametersField, unknownParameters)
  if (outcome.status === 304) {
    response.writeHead(304, [...validators, ...cached.notModifiedHead, ...added]).end()
  } else {
    response.writeHead(200, [...validators, ...cached.head, ...added])
    response.end(method === 'HEAD' ? undefined : cached.body)
  }
  return useOf(fields, response)
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
