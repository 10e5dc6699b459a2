import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ApiError } from './api-error.ts'
import type { Answer, Call, DataService } from './data-service.ts'

/** Every answer of the data service is made for one call. */
const commonHeaders = {
  'Cache-Control': 'no-store',
  'Content-Type': 'application/json; charset=utf-8',
}

/** So long a client whose request cannot be read may go on sending. */
const lingerMs = 1000

/** The parts of the website that stand beside the data service. */
export type Website = {
  /** Whether a path is the website's rather than the data service's. */
  readonly owns: (path: string) => boolean
  /** Answers, or hands on with an error or none. */
  readonly handle: (
    request: IncomingMessage,
    response: ServerResponse,
    next: (error?: unknown) => void,
  ) => void
}

/** Answers requests as calls of the data service, whatever they are and ask for. */
export function serveCalls(
  server: Server,
  service: DataService,
  { isSecure, website }: { readonly isSecure: boolean; readonly website?: Website },
): void {
  /** Connections that have their last answer. */
  const closing = new WeakSet<Duplex>()
  /** Connections on which the website has yet to answer. */
  const waiting = new WeakSet<Duplex>()

  function answer(request: IncomingMessage, response: ServerResponse): void {
    // A body is ignored; what is left of it must not be taken for another request.
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

  /** What Node cannot read as a request, and would answer with a bare status. */
  function refuse(socket: Duplex, code: 'invalid_parameter' | 'method_not_allowed'): void {
    const error = new ApiError(isSecure ? code : 'https_required')
    closing.add(socket)
    socket.on('error', () => socket.destroy())
    socket.end(rawResponse(service.refuse(error, addressOf(socket))))
    // Closed at once, the answer would be lost to what the client is still sending.
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
  // RFC 9112, 3.2.2: a server accepts the absolute form too.
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
