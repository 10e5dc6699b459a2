import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ApiError } from './api-error.ts'
import type { Answer, Call, DataService } from './data-service.ts'

/** Headers in every response. */
const commonHeaders = {
  'Cache-Control': 'no-store',
  'Content-Type': 'application/json; charset=utf-8',
}

/** How long a client may keep sending after an invalid request. */
const lingerMs = 1000

/** Parts of the website other than the data service. */
export type Website = {
  /** Returns true if a path belongs to the website rather than the data service. */
  readonly owns: (path: string) => boolean
  /** Responds, or calls `next`. Passes an error to `next` if the request failed. */
  readonly handle: (
    request: IncomingMessage,
    response: ServerResponse,
    next: (error?: unknown) => void,
  ) => void
}

/**
 * Handles requests as calls to the data service, unless they are for another part of the website.
 */
export function serveCalls(
  server: Server,
  service: DataService,
  { isSecure, website }: { readonly isSecure: boolean; readonly website?: Website },
): void {
  /** Connections on which no further response may be sent. */
  const closing = new WeakSet<Duplex>()
  /** Connections waiting for a response from the website. */
  const waiting = new WeakSet<Duplex>()

  function answer(request: IncomingMessage, response: ServerResponse): void {
    // Close the connection, so that the ignored body is not parsed as another request.
    if (hasBody(request)) {
      response.setHeader('Connection', 'close')
      closing.add(request.socket)
    }
    send(response, service.answer({ ...callFrom(request), isSecure }))
  }

  function route(request: IncomingMessage, response: ServerResponse): void {
    if (!website?.owns(request.url ?? '')) return answer(request, response)
    waiting.add(request.socket)
    response.once('close', () => waiting.delete(request.socket))
    website.handle(request, response, (error) => {
      if (response.headersSent) response.destroy()
      else if (error === undefined) answer(request, response)
      else send(response, service.refuse(error, addressOf(request.socket)))
    })
  }

  /** Responds to a request that Node cannot parse. By default, Node would send only a status. */
  function refuse(socket: Duplex, code: 'invalid_parameter' | 'method_not_allowed'): void {
    const error = new ApiError(isSecure ? code : 'https_required')
    closing.add(socket)
    socket.on('error', () => socket.destroy())
    socket.end(rawResponse(service.refuse(error, addressOf(socket))))
    // The client would lose the response if the connection closed while it is still sending.
    socket.resume()
    setTimeout(() => socket.destroy(), lingerMs).unref()
  }

  server.on('request', route)
  server.on('checkExpectation', route)
  server.on('connect', (_request, socket) => refuse(socket, 'method_not_allowed'))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (closing.has(socket)) return
    const isAboutHttp = /^(?:HPE_|ERR_HTTP_)/.test(error.code ?? '')
    if (!isAboutHttp || !socket.writable || waiting.has(socket)) return void socket.destroy()
    const isMethod = error.code === 'HPE_INVALID_METHOD'
    refuse(socket, isMethod ? 'method_not_allowed' : 'invalid_parameter')
  })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function callFrom(request: IncomingMessage): Omit<Call, 'isSecure'> {
  // RFC 9112, 3.2.2: servers must also accept the absolute form.
  const target = (request.url ?? '').replace(/^https?:\/\/[^/?]*/i, '')
  const [path = '', ...query] = target.split('?')
  return {
    method: request.method ?? '',
    path,
    query: query.join('?'),
    authorization: request.headersDistinct['authorization'] ?? [],
    address: addressOf(request.socket),
  }
}

function addressOf(socket: Duplex): string {
  return (socket as Partial<Socket>).remoteAddress ?? ''
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    ...commonHeaders,
    ...headers,
    'Content-Length': Buffer.byteLength(text),
  })
  response.end(text)
}

function rawResponse({ status, headers, body }: Answer): string {
  const text = JSON.stringify(body)
  const lines = Object.entries({
    ...commonHeaders,
    ...headers,
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  const reason = 'error' in body ? String(body.error) : ''
  return [`HTTP/1.1 ${status} ${reason}`, ...lines, '', text].join('\r\n')
}
