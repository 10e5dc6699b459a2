import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { clientAddress } from '../server/client-limit.ts'
import type { InFlightResponses } from '../server/in-flight-responses.ts'
import { ignoreDatesBefore, sendPrepared } from './prepared-response.ts'
import type { Use } from './protocol.ts'
import type { PublishedResponses, Staleness } from './published-responses.ts'

/** Sends published responses, and passes all other requests on. */
export function createFrontListener(options: {
  readonly published: Pick<PublishedResponses, 'find'>
  /** Returns the URL under which a request's response is remembered. */
  readonly urlOf: (request: IncomingMessage) => string
  /** Serves requests for anything that is not published. */
  readonly others: RequestListener
  readonly used: (use: Use) => void
  readonly inFlight: Pick<InFlightResponses, 'add' | 'admit'>
  readonly isStopping: () => boolean
  /** Number of trusted proxies in front of the service. */
  readonly proxies: number
}): RequestListener {
  const { published, urlOf, others, used, inFlight, isStopping, proxies } = options
  const sender = createPublishedSender({ published, urlOf, used, inFlight })
  return (request, response) => {
    // Tells keep-alive clients that the connection will close.
    if (isStopping()) response.shouldKeepAlive = false
    if (sender(request, response)) return
    if (!inFlight.admit(request, response, clientAddress(request, proxies))) return
    others(request, response)
  }
}

/** Returns a function that sends a published response, or returns false if there is none. */
export function createPublishedSender({
  published,
  urlOf,
  used,
  inFlight,
  allowed = 'none',
}: {
  readonly published: Pick<PublishedResponses, 'find'>
  readonly urlOf: (request: IncomingMessage) => string
  readonly used: (use: Use) => void
  readonly inFlight: Pick<InFlightResponses, 'add'>
  readonly allowed?: Staleness
}): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const { method } = request
    if (method !== 'GET' && method !== 'HEAD') return false
    const found = published.find(urlOf(request), allowed)
    if (!found) return false
    ignoreDatesBefore(found.address.editedAt, request.headers)
    sendPrepared(request, response, found.response, found.now)
    const { statusCode: status } = response
    used({ address: found.address, method, status, userAgent: request.headers['user-agent'] })
    // Most responses have already been written to the socket completely.
    if (response.writableLength > 0) inFlight.add(response)
    return true
  }
}
