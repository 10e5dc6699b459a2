import { createServer, STATUS_CODES, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { OpenAnswers } from './open-answers.ts'
import type { Refusal, Refusals } from './refusals.ts'

export const serverLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveMs: 65_000,
  timeoutsCheckedMs: 5_000,
  /** Subscribers, and what stands in front, keep theirs open; each takes about 10 KB. */
  maxConnections: 15_000,
  /** Where there are too many, those that nobody uses make room, no more often than this. */
  makeRoomMs: 1_000,
  /** Whoever is being answered may take this long when Feedhouse stops. */
  closeGraceMs: 5_000,
}

export type HttpServer = AsyncDisposable & {
  readonly port: number
  /** From now on requests are answered. Until disposed: then no more connections are taken. */
  readonly answer: (
    listener: RequestListener,
    parts: { readonly openAnswers: OpenAnswers; readonly refusals: Pick<Refusals, 'tell'> },
  ) => AsyncDisposable
}

/** Listens before there is anything to answer: the port, when any will do, is part of the answers. */
export async function listen(
  host: string,
  port: number,
  limits = serverLimits,
): Promise<HttpServer> {
  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.timeoutsCheckedMs,
  })
  server.maxConnections = limits.maxConnections
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen(port, host, listening.resolve)
  await listening.promise
  server.off('error', listening.reject)
  let closed: Promise<void> | undefined

  function stopListening(): Promise<void> {
    closed ??= new Promise((resolve) => server.close(() => resolve()))
    return closed
  }

  return {
    port: (server.address() as AddressInfo).port,
    answer(listener, { openAnswers, refusals }) {
      server.on('request', listener)
      server.on('connect', (_request, socket: Duplex) => socket.end(rawAnswer(405)))
      let madeRoomAt = -Infinity
      server.on('drop', (dropped) => {
        refusals.tell('too many connections', { address: dropped?.remoteAddress })
        if (performance.now() < madeRoomAt + limits.makeRoomMs) return
        madeRoomAt = performance.now()
        server.closeIdleConnections()
      })
      server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
        const socket = duplex as Socket
        const [status, refusal] = faultOf(error.code)
        // Who has said nothing, or has gone, was refused nothing.
        const isToldOf = socket.bytesRead > 0 && error.code !== 'ECONNRESET'
        if (isToldOf) refusals.tell(refusal, { address: socket.remoteAddress, code: error.code })
        if (socket.writable && isToldOf && !openAnswers.has(socket)) socket.end(rawAnswer(status))
        else socket.destroy()
      })
      return {
        async [Symbol.asyncDispose]() {
          const isClosed = stopListening()
          let timer: NodeJS.Timeout | undefined
          const enough = new Promise<void>((resolve) => {
            timer = setTimeout(resolve, limits.closeGraceMs)
          })
          await Promise.race([openAnswers.allOver(), enough])
          clearTimeout(timer)
          server.closeAllConnections()
          await isClosed
        },
      }
    },
    async [Symbol.asyncDispose]() {
      const isClosed = stopListening()
      server.closeAllConnections()
      await isClosed
    },
  }
}

/** What Node says of a request that it cannot read. */
function faultOf(code: string | undefined): readonly [status: number, refusal: Refusal] {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'too slow to ask']
  if (code === 'HPE_HEADER_OVERFLOW') return [431, 'not HTTP']
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return [413, 'not HTTP']
  return [400, 'not HTTP']
}

/** For what never becomes a request. */
function rawAnswer(status: number): string {
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
