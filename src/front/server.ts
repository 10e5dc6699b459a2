import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { withTimeout, type Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { createServer, STATUS_CODES } from '../node-http.ts'
import { BoundedRequest } from './bounded-request.ts'
import { limitConnections } from './connections.ts'
import {
  createInFlightResponses,
  maxOpen,
  maxOpenOfClient,
  maxOpenOfNetwork,
  maxOpenOfProvider,
  type InFlightResponses,
} from './in-flight-responses.ts'
import { createRejections, type Rejection, type Rejections } from './rejections.ts'
import { respondStarting, sendText } from './starting.ts'

export const serverLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveMs: 65_000,
  timeoutsCheckedMs: 5_000,
  /** The limit allows for idle keep-alive connections, each of which uses about 10 KB. */
  maxConnections: 15_000,
  /** Maximum number of pipelined requests. Feed readers don't pipeline requests. */
  maxPipelined: 16,
  /** Time for in-flight responses to finish when Feedhouse stops. */
  closeGraceMs: 5_000,
  maxOpen,
  maxOpenOfClient,
  maxOpenOfNetwork,
  maxOpenOfProvider,
  /** Time that a rejected client has to read the response. */
  lingerMs: 1_000,
}

/**
 * Makes Node read all headers of a request. By default, some versions silently ignore those after the first
 * 1,000, which could hide the length of a body or the client's address. Their total size is limited.
 */
export const anyNumber = 0

const severalHostsText = 'A request must have one Host header.'

export type OpenServer = AsyncDisposable & {
  readonly port: number
  readonly rejections: Rejections
  readonly inFlight: InFlightResponses
  /** Replaces the initial listener, which responds with 503. Disposing of the result closes the server. */
  readonly answer: (listener: RequestListener) => AsyncDisposable
}

/** Starts listening before the site is ready, because feeds contain the port assigned for port 0. */
export async function listen(
  host: string,
  port: number,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
  limits = serverLimits,
): Promise<OpenServer> {
  const rejections = createRejections(clock, log)
  let answerRequest: RequestListener = respondStarting
  const server = createServer(
    {
      IncomingMessage: BoundedRequest,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.timeoutsCheckedMs,
    },
    (request, response) => answerRequest(request, response),
  )
  // By default, Node asks for a body even if it will not be read.
  server.on('checkContinue', (request, response) => {
    request.once('resume', () => !response.headersSent && response.writeContinue())
    answerRequest(request, response)
  })
  server.maxHeadersCount = anyNumber
  const connections = limitConnections(server, limits.maxConnections, rejections)
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen(port, host, listening.resolve)
  await listening.promise
  server.off('error', listening.reject)
  const inFlight = createInFlightResponses(clock, rejections, limits)
  let closed: Promise<void> | undefined

  async function close(): Promise<void> {
    closed ??= new Promise((resolve) => server.close(() => resolve()))
    await withTimeout(drain(), limits.closeGraceMs, () => undefined)
    for (const socket of connections.all()) socket.destroy()
    await closed
    await inFlight[Symbol.asyncDispose]()
  }

  async function drain(): Promise<void> {
    do {
      await inFlight.drained()
      const inUse = inFlight.sockets()
      for (const socket of connections.all()) if (!inUse.has(socket)) socket.destroy()
      // An open connection may have sent another request in the meantime.
    } while (inFlight.sockets().size > 0)
  }

  return {
    port: (server.address() as AddressInfo).port,
    rejections,
    inFlight,
    answer(listener) {
      answerRequest = admission(listener, rejections, limits)
      refuseOthers(server, rejections, limits)
      return { [Symbol.asyncDispose]: close }
    },
    [Symbol.asyncDispose]: close,
  }
}

/** Rejects input that never becomes a request, once per connection and with one log line. */
function refuseOthers(
  server: Server,
  rejections: Rejections,
  { lingerMs }: typeof serverLimits,
): void {
  const refused = new WeakSet<object>()

  /** Closes a connection. Sends a status first, unless bytes have already been sent on it. */
  function refuse(socket: Socket, status: number): void {
    socket.on('error', () => socket.destroy())
    if (socket.writable && socket.bytesWritten === 0) socket.end(rawResponse(status))
    else socket.destroySoon()
    setTimeout(() => socket.destroy(), lingerMs).unref()
  }

  server.on('connect', (_request, socket) => refuse(socket as Socket, 405))
  server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket
    const { code } = error
    // A client that has not sent any data, or has disconnected, does not need to be rejected.
    if (socket.bytesRead === 0 || code === 'ECONNRESET' || refused.has(socket)) {
      socket.destroySoon()
      return
    }
    refused.add(socket)
    const [status, reason] = faultOf(code)
    rejections.report(reason, { address: socket.remoteAddress, code })
    refuse(socket, status)
  })
}

function faultOf(code: string | undefined): readonly [status: number, reason: Rejection] {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'request timeout']
  if (code === 'HPE_HEADER_OVERFLOW') return [431, 'too large headers']
  return [400, 'not HTTP']
}

function rawResponse(status: number): string {
  const text = `${STATUS_CODES[status]}.\n`
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...(status === 405 ? ['Allow: GET, HEAD'] : []),
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${text.length}`,
    'Cache-Control: no-store',
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${text}`
}

/**
 * Rejects requests with several hosts. Closes connections with more than `maxPipelined` pipelined
 * requests, because Node would render all responses concurrently and buffer them until they are read.
 */
function admission(
  listener: RequestListener,
  rejections: Rejections,
  { maxPipelined }: typeof serverLimits,
): RequestListener {
  const pipelined = new WeakMap<Socket, number>()

  function countPipelined(socket: Socket, response: ServerResponse): number {
    const count = (pipelined.get(socket) ?? 0) + 1
    pipelined.set(socket, count)
    response.once('close', () => pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1))
    return count
  }

  return (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    // Node assigns the socket once earlier responses have been sent.
    if (response.socket === null && countPipelined(socket, response) > maxPipelined) {
      rejections.report('too many pipelined requests', { address: socket.remoteAddress })
      socket.destroy()
      return
    }
    if (hasSeveralHosts(request.rawHeaders)) {
      return sendText(response, 400, severalHostsText, { Connection: 'close' })
    }
    listener(request, response)
  }
}

/** Returns true for more than one `Host` header, which a server must reject (RFC 9112 3.2). */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  // Runs for every request, so it creates no lists.
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (isHost(rawHeaders[index] ?? '')) hosts += 1
  }
  return hosts > 1
}

function isHost(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === 'host'
}
