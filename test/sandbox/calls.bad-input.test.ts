import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect as connectPlain } from 'node:net'
import { connect } from 'node:tls'
import { expect, test } from 'vitest'
import { failure, startSandbox } from '../support/sandbox.ts'

const invalid = failure(400, 'Bad Request', 'invalid_parameter')
const lines = (...text: readonly string[]) => [...text, '', ''].join('\r\n')

test('a body on GET is not minded', async () => {
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
  expect(status).toBe(200)
  expect(body.count).toBe(1)
})

test.for([
  { name: 'no version of HTTP', bytes: lines('GET /apps/api/news/ HTTPS'), expected: invalid },
  { name: 'a broken header', bytes: lines('GET / HTTP/1.1', 'Host localhost'), expected: invalid },
  {
    name: 'a header that is too large',
    bytes: lines('GET / HTTP/1.1', 'Host: localhost', `X: ${'x'.repeat(70_000)}`),
    expected: invalid,
  },
  {
    name: 'two lengths of a body',
    bytes: lines('POST / HTTP/1.1', 'Host: x', 'Content-Length: 1', 'Content-Length: 2'),
    expected: invalid,
  },
  {
    name: 'a method that does not exist',
    bytes: lines('FETCH /apps/api/news/ HTTP/1.1', 'Host: localhost'),
    expected: failure(405, 'Method Not Allowed', 'method_not_allowed'),
  },
  {
    name: 'CONNECT',
    bytes: lines('CONNECT localhost:1 HTTP/1.1', 'Host: localhost'),
    expected: failure(405, 'Method Not Allowed', 'method_not_allowed'),
  },
])('$name is an error of the specification', async ({ bytes, expected }) => {
  const { send } = await startSandbox()
  const { status, head, body } = await send(bytes)
  expect(status).toBe(expected.status)
  expect(body).toEqual(expected)
  expect(head).toMatch(/^content-type: application\/json/im)
  expect(/^allow: (.*)\r?$/im.exec(head)?.[1]).toBe(status === 405 ? 'GET, POST' : undefined)
})

test('a path that ends in the middle of a character is unknown_endpoint', async () => {
  const { send } = await startSandbox()
  const { body } = await send(
    lines('GET /apps/api/%E0%A4%A/ HTTP/1.1', 'Host: localhost', 'Connection: close'),
  )
  expect(body).toEqual(failure(404, 'Not Found', 'unknown_endpoint'))
})

test.for([
  { name: 'no Host', head: lines('GET /apps/api/news/ HTTP/1.1', 'Connection: close') },
  {
    name: 'an unknown expectation',
    head: lines('GET /apps/api/news/ HTTP/1.1', 'Host: x', 'Expect: miracles', 'Connection: close'),
  },
  {
    name: 'the whole address',
    head: lines('GET https://localhost/apps/api/news/ HTTP/1.1', 'Host: x', 'Connection: close'),
  },
])('a request with $name is a call', async ({ head }) => {
  const { send } = await startSandbox()
  expect((await send(head)).body).toEqual(failure(401, 'Unauthorized', 'token_missing'))
})

test.for(['http://[x/', 'http://a:b:c/', '*'])('the target %s is unknown', async (target) => {
  const { send } = await startSandbox()
  const { body } = await send(lines(`GET ${target} HTTP/1.1`, 'Host: x', 'Connection: close'))
  expect(body).toEqual(failure(404, 'Not Found', 'unknown_endpoint'))
})

test.for(['GET / HTTP', 'FETCH / HTTP/1.1', 'CONNECT a:1 HTTP/1.1', 'GET http://[x/ HTTP/1.1'])(
  'without TLS also %s is https_required',
  async (line) => {
    const { sandbox } = await startSandbox()
    const socket = connectPlain(Number(new URL(sandbox.httpUrl).port), '127.0.0.1')
    socket.end(lines(line, 'Host: x', 'Connection: close'))
    const answer = (await socket.toArray()).join('')
    expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden/)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual(
      failure(403, 'Forbidden', 'https_required'),
    )
  },
)

test('a body that is no body gets one answer, and the connection ends', async () => {
  const { send } = await startSandbox()
  const { status, head, body } = await send(
    `${lines('POST /apps/api/refresh/ HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked')}ZZ\r\n`,
  )
  expect(status).toBe(401)
  expect(head).toMatch(/^connection: close/im)
  expect(body).toEqual(failure(401, 'Unauthorized', 'token_missing'))
})

test('headers that are far too large are told so, also to a client that does not read meanwhile', async () => {
  const { send } = await startSandbox()
  for (let tries = 0; tries < 5; tries += 1) {
    const { body } = await send(lines('GET / HTTP/1.1', 'Host: x', `X: ${'x'.repeat(2_000_000)}`))
    expect(body).toEqual(invalid)
  }
})

test('what follows a request for a file is never taken for its answer', async () => {
  const { sendRaw } = await startSandbox()
  const request = lines('GET /files/engine-1.jpg HTTP/1.1', 'Host: x')
  expect(await sendRaw(`${request}GARBAGE\r\n\r\n`)).not.toContain('method_not_allowed')
})

test('connections that are reset after CONNECT harm nobody', async () => {
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

test('it ends while connections are open that HTTP knows nothing of', async () => {
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
  { name: 'a range it has not', headers: { range: 'bytes=99999999-' }, status: 416 },
  { name: 'a version it is not', headers: { 'if-match': '"x"' }, status: 412 },
  { name: 'a part of it', headers: { range: 'bytes=0-9' }, status: 206 },
])('a file asked for $name is answered with $status', async ({ headers, status }) => {
  const reported: unknown[] = []
  const { request } = await startSandbox({ report: (error) => void reported.push(error) })
  const response = await request('GET', '/files/engine-1.jpg', headers)
  expect(response.status).toBe(status)
  expect(response.body).toBeUndefined()
  expect(reported).toEqual([])
})

test('a request for a websocket is a request', async () => {
  const { send } = await startSandbox()
  const { body } = await send(
    lines('GET /apps/api/news/ HTTP/1.1', 'Host: x', 'Connection: Upgrade, close', 'Upgrade: a'),
  )
  expect(body).toEqual(failure(401, 'Unauthorized', 'token_missing'))
})

test('what is no TLS, or ends in the middle, harms nobody', async () => {
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

test('300 connections at once are all answered', async () => {
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
