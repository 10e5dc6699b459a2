import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { maxRequests } from '../../src/front/origin-connection.ts'
import { sharedFronts, startFront } from './front.ts'
import { exchange, requestText } from '../support/raw-http.ts'
import { waitFor } from '../support/wait-for.ts'

const front = sharedFronts((options) => startFront('0', options))

test('forwards other requests with their body, and hides the address header', async () => {
  const { ask } = await front()
  const echo = await ask('/echo', { method: 'POST', body: 'a'.repeat(100_000) })
  expect(echo.status).toBe(201)
  expect(echo.text).toMatch(/^POST 127\.0\.0\.1 127\.0\.0\.1:\d+ a{100000}$/)
  expect(echo.headers.get('x-own')).toBe('kept')
  const published = await ask('/published')
  expect([...published.headers.keys()].filter((name) => name.startsWith('feedhouse'))).toEqual([])
})

test('forwards the response for a URL that is too long to be remembered', async () => {
  const { url } = await front()
  // JSON doubles the quotation marks.
  const { status } = await exchange(url, requestText(`/long?${'"'.repeat(7_900)}`))
  expect(status).toBe(200)
})

test.for([
  ['one site', 1, ['http://feeds.example/published', 'http://other.example/published']],
  ['several sites', 2, ['http://site-0.example/published', 'http://Site-0.Example:80/published']],
] as const)(
  'caches absolute targets and other spellings of the host once: %s',
  async ([, workers, targets]) => {
    const { url, askSite } = await startFront('0', { workers })
    const fetches = async () => Number((await askSite(0, '/fetches')).text)
    await askSite(0, '/published')
    await waitFor(async () => expect(await fetches()).toBe(1))
    for (const target of targets) {
      expect(await exchange(url, requestText(target))).toMatchObject({ status: 200 })
    }
    await askSite(0, '/published', { Host: 'SITE-0.example' })
    expect(await fetches()).toBe(1)
  },
)

test('does not let clients choose the address that limits use', async () => {
  const { url } = await front()
  const headers = { 'Feedhouse-Client': '192.0.2.1' }
  const { body } = await exchange(url, requestText('/echo', { headers }))
  expect(body.toString()).toContain('GET 127.0.0.1 ')
})

test.for(['GET', 'DELETE', 'POST'])('forwards a chunked body of a %s as a body', async (method) => {
  const { url, ask } = await front()
  const requests = async () => Number((await ask('/requests')).text)
  const before = await requests()
  const inner = 'GET /exit HTTP/1.1\r\nHost: a\r\nFeedhouse-Client: 192.0.2.1\r\n\r\n'
  const head = requestText('/echo', { method, headers: { 'Transfer-Encoding': 'chunked' } })
  const chunks = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`
  const { status, body } = await exchange(url, `${head}${chunks}`)
  expect(status).toBe(201)
  expect(body.toString()).toContain(inner)
  // One asks whether to read the body, and one is for the count itself.
  expect(await requests()).toBe(before + 3)
})

test('does not forward headers that are only for one connection', async () => {
  const { url } = await front()
  // RFC 9110 7.6.1.
  const ownNames = ['X-Hop', 'Keep-Alive', 'Proxy-Connection', 'TE', 'Trailer', 'Upgrade']
  const sent = {
    // In addition to "Connection: close". Without the last three, a client could hide a body or itself.
    connection: 'X-Hop, Content-Length, Host, X-Forwarded-For',
    ...Object.fromEntries(ownNames.map((name) => [name, 'zqvaluezq'])),
    'X-End': 'all',
    'Content-Length': '0',
    'X-Forwarded-For': '192.0.2.1',
  }
  const request = requestText('/headers', { method: 'POST', headers: sent })
  const { headers, body } = await exchange(url, request)
  expect(JSON.parse(body.toString())).toMatchObject({
    'x-end': 'all',
    'content-length': '0',
    host: expect.any(String),
    'x-forwarded-for': '192.0.2.1',
  })
  expect(body.toString()).not.toContain('zqvaluezq')
  expect(headers).toMatchObject({ 'x-end': 'b' })
  expect(headers).not.toHaveProperty('x-hop')
})

test('forwards requests without a Host header, which HTTP/1.0 allows', async () => {
  const { url } = await front()
  const { status, body } = await exchange(url, requestText('/other', { version: '1.0' }))
  expect([status, body.toString()]).toEqual([200, '/other'])
})

/** The front does not answer requests with this condition itself. */
const uncached = { 'If-Match': '"1"' }

test('leaves room for others when two clients wait for slow responses', async () => {
  const { ask, url } = await startFront()
  const askFor = (client: string, path: string) =>
    exchange(url, requestText(path, { headers: { 'X-Forwarded-For': client, ...uncached } }))
  expect(await askFor('192.0.2.1', '/outdated')).toMatchObject({ status: 200 })
  // The worker never responds to these.
  for (let count = 0; count < 100; count += 1) {
    for (const client of ['192.0.2.1', '192.0.2.2']) void askFor(client, '/outdated')
  }
  await waitFor(async () => expect(Number((await ask('/requests')).text)).toBeGreaterThan(80))
  expect(await askFor('192.0.2.3', '/worker')).toMatchObject({ status: 200 })
})

const requestFrom = (
  client: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
) => requestText(path, { headers: { 'X-Forwarded-For': client, ...headers } })

test('gives clients that disconnect no more of the worker than others', async () => {
  const { ask, url } = await startFront()
  expect(await exchange(url, requestFrom('192.0.2.1', '/outdated', uncached))).toMatchObject({
    status: 200,
  })
  const before = Number((await ask('/requests')).text)
  for (let count = 0; count < 200; count += 1) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(requestFrom('192.0.2.1', '/outdated', uncached))
    await waitFor(() => expect(socket.bytesWritten).toBeGreaterThan(0))
    await exchange(url, requestText('/livez'))
    socket.destroy()
  }
  expect(await exchange(url, requestFrom('192.0.2.2', '/worker', uncached))).toMatchObject({
    status: 200,
  })
  const after = Number((await ask('/requests')).text)
  expect(after - before).toBeLessThan(maxRequests)
})

test('drops requests of clients that disconnect before it is their turn', async () => {
  const { ask, url } = await startFront()
  const sockets: Socket[] = []
  const open = (path: string) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
    sockets.push(socket)
    socket.write(requestFrom('192.0.2.1', path))
  }
  // The worker never completes these responses, nor begins the other ones of this client.
  expect(await exchange(url, requestText('/outdated'))).toMatchObject({ status: 200 })
  for (let count = 0; count < 64; count += 1) open(`/silent/${count}`)
  const requests = async () => Number((await ask('/requests')).text)
  await waitFor(async () => expect(await requests()).toBeGreaterThanOrEqual(64))
  for (let count = 0; count < 30; count += 1) open(`/published?${count}`)
  await exchange(url, requestFrom('192.0.2.2', '/worker'))
  for (const socket of sockets) socket.destroy()
  await ask('/speak')
  const fetches = async () => Number((await ask('/fetches')).text)
  expect(await fetches()).toBe(0)
})

test('closes the connection if the worker cuts a response off', async () => {
  const { ask } = await front()
  await expect(ask('/cut')).rejects.toThrow('terminated')
  expect(await ask('/other')).toMatchObject({ status: 200, text: '/other' })
})

/** By default, Node ignores or rejects more than 1,000 headers, depending on its version. */
const fillers = 'a:\r\n'.repeat(1_004)

test('reads all headers, so that a long list of them cannot hide the client', async () => {
  const { url } = await front()
  const head = requestText('/echo').replace(/\r\n$/, `${fillers}\r\n`)
  const { body } = await exchange(url, head)
  expect(body.toString()).toContain('GET 127.0.0.1 ')
})

test('reads all headers, so that a long list of them cannot hide the length of a body', async () => {
  const { url, ask } = await front()
  // If the front did not send the body, the worker would mistake the next request for it.
  const hidden = `${fillers}Content-Length: 20\r\n\r\n${'b'.repeat(20)}`
  const first = await exchange(url, requestText('/first').replace(/\r\n$/, hidden))
  expect(first).toMatchObject({ status: 200 })
  expect(await ask('/second')).toMatchObject({ status: 200, text: '/second' })
})

test('forwards headers of the largest size that clients may send', async () => {
  const { url, ask } = await front()
  const path = '/withdrawn/503'
  expect(await ask(path)).toMatchObject({ status: 200 })
  const headers = { Cookie: 'c'.repeat(16 * 1024 - 100) }
  const { status } = await exchange(url, requestText(path, { headers }))
  expect(status).toBe(200)
  expect(await ask(path)).toMatchObject({ status: 200 })
})
