import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listen } from '../../src/front/server.ts'
import { createLogger } from '../../src/log.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { connectTo, ok, serverOf } from '../support/http-server.ts'
import { exchange, readAnswer, requestText, send } from '../support/raw-http.ts'
import { waitFor, waitUntil } from '../support/wait-for.ts'

const tools = () => ({ clock: createFakeClock(), log: createLogger('silent') })

/**
 * Resolves after the server has reset the connection, which the client notices only when it writes.
 */
const isReset = (socket: Socket) =>
  waitUntil(() => {
    if (!socket.destroyed) socket.write('x')
    return socket.destroyed
  })

/**
 * Timeouts for clients that do not finish a request. A busy machine may not read any bytes in time, so
 * that the server closes the connection silently, and the test has to try again.
 */
const impatient = { headersTimeoutMs: 100, requestTimeoutMs: 100, timeoutsCheckedMs: 10 }

describe('an unreadable request', () => {
  test.for([
    { name: 'text that is not HTTP', text: '\u0016\u0003\u0001 hello\r\n\r\n', status: 400 },
    { name: 'a malformed header', text: 'GET / HTTP/1.1\r\nHost x\r\n\r\n', status: 400 },
    { name: 'a missing Host', text: 'GET / HTTP/1.1\r\n\r\n', status: 400 },
    {
      name: 'a header that is too long',
      text: `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      status: 431,
    },
  ])('with $name gets the status $status', async ({ text, status }) => {
    const { url } = await serverOf(ok)
    const answer = readAnswer(await send(url, text))
    expect(answer).toMatchObject({ status, headers: { connection: 'close' } })
  })

  test('is logged on one line', async () => {
    const { url, refused, rejections } = await serverOf(ok)
    await send(url, 'hello\r\n\r\n')
    expect(refused()).toMatchObject([
      { level: 'warn', reason: 'not HTTP', address: '127.0.0.1', msg: 'refused' },
    ])
    expect(rejections.counts()).toEqual(new Map([['not HTTP', 1]]))
  })
})

describe('a rejected client', () => {
  const limits = { lingerMs: 50 }
  const halfAsked = [
    { reason: 'not HTTP', text: 'hello\r\n\r\n' },
    { reason: 'too large headers', text: `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}` },
    { reason: 'request timeout', text: 'GET / HTTP/1.1\r\nHost: x\r\n' },
  ]

  test.for(halfAsked)(
    'is disconnected because of this, and logged once: $reason',
    async ({ text, reason }) => {
      const timeouts = reason === 'request timeout' ? impatient : {}
      const { url, refused } = await serverOf(ok, { ...limits, ...timeouts })
      await waitFor(async () => {
        const { socket } = await connectTo(url, { allowHalfOpen: true })
        socket.resume().write(text)
        await once(socket, 'end')
        await isReset(socket)
        expect(refused()).toMatchObject([{ reason }])
      })
    },
  )

  test('gets only one response', async () => {
    const { url } = await serverOf(ok, { ...limits, ...impatient })
    await waitFor(async () => {
      const { socket, closed } = await connectTo(url)
      const received = buffer(socket)
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nx')
      await closed
      expect((await received).toString().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
    })
  })

  test('can reset its connection after CONNECT without crashing the server', async () => {
    const { url } = await serverOf(ok, { lingerMs: limits.lingerMs })
    for (let time = 0; time < 20; time += 1) {
      const { socket, closed } = await connectTo(url)
      socket.write('CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n')
      if (time % 2 === 0) await once(socket, 'data')
      socket.resetAndDestroy()
      await closed
    }
    expect((await exchange(url, requestText('/'))).status).toBe(200)
  })

  test('cannot delay shutdown after CONNECT', async () => {
    const { url, answering } = await serverOf(ok, { lingerMs: 60_000, closeGraceMs: 20 })
    const { socket } = await connectTo(url, { allowHalfOpen: true })
    socket.write('CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'data')
    socket.resume()
    await answering[Symbol.asyncDispose]()
    await isReset(socket)
    expect(socket.destroyed).toBe(true)
  })
})

test('keeps an idle connection for longer than the minute for which proxies reuse it', async () => {
  const { url } = await serverOf(ok)
  const { headers } = await fetch(url)
  expect(headers.get('keep-alive')).toBe('timeout=65')
})

test('responds with Retry-After while it starts', async () => {
  const server = await listen('127.0.0.1', 0, tools())
  onTestFinished(() => server[Symbol.asyncDispose]())
  const { status, headers } = await exchange(`http://127.0.0.1:${server.port}`, requestText('/'))
  expect(status).toBe(503)
  expect(headers).toMatchObject({ 'retry-after': '1', 'cache-control': 'no-store' })
})

test('responds with 408 to a request that takes too long, and logs it', async () => {
  const { url, refused } = await serverOf(ok, impatient)
  await waitFor(async () => {
    const answer = readAnswer(await send(url, 'GET / HTTP/1.1\r\nHost: x\r\n'))
    expect(answer.status).toBe(408)
  })
  expect(refused()).toMatchObject([{ reason: 'request timeout' }])
})

test('closes a silent connection without a response', async () => {
  const { url, refused } = await serverOf(ok, { headersTimeoutMs: 20, timeoutsCheckedMs: 10 })
  const { socket, closed } = await connectTo(url)
  socket.resume()
  await closed
  expect(refused()).toEqual([])
})

describe('a client that reads a response', () => {
  const large = Buffer.alloc(32 * 1024 * 1024)
  const largeAnswer: RequestListener = (_request, response) => void response.end(large)

  test('too slowly is disconnected, and this is logged', async () => {
    const { url, clock, refused } = await serverOf(largeAnswer)
    const { socket } = await connectTo(url)
    socket.write(requestText('/'))
    await once(socket, 'data')
    socket.pause()
    // The first check records the unsent bytes and the deadline.
    await clock.advance(5_000)
    expect(refused()).toEqual([])
    await clock.advance(10 * 60_000)
    expect(refused()).toEqual([])
    await clock.advance(150 * 60_000)
    expect(refused()).toMatchObject([
      { reason: 'response read timeout', address: '127.0.0.1', unsentBytes: expect.any(Number) },
    ])
    const received = await buffer(socket).catch(() => Buffer.alloc(0))
    expect(received.length).toBeLessThan(large.length)
  })

  test('too slowly is disconnected before all of it is written', async () => {
    const { url, clock, refused } = await serverOf((_request, response) =>
      Readable.from(Array.from({ length: 32 }, () => Buffer.alloc(1024 * 1024))).pipe(response),
    )
    const { socket, closed } = await connectTo(url)
    socket.write(requestText('/'))
    await once(socket, 'data')
    socket.pause()
    await waitFor(async () => {
      await clock.advance(60 * 60_000)
      expect(refused()).toMatchObject([{ reason: 'response read timeout' }])
    })
    socket.resume()
    await closed
  })

  test('fast enough gets the whole response, however long that takes', async () => {
    const { url, clock, refused } = await serverOf(largeAnswer)
    const { body } = await exchange(url, requestText('/'))
    await clock.advance(24 * 3_600_000)
    expect(body.length).toBe(large.length)
    expect(refused()).toEqual([])
  })
})

describe('a server that is stopping', () => {
  test('finishes pending responses and does not accept new requests', async () => {
    const answers: (() => void)[] = []
    const { url, answering } = await serverOf(
      (_request, response) => void answers.push(() => response.end('late')),
    )
    const asked = exchange(url, requestText('/'))
    const halfAsked = await connectTo(url)
    halfAsked.socket.write('GET / HTTP/1.1\r\n')
    await waitFor(() => expect(answers).toHaveLength(1))
    const closed = answering[Symbol.asyncDispose]()
    await expect(connectTo(url)).rejects.toThrow('ECONNREFUSED')
    answers[0]?.()
    expect((await asked).body.toString()).toBe('late')
    await Promise.all([closed, halfAsked.closed])
  })

  test('finishes a request that arrives just after all other requests have finished', async () => {
    const waiting: { readonly add: () => void; readonly end: () => void }[] = []
    const server = await listen('127.0.0.1', 0, tools())
    onTestFinished(() => server[Symbol.asyncDispose]())
    const answering = server.answer(({ url }, response) => {
      const add = () => server.inFlight.addUnsent(response, '192.0.2.1')
      if (url === '/first') add()
      waiting.push({ add, end: () => response.end(`${url} to the end`) })
      if (url === '/first') response.once('close', () => waiting[1]?.add())
    })
    const url = `http://127.0.0.1:${server.port}`
    const first = exchange(url, requestText('/first'))
    await waitFor(() => expect(waiting).toHaveLength(1))
    const second = exchange(url, requestText('/second'))
    await waitFor(() => expect(waiting).toHaveLength(2))
    const closed = answering[Symbol.asyncDispose]()
    waiting[0]?.end()
    expect((await first).body.toString()).toBe('/first to the end')
    waiting[1]?.end()
    expect((await second).body.toString()).toBe('/second to the end')
    await closed
  })

  test('waits no longer than the grace period', async () => {
    const { url, answering } = await serverOf(() => undefined, { closeGraceMs: 20 })
    const { socket, closed } = await connectTo(url)
    socket.write(requestText('/'))
    await Promise.all([closed, answering[Symbol.asyncDispose]()])
    expect(socket.destroyed).toBe(true)
  })
})
