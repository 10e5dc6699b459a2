import { createServer } from 'node:net'
import { getEventListeners, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { expect, test, vi } from 'vitest'
import { createConnection, type ConnectionOptions } from '../../src/upstream/connection.ts'
import { startHttpsServer } from '../support/https-server.ts'

const call = { method: 'GET', path: '/apps/api/news/', token: 'not-to-be-told' } as const

function connect(options: Omit<ConnectionOptions, 'now'>) {
  return createConnection({ now: Date.now, ...options })
}

test('sends the token, and returns the status, the JSON and Retry-After', async () => {
  const seen: (string | undefined)[] = []
  await using server = await startHttpsServer((request, response) => {
    seen.push(request.method, request.url, request.headers.authorization)
    response.writeHead(429, { 'retry-after': '7' }).end('{"code":"rate_limited"}')
  })
  await using connection = connect({ siteUrl: server.url, caPem: server.caPem })
  const answer = await connection.request(call)
  expect(seen).toEqual(['GET', call.path, 'Bearer not-to-be-told'])
  expect(answer).toEqual({
    status: 429,
    body: { code: 'rate_limited' },
    bodyBytes: 23,
    retryAfterMs: 7000,
  })
})

test('reuses connections, and opens at most two', async () => {
  const ports = new Set<number | undefined>()
  await using server = await startHttpsServer((request, response) => {
    ports.add(request.socket.remotePort)
    response.end('{}')
  })
  await using connection = connect({ siteUrl: server.url, caPem: server.caPem })
  for (const _ of [1, 2, 3]) await connection.request(call)
  await Promise.all([1, 2, 3, 4, 5].map(() => connection.request(call)))
  expect(ports.size).toBeLessThanOrEqual(2)
})

test('does not return the body of a response that is not JSON', async () => {
  await using server = await startHttpsServer((_request, response) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>'),
  )
  await using connection = connect({ siteUrl: server.url, caPem: server.caPem })
  expect(await connection.request(call)).toMatchObject({ status: 502, body: undefined })
})

test('does not follow redirects, because that could leak the token', async () => {
  let requests = 0
  await using server = await startHttpsServer((_request, response) => {
    requests += 1
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  await using connection = connect({ siteUrl: server.url, caPem: server.caPem })
  expect(await connection.request(call)).toMatchObject({ status: 302 })
  expect(requests).toBe(1)
})

test('reports an untrusted certificate as a TLS fault', async () => {
  await using server = await startHttpsServer((_request, response) => response.end('{}'))
  await using connection = connect({ siteUrl: server.url })
  await expect(connection.request(call)).rejects.toMatchObject({ kind: 'tls' })
})

test('reports a server without TLS as a TLS fault', async () => {
  const plain = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')).listen(
    0,
    '127.0.0.1',
  )
  await once(plain, 'listening')
  const { port } = plain.address() as AddressInfo
  await using connection = connect({ siteUrl: `https://127.0.0.1:${port}` })
  await expect(connection.request(call)).rejects.toMatchObject({ kind: 'tls' })
  plain.close()
})

test('reports a closed port as unreachable, and never mentions the token', async () => {
  const server = await startHttpsServer((_request, response) => response.end())
  await server[Symbol.asyncDispose]()
  await using connection = connect({ siteUrl: server.url, caPem: server.caPem })
  const error: unknown = await connection.request(call).catch((reason: unknown) => reason)
  expect(error).toMatchObject({
    kind: 'unreachable',
    message: `GET ${server.url}/apps/api/news/: the site cannot be reached (ECONNREFUSED)`,
  })
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(call.token)
})

test('reports a connection that breaks in the middle of a response as interrupted', async () => {
  await using server = await startHttpsServer((_request, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('{"items":[')
    response.socket?.destroy()
  })
  await using connection = connect({ siteUrl: server.url, caPem: server.caPem })
  await expect(connection.request(call)).rejects.toMatchObject({ kind: 'interrupted' })
})

test('reports an unknown host name as unreachable', async () => {
  await using connection = connect({ siteUrl: 'https://nowhere.invalid' })
  await expect(connection.request(call)).rejects.toMatchObject({ kind: 'unreachable' })
})

test('reports a stalled TLS handshake as unreachable', async () => {
  // This server accepts connections but never sends any data, so the TLS handshake stalls.
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const limits = { connectTimeoutMs: 50 }
  await using connection = connect({ siteUrl: `https://127.0.0.1:${port}`, limits })
  await expect(connection.request(call)).rejects.toMatchObject({ kind: 'unreachable' })
  silent.close()
})

test.for([
  { name: 'headers', limits: { headersTimeoutMs: 50 }, answersHead: false },
  { name: 'a body', limits: { bodyTimeoutMs: 50 }, answersHead: true },
])('reports a server that never sends $name as a timeout', async ({ limits, answersHead }) => {
  await using server = await startHttpsServer((_request, response) => {
    if (answersHead) response.writeHead(200, { 'content-length': '1000' }).write('{')
  })
  await using connection = connect({ siteUrl: server.url, caPem: server.caPem, limits })
  await expect(connection.request(call)).rejects.toMatchObject({ kind: 'timeout' })
})

test('reports a response that never ends as a timeout', async () => {
  await using server = await startHttpsServer((_request, response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write(' '), 10)
    response.on('close', () => clearInterval(drip))
  })
  const limits = { requestTimeoutMs: 200 }
  await using connection = connect({ siteUrl: server.url, caPem: server.caPem, limits })
  await expect(connection.request(call)).rejects.toMatchObject({ kind: 'timeout' })
})

test('rejects a response body that exceeds the limit', async () => {
  await using server = await startHttpsServer((_request, response) =>
    response.end(JSON.stringify({ items: 'x'.repeat(2000) })),
  )
  const limits = { maxBodyBytes: 1000 }
  await using connection = connect({ siteUrl: server.url, caPem: server.caPem, limits })
  await expect(connection.request(call)).rejects.toMatchObject({ kind: 'body_too_large' })
})

test('rejects a response larger than 8 MiB', async () => {
  await using server = await startHttpsServer((_request, response) =>
    response.end(JSON.stringify({ items: 'x'.repeat(8 * 1024 * 1024) })),
  )
  await using connection = connect({ siteUrl: server.url, caPem: server.caPem })
  await expect(connection.request(call)).rejects.toMatchObject({ kind: 'body_too_large' })
})

test('aborts a request when the connection’s signal aborts', async () => {
  const stop = new AbortController()
  await using server = await startHttpsServer(() => stop.abort())
  const { url: siteUrl, caPem } = server
  await using connection = connect({ siteUrl, caPem, signal: stop.signal })
  await expect(connection.request(call)).rejects.toMatchObject({ kind: 'interrupted' })
})

test('aborts a pending TLS handshake when the connection’s signal aborts', async () => {
  const stop = new AbortController()
  const silent = createServer((socket) => socket.once('data', () => stop.abort()))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const siteUrl = `https://127.0.0.1:${port}`
  await using connection = connect({ siteUrl, signal: stop.signal })
  await expect(connection.request(call)).rejects.toMatchObject({ kind: 'interrupted' })
  silent.close()
  // The client has closed its socket.
  await once(silent, 'close')
})

test('keeps nothing of closed sockets', async () => {
  const { signal } = new AbortController()
  await using server = await startHttpsServer((_request, response) => {
    response.setHeader('connection', 'close').end('{}')
  })
  await using connection = connect({ siteUrl: server.url, caPem: server.caPem, signal })
  await connection.request(call)
  const listeners = getEventListeners(signal, 'abort').length
  for (let calls = 0; calls < 3; calls += 1) await connection.request(call)
  expect(getEventListeners(signal, 'abort')).toHaveLength(listeners)
})

test('does not parse the trusted certificates again for each connection', async () => {
  await using server = await startHttpsServer((_request, response) => {
    response.setHeader('connection', 'close').end('{}')
  })
  await using connection = connect({ siteUrl: server.url, caPem: server.caPem })
  using parse = vi.spyOn(tls, 'createSecureContext')
  for (let calls = 0; calls < 3; calls += 1) await connection.request(call)
  expect(parse).not.toHaveBeenCalled()
})
