import { subscribe } from 'node:diagnostics_channel'
import { createServer, type Server } from 'node:http'
import { gzipSync } from 'node:zlib'
import { markFromFront, setCacheFields } from '../../src/front/cache-fields.ts'
import { callsSentBy } from '../../src/front/protocol.ts'
import { createFront } from '../../src/hosting/front.ts'
import { frontLimits } from '../../src/hosting/front-process.ts'
import { createLogger } from '../../src/log.ts'

export const path = '/events.ics'
export const etag = '"vJ0WcWmUyjXTHmwBnZIzUA-gzip"'

const freshMs = 3_600_000
const body = gzipSync('BEGIN:VEVENT\r\n'.repeat(4_000))
const repeated = {
  ETag: etag,
  'Last-Modified': new Date(Date.now() - 60_000).toUTCString(),
  Vary: 'Accept-Encoding',
  'Cache-Control': 'public, max-age=300, stale-while-revalidate=3600',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}
const fields = {
  ...repeated,
  'Content-Type': 'text/calendar; charset=utf-8',
  'Content-Encoding': 'gzip',
  'Content-Disposition': 'inline; filename="events.ics"',
  'Content-Length': String(body.length),
}

/** Starts a front that has a response in its cache. Its sockets are created in `directory`. */
export async function startFront(
  directory: string,
  resources: AsyncDisposableStack,
): Promise<Server> {
  const limits = frontLimits.responseTimes
  const front = resources.use(createFront({ directory, createLogger, limits }))
  const { calls, connect, socketPath } = front.worker()
  const worker = resources.adopt(workerServer(), (server) => void server.close())
  await new Promise<void>((resolve) => worker.listen(socketPath, resolve))
  const listening = Promise.withResolvers<string>()
  connect(
    callsSentBy(([name, value]) => {
      if (name === 'listening') listening.resolve((value as { readonly url: string }).url)
    }),
    [],
  )
  const alone = { proxies: 0, isAlone: true, sites: [], workers: 1 } as const
  calls.listen({ host: '127.0.0.1', port: 0, logLevel: 'error', ...alone })
  const url = await listening.promise
  calls.serving()
  const found = Promise.withResolvers<Server>()
  subscribe('http.server.request.start', (message) => {
    const { server } = message as { readonly server: Server }
    if (server !== worker) found.resolve(server)
  })
  await (await fetch(`${url}${path}`)).arrayBuffer()
  return found.promise
}

/** Creates a worker that lets the front keep its response. */
function workerServer(): Server {
  return createServer((request, response) => {
    markFromFront(request)
    const stale = { staleWhileRevalidateMs: freshMs, staleIfErrorMs: freshMs }
    const names = { site: 'main', representation: path, tags: ['public'], use: path }
    setCacheFields(response, { ...names, maxAgeMs: freshMs, ...stale })
    response.setHeaders(new Map(Object.entries(fields))).end(body)
  })
}

/** Creates a server that sends the same heads and bytes as the front. */
export function rawServer(): Server {
  const found = Object.entries(fields).flat()
  const notModified = Object.entries(repeated).flat()
  return createServer({ keepAliveTimeout: 65_000 }, ({ headers }, response) => {
    if (headers['if-none-match'] === etag) response.writeHead(304, notModified).end()
    else response.writeHead(200, found).end(body)
  })
}
