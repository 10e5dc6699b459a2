import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect as connectPlain } from 'node:net'
import { connect } from 'node:tls'
import { expect, test } from 'vitest'
import { failure, invalidParameter, startSandbox } from '../support/sandbox.ts'

const lines = (...text: readonly string[]) => [...text, '', ''].join('\r\n')

test('ignores the body of a GET request', async () => {
  const { send, refresh } = await startSandbox()
  const token = (await refresh()).body.access_token
  const { status, body } = await send(
    `${lines(
      'GET /apps/api/news/?MaxRows=1 HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${token}`,
      'Content-Length: 7',
      'Connection: close',
    )}{"a":1}`,
  )
  expect([status, body.count]).toEqual([200, 1])
})

const getNews = 'GET /apps/api/news/ HTTP/1.1'
const closing = 'Connection: close'
const notAllowed = failure(405, 'method_not_allowed')

test.for([
  ['no HTTP version', ['GET /apps/api/news/ HTTPS'], invalidParameter],
  ['a broken header', ['GET / HTTP/1.1', 'Host localhost'], invalidParameter],
  ['a large header', ['GET / HTTP/1.1', 'Host: x', `X: ${'x'.repeat(70_000)}`], invalidParameter],
  [
    'two body lengths',
    ['POST / HTTP/1.1', 'Host: x', 'Content-Length: 1', 'Content-Length: 2'],
    invalidParameter,
  ],
  ['a method that does not exist', ['FETCH /apps/api/news/ HTTP/1.1', 'Host: x'], notAllowed],
  ['CONNECT', ['CONNECT localhost:1 HTTP/1.1', 'Host: localhost'], notAllowed],
] as const)('responds to %s with an error from the specification', async ([, sent, expected]) => {
  const { send } = await startSandbox()
  const { status, head, body } = await send(lines(...sent))
  expect(status).toBe(expected.status)
  expect(body).toEqual(expected)
  expect(head).toMatch(/^content-type: application\/json/im)
  expect(/^allow: (.*)\r?$/im.exec(head)?.[1]).toBe(status === 405 ? 'GET, POST' : undefined)
})

test.for([
  ['no Host', [getNews, closing]],
  ['an unknown value in the Expect header', [getNews, 'Host: x', 'Expect: miracles', closing]],
  ['an absolute URL', ['GET https://localhost/apps/api/news/ HTTP/1.1', 'Host: x', closing]],
  ['a WebSocket upgrade', [getNews, 'Host: x', 'Connection: Upgrade, close', 'Upgrade: a']],
] as const)('accepts a request with %s', async ([, head]) => {
  const { send } = await startSandbox()
  expect((await send(lines(...head))).body).toEqual(failure(401, 'token_missing'))
})

// The first path ends in the middle of a percent-encoded character.
test.for(['/apps/api/%E0%A4%A/', 'http://[x/', 'http://a:b:c/', '*'])(
  'the request target %s is rejected with unknown_endpoint',
  async (target) => {
    const { send } = await startSandbox()
    const { body } = await send(lines(`GET ${target} HTTP/1.1`, 'Host: x', 'Connection: close'))
    expect(body).toEqual(failure(404, 'unknown_endpoint'))
  },
)

test.for(['GET / HTTP', 'FETCH / HTTP/1.1', 'CONNECT a:1 HTTP/1.1', 'GET http://[x/ HTTP/1.1'])(
  'responds with https_required to %s without TLS',
  async (line) => {
    const { sandbox } = await startSandbox()
    const socket = connectPlain(Number(new URL(sandbox.httpUrl).port), '127.0.0.1')
    socket.end(lines(line, 'Host: x', 'Connection: close'))
    const answer = (await socket.toArray()).join('')
    expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden/)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual(failure(403, 'https_required'))
  },
)

test('responds once to a request with an invalid body, and closes the connection', async () => {
  const { send } = await startSandbox()
  const { status, head, body } = await send(
    `${lines('POST /apps/api/refresh/ HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked')}ZZ\r\n`,
  )
  expect(status).toBe(401)
  expect(head).toMatch(/^connection: close/im)
  expect(body).toEqual(failure(401, 'token_missing'))
})

test('rejects oversized headers, even for a client that does not read', async () => {
  const { send } = await startSandbox()
  for (let tries = 0; tries < 5; tries += 1) {
    const { body } = await send(lines('GET / HTTP/1.1', 'Host: x', `X: ${'x'.repeat(2_000_000)}`))
    expect(body).toEqual(invalidParameter)
  }
})

test('does not respond with method_not_allowed if garbage follows a request for a file', async () => {
  const { sendRaw } = await startSandbox()
  const request = lines('GET /files/engine-1.jpg HTTP/1.1', 'Host: x')
  expect(await sendRaw(`${request}GARBAGE\r\n\r\n`)).not.toContain('method_not_allowed')
})

test('survives connections that are reset after CONNECT', async () => {
  const { sandbox, refresh } = await startSandbox()
  for (const url of [sandbox.httpUrl, sandbox.httpUrl, sandbox.httpUrl]) {
    const socket = connectPlain(Number(new URL(url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(lines('CONNECT a:1 HTTP/1.1', 'Host: a'))
    socket.resetAndDestroy()
    await once(socket, 'close')
  }
  expect((await refresh()).status).toBe(200)
})

test('can stop while connections that do not use HTTP are open', async () => {
  const { sandbox } = await startSandbox()
  const ports = [sandbox.url, sandbox.httpUrl].map((url) => Number(new URL(url).port))
  const sockets = await Promise.all(
    ports.map(async (port) => {
      const socket = connectPlain(port, '127.0.0.1').on('error', () => undefined)
      await once(socket, 'connect')
      return socket
    }),
  )
  const closed = sockets.map((socket) => once(socket, 'close'))
  await sandbox[Symbol.asyncDispose]()
  await Promise.all(closed)
  expect(sockets.every(({ destroyed }) => destroyed)).toBe(true)
})

test.for([
  { name: 'with an unsatisfiable range', headers: { range: 'bytes=99999999-' }, status: 416 },
  { name: 'with another ETag', headers: { 'if-match': '"x"' }, status: 412 },
  { name: 'with a valid range', headers: { range: 'bytes=0-9' }, status: 206 },
])('responds with status $status to a request for a file $name', async ({ headers, status }) => {
  const reported: unknown[] = []
  const { request } = await startSandbox({ report: (error) => void reported.push(error) })
  const response = await request('GET', '/files/engine-1.jpg', headers)
  expect(response.status).toBe(status)
  expect(response.body).toBeUndefined()
  expect(reported).toEqual([])
})

test('survives invalid and aborted TLS handshakes', async () => {
  const { sandbox, refresh } = await startSandbox()
  const { port } = new URL(sandbox.url)
  const plain = await fetch(`http://127.0.0.1:${port}/`).catch(() => 'refused')
  expect(plain).toBe('refused')
  const socket = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  socket.write('GET /apps/api/news/ HT')
  socket.destroy()
  expect((await refresh()).status).toBe(200)
})

test('serves 300 concurrent connections', async () => {
  const { sandbox, refresh } = await startSandbox({ callsPerMinute: 1000 })
  const token = (await refresh()).body.access_token
  const { port } = new URL(sandbox.url)
  const ca = readFileSync(sandbox.caFile)
  const sockets = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const socket = connect({ port: Number(port), host: '127.0.0.1', ca })
      await once(socket, 'secureConnect')
      return socket
    }),
  )
  const request = lines(
    'GET /apps/api/members/ HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    'Connection: close',
  )
  const answers = await Promise.all(
    sockets.map(async (socket) => {
      socket.end(request)
      return (await socket.toArray()).join('')
    }),
  )
  expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 200 OK'))).toHaveLength(300)
  expect(new Set(answers.map((answer) => answer.split('\r\n\r\n')[1])).size).toBe(1)
}, 20_000)
