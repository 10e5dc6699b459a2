import { once } from 'node:events'
import { readFileSync } from 'node:fs'
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
})

test('a path that ends in the middle of a character is unknown_endpoint', async () => {
  const { send } = await startSandbox()
  const { body } = await send(
    lines('GET /apps/api/%E0%A4%A/ HTTP/1.1', 'Host: localhost', 'Connection: close'),
  )
  expect(body).toEqual(failure(404, 'Not Found', 'unknown_endpoint'))
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
