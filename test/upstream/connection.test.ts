import { getEventListeners, once } from 'node:events'
import type { RequestListener } from 'node:http'
import tls, { type TLSSocket } from 'node:tls'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  countedConnection,
  createConnection,
  type ConnectionOptions,
} from '../../src/upstream/connection.ts'
import { countStarts, hasManyProperties } from '../../src/outgoing/json-counts.ts'
import type { UpstreamError } from '../../src/upstream/upstream-error.ts'
import { freePort } from '../support/free-port.ts'
import { startHttpsServer } from '../support/https-server.ts'
import { silentServer } from '../support/local-server.ts'

const call = { method: 'GET', path: '/apps/api/news/', token: 'not-to-be-told' } as const

function connect(options: Omit<ConnectionOptions, 'now'>) {
  const connection = createConnection({ now: Date.now, ...options })
  onTestFinished(() => connection[Symbol.asyncDispose]())
  return connection
}

async function connectTo(respond: RequestListener, options: Partial<ConnectionOptions> = {}) {
  const { url: siteUrl, caPem } = await startHttpsServer(respond)
  return connect({ siteUrl, caPem, ...options })
}

test('sends the token, and returns the status, the JSON and Retry-After', async () => {
  const seen: (string | undefined)[] = []
  const connection = await connectTo((request, response) => {
    seen.push(request.method, request.url, request.headers.authorization)
    response.writeHead(429, { 'retry-after': '7' }).end('{"code":"rate_limited"}')
  })
  const answer = await connection.request(call)
  expect(seen).toEqual(['GET', call.path, 'Bearer not-to-be-told'])
  const body = { code: 'rate_limited' }
  const bodyHash = expect.any(String)
  expect(answer).toEqual({ status: 429, body, bodyBytes: 23, bodyHash, retryAfterMs: 7000 })
})

test('hashes everything in a body but the time when it was generated', async () => {
  const bodies = [
    '{"generated":"2026-03-05 10:00:00","items":[1]}',
    '{"generated":"2026-03-05 10:05:00","items":[1]}',
    '{"generated":"2026-03-05 10:05:00","items":[2]}',
    // A text in which the property is only quoted.
    String.raw`{"items":["\"generated\":\"a\""],"generated":"b"}`,
    String.raw`{"items":["\"generated\":\"c\""],"generated":"b"}`,
    // Empty properties of records.
    '{"items":[{"Generated":""}]}',
    '{"items":[{"generated":""}]}',
    // Too long for a time.
    `{"generated":"${'a'.repeat(101)}","items":[1]}`,
    `{"generated":"${'b'.repeat(101)}","items":[1]}`,
  ]
  let next = 0
  const connection = await connectTo((_request, response) => response.end(bodies[next++]))
  const hashes: unknown[] = []
  for (const _ of bodies) hashes.push((await connection.request(call)).bodyHash)
  expect(hashes[1]).toBe(hashes[0])
  expect(new Set(hashes).size).toBe(bodies.length - 1)
})

const pageAt = (generated: string) => `{"generated":"${generated}","items":[1]}`

test('parses a body with a known hash only when it is read', async () => {
  const sent = ['2026-03-05 10:00:00', '2026-03-05 10:05:00', 'noon\\u0021'].map(pageAt)
  const left = [...sent]
  const connection = await connectTo((_request, response) => response.end(left.shift()))
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  const first = await connection.request(call)
  expect(first).toMatchObject({ generated: '2026-03-05 10:00:00', body: { items: [1] } })
  expect(first.isKnown).toBeUndefined()
  const known = { ...call, knownHash: first.bodyHash }
  parse.mockClear()
  const second = await connection.request(known)
  expect(second.isKnown).toBe(true)
  expect(second.generated).toBe('2026-03-05 10:05:00')
  expect(parse).not.toHaveBeenCalled()
  expect(second.body).toEqual(JSON.parse(sent[1] ?? ''))
  // The time cannot be found without parsing the body.
  const third = await connection.request(known)
  expect(third.isKnown).toBeUndefined()
  expect(third.body).toMatchObject({ generated: 'noon!' })
})

test('finds the time at the end of a long body', async () => {
  const text = 'x'.repeat(5000)
  const generated = ['2026-03-05 10:00:00', '2026-03-05 10:05:00']
  const left = generated.map((each) => JSON.stringify({ items: [text], generated: each }))
  const connection = await connectTo((_request, response) => response.end(left.shift()))
  const [first, second] = [await connection.request(call), await connection.request(call)]
  expect([first.generated, second.generated]).toEqual(generated)
  expect(second.bodyHash).toBe(first.bodyHash)
})

test('counts a response with a known body as a success', async () => {
  const { url: siteUrl, caPem } = await startHttpsServer((_request, response) =>
    response.end(pageAt('noon')),
  )
  const connection = countedConnection(connect({ siteUrl, caPem }))
  const { bodyHash } = await connection.request(call)
  await connection.request({ ...call, knownHash: bodyHash })
  expect(connection.counts()).toEqual(new Map([['ok', 2]]))
})

test('reuses connections, and opens at most two', async () => {
  const ports = new Set<number | undefined>()
  const connection = await connectTo((request, response) => {
    ports.add(request.socket.remotePort)
    response.end('{}')
  })
  for (const _ of [1, 2, 3]) await connection.request(call)
  expect(ports.size).toBe(1)
  await Promise.all([1, 2, 3, 4, 5].map(() => connection.request(call)))
  expect(ports.size).toBeLessThanOrEqual(2)
})

test.for([
  { informational: 10, outcome: 'ok' },
  { informational: 11, outcome: 'interrupted' },
])('sees $outcome after $informational informational responses', async (expected) => {
  const connection = await connectTo((_request, response) => {
    for (let sent = 0; sent < expected.informational; sent += 1) response.writeProcessing()
    response.end('{}')
  })
  const asked = connection.request(call)
  const outcome = await asked.then(
    () => 'ok',
    ({ kind }: UpstreamError) => kind,
  )
  expect(outcome).toBe(expected.outcome)
})

test('ends responses with more extensions of chunks than a response may have, but no others', async () => {
  const counts = [1, 9, 9, 20, 1]
  const connection = await connectTo(
    ({ socket }) => {
      const chunks = `1;${'x'.repeat(10_000)}\r\n \r\n`.repeat(counts.shift() ?? 0)
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      socket.write(`${chunks}2\r\n{}\r\n0\r\n\r\n`)
    },
    { limits: { maxResponseBytes: 100_000 } },
  )
  const outcomes: string[] = []
  while (counts.length > 0) {
    const outcome = connection.request(call).then(
      () => 'ok',
      ({ kind }: UpstreamError) => kind,
    )
    outcomes.push(await outcome)
  }
  expect(outcomes).toEqual(['ok', 'ok', 'ok', 'interrupted', 'ok'])
})

test('does not return the body of a response that is not JSON', async () => {
  const connection = await connectTo((_request, response) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>'),
  )
  expect(await connection.request(call)).toMatchObject({ status: 502, body: undefined })
})

test('does not follow redirects, because that could leak the token', async () => {
  let requests = 0
  const connection = await connectTo((_request, response) => {
    requests += 1
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  expect(await connection.request(call)).toMatchObject({ status: 302 })
  expect(requests).toBe(1)
})

test('reports a closed port as unreachable, and never mentions the token', async () => {
  const siteUrl = `https://localhost:${await freePort()}`
  const connection = connect({ siteUrl })
  const error: unknown = await connection.request(call).catch((reason: unknown) => reason)
  expect(error).toMatchObject({
    kind: 'unreachable',
    message: `GET ${siteUrl}/apps/api/news/: the site cannot be reached (ECONNREFUSED)`,
  })
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(call.token)
})

test('reports a stalled TLS handshake as unreachable', async () => {
  const { siteUrl } = await silentServer()
  const connection = connect({ siteUrl, limits: { connectTimeoutMs: 50 } })
  await expect(connection.request(call)).rejects.toMatchObject({ kind: 'unreachable' })
})

test.for<{
  name: string
  kind: string
  limits?: ConnectionOptions['limits']
  respond: RequestListener
}>([
  {
    name: 'connection that breaks in the middle of a response',
    kind: 'interrupted',
    respond(_request, response) {
      response.writeHead(200, { 'content-length': '1000' }).write('{"items":[')
      response.socket?.destroy()
    },
  },
  {
    name: 'server that never sends headers',
    kind: 'timeout',
    limits: { headersTimeoutMs: 50 },
    respond: () => undefined,
  },
  {
    name: 'server that never sends a body',
    kind: 'timeout',
    limits: { bodyTimeoutMs: 50 },
    respond: (_request, response) =>
      response.writeHead(200, { 'content-length': '1000' }).write('{'),
  },
  {
    name: 'response that never ends',
    kind: 'timeout',
    limits: { requestTimeoutMs: 200 },
    respond(_request, response) {
      response.writeHead(200)
      const drip = setInterval(() => response.write(' '), 10)
      response.on('close', () => clearInterval(drip))
    },
  },
  {
    name: 'body that exceeds the limit',
    kind: 'body_too_large',
    limits: { maxBodyBytes: 1000 },
    respond: (_request, response) => response.end(JSON.stringify('x'.repeat(2000))),
  },
  {
    name: 'body that is larger than 8 MiB',
    kind: 'body_too_large',
    respond: (_request, response) => response.end(JSON.stringify('x'.repeat(8 * 1024 * 1024))),
  },
  {
    name: 'body with more than 400,000 objects',
    kind: 'body_too_large',
    respond: (_request, response) => response.end(`[${'{},'.repeat(400_000)}1]`),
  },
  {
    name: 'body with more than 100,000 properties',
    kind: 'body_too_large',
    respond: (_request, response) => response.end(`{${'"a":1,'.repeat(100_000)}"a":1}`),
  },
  {
    name: 'body with more than 400,000 values',
    kind: 'body_too_large',
    respond: (_request, response) => response.end(`[${'"",'.repeat(400_001)}1]`),
  },
  {
    name: 'body in more than 20,000 chunks',
    kind: 'body_too_large',
    respond({ socket }) {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      socket.write('1\r\n \r\n'.repeat(20_001))
    },
  },
  {
    name: 'stalled body with too many objects',
    kind: 'body_too_large',
    limits: { maxThings: 10 },
    respond: (_request, response) => response.write('[{},{},{},{},{},{},{},{},{},{},'),
  },
])('reports a $name as $kind', async ({ kind, limits = {}, respond }) => {
  const connection = await connectTo(respond, { limits })
  await expect(connection.request(call)).rejects.toMatchObject({ kind })
})

const ofOneRecord = (start: string, size: number) =>
  `{"endpoint":"news","items":[{${start}"text":"${'x'.repeat(size)}"}]}`

test.for<[name: string, id: string | undefined, start: string, size: number, isDeclared?: boolean]>(
  [
    ['of a declared size', '17', '"id":17,', 9e6, true],
    ['of an unknown size', '17', '"id" : "17", ', 9e6],
    ['whose record has no id at its beginning', undefined, '"title":[{"id":3}],', 9e6],
  ],
)('names the first record of a body %s that is too large', async (row) => {
  const [, recordId, start, size, isDeclared = false] = row
  const connection = await connectTo((_request, response) => {
    const body = ofOneRecord(start, size)
    if (isDeclared) response.setHeader('content-length', body.length)
    else response.flushHeaders()
    response.end(body)
  })
  const error = { kind: 'body_too_large', recordId }
  await expect(connection.request(call)).rejects.toMatchObject(error)
  // Nothing of a record may reach the log.
  await expect(connection.request(call)).rejects.not.toThrow('xxx')
})

test('stops counting objects and lists at the limit', () => {
  const bytes = Buffer.from('[{},{},[]]')
  expect([0, 3, 4, 5].map((max) => countStarts(bytes, max))).toEqual([1, 4, 4, 4])
  const find = vi.spyOn(Buffer.prototype, 'indexOf')
  onTestFinished(() => find.mockRestore())
  expect(countStarts(Buffer.alloc(1000, '{'), 10)).toBe(11)
  expect(find).toHaveBeenCalledTimes(11)
})

test.for<[name: string, text: string, isMany: boolean, encoding?: BufferEncoding]>([
  ['few properties', '{"a":1,"b" \n:{"c"\t:"12h30, 13h30"}}', false],
  ['many properties', '{"a":1,"b" \n:{"c"\t:"12h30, 13h30", "d":4}}', true],
  ['many properties in UTF-16', '{"a":1,"é":2,"c":3,"d":4}', true, 'utf16le'],
  ['few values', `[${'"",'.repeat(12)}""]`, false],
  ['many values', `[${'"",'.repeat(13)}""]`, true],
])('recognizes JSON with %s', ([, text, isMany, encoding]) => {
  expect(hasManyProperties(Buffer.from(text, encoding), 3)).toBe(isMany)
})

test('accepts a body of 8 MiB', async () => {
  const text = 'x'.repeat(8 * 1024 * 1024 - 2)
  const connection = await connectTo((_request, response) => response.end(JSON.stringify(text)))
  expect((await connection.request(call)).body).toBe(text)
})

test('aborts a request when the connection’s signal aborts', async () => {
  const stop = new AbortController()
  const connection = await connectTo(() => stop.abort(), { signal: stop.signal })
  await expect(connection.request(call)).rejects.toMatchObject({ kind: 'interrupted' })
})

test('finishes a token request that was sent before the signal aborts, within its grace period', async () => {
  const stop = new AbortController()
  const tokenCall = { ...call, method: 'POST' } as const
  const options = { signal: stop.signal }
  const connection = await connectTo((_request, response) => {
    stop.abort()
    response.end('{}')
  }, options)
  expect(await connection.request(tokenCall)).toMatchObject({ status: 200 })
  // Not sent, so it does not count.
  await expect(connection.request(tokenCall)).rejects.toMatchObject({ kind: 'unreachable' })
})

test('gives up a token request that is not answered after the signal aborts', async () => {
  const stop = new AbortController()
  const limits = { tokenRequestGraceMs: 1 }
  const connection = await connectTo(() => stop.abort(), { signal: stop.signal, limits })
  const tokenCall = { ...call, method: 'POST' } as const
  await expect(connection.request(tokenCall)).rejects.toMatchObject({ kind: 'interrupted' })
})

test('aborts a pending TLS handshake when the connection’s signal aborts', async () => {
  const stop = new AbortController()
  const { server, siteUrl, connected } = await silentServer()
  void connected.then(([socket]) => socket.once('data', () => stop.abort()))
  const connection = connect({ siteUrl, signal: stop.signal })
  await expect(connection.request(call)).rejects.toMatchObject({ kind: 'unreachable' })
  server.close()
  // The client has closed its socket.
  await once(server, 'close')
})

const okOnce: RequestListener = (_request, response) =>
  response.setHeader('connection', 'close').end('{}')

test('keeps nothing of closed sockets', async () => {
  const { signal } = new AbortController()
  const connection = await connectTo(okOnce, { signal })
  await connection.request(call)
  const listeners = getEventListeners(signal, 'abort').length
  for (let calls = 0; calls < 3; calls += 1) await connection.request(call)
  expect(getEventListeners(signal, 'abort')).toHaveLength(listeners)
})

test('does not parse the trusted certificates again for each connection', async () => {
  const connection = await connectTo(okOnce)
  using parse = vi.spyOn(tls, 'createSecureContext')
  for (let calls = 0; calls < 3; calls += 1) await connection.request(call)
  expect(parse).not.toHaveBeenCalled()
})

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

test('resumes the TLS session, even after garbage collection', async () => {
  const resumed: (boolean | undefined)[] = []
  const connection = await connectTo((request, response) => {
    resumed.push((request.socket as TLSSocket).isSessionReused())
    okOnce(request, response)
  })
  for (let calls = 0; calls < 3; calls += 1) {
    await connection.request(call)
    collectGarbage()
  }
  expect(resumed).toEqual([false, true, true])
})
