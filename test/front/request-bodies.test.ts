import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { bodyLimits } from '../../src/front/body-memory.ts'
import { createRequestBodies } from '../../src/front/request-bodies.ts'
import { startHttpServer } from '../support/http-server.ts'
import { readAnswer, requestText } from '../support/raw-http.ts'
import { waitFor } from '../support/wait-for.ts'

/** Serves an echo of bodies of up to ten bytes. The path is the address of the client. */
async function bodiesWith(limits: Partial<typeof bodyLimits> = {}) {
  const refused: string[] = []
  const admitted: string[] = []
  const report = (reason: string) => void refused.push(reason)
  const bodies = createRequestBodies(
    { report, addUnread: () => undefined },
    { ...bodyLimits, minBytes: 4, ...limits },
  )
  const echo = async (request: IncomingMessage, response: ServerResponse) => {
    const address = String(request.url).slice(1)
    if (!bodies.admit(response, address)) return
    admitted.push(address)
    const body = await bodies.receive(response, 10)
    if (body !== undefined) response.end(`<${String(body)}>`)
    expect(bodies.of(request)).toBe(Buffer.isBuffer(body) ? body : undefined)
  }
  const url = await startHttpServer((...exchange) => void echo(...exchange))

  /** Sends the head of a request, and then `body` as chunks. */
  async function begin(address: string, body = '') {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    const before = admitted.length + refused.length
    const headers = { 'Transfer-Encoding': 'chunked' }
    socket.write(requestText(`/${address}`, { method: 'POST', headers }))
    await waitFor(() => expect(admitted.length + refused.length).toBeGreaterThan(before))
    for (const letter of body) sendChunk(socket, letter)
    return socket
  }

  return { begin, refused, admitted }
}

const sendChunk = (socket: Socket, text: string) =>
  socket.write(`${text.length.toString(16)}\r\n${text}\r\n`)

const finish = (socket: Socket) => socket.write('0\r\n\r\n')

async function answerOf(socket: Socket) {
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  const { status, headers, body } = readAnswer(bytes)
  const [, content] = /<(.*)>/s.exec(String(body)) ?? []
  return { status, content, retryAfter: headers['retry-after'] }
}

test('receives a body in pieces', async () => {
  const { begin } = await bodiesWith()
  const socket = await begin('192.0.2.1', 'abcdefghij')
  finish(socket)
  expect(await answerOf(socket)).toMatchObject({ status: 200, content: 'abcdefghij' })
})

test('stops at a body that is too large, and says how large it is so far', async () => {
  const { begin } = await bodiesWith()
  const socket = await begin('192.0.2.1', 'abcdefghij')
  sendChunk(socket, 'klm')
  expect(await answerOf(socket)).toMatchObject({ status: 200, content: '13' })
  // The rest is discarded.
  for (let count = 0; count < 10; count += 1) sendChunk(socket, 'n'.repeat(1_000))
  finish(socket)
})

test('gives up on a body that is not complete in time', async () => {
  const { begin, refused } = await bodiesWith({ deadlineMs: 20 })
  const socket = await begin('192.0.2.1', 'abc')
  expect(await answerOf(socket)).toMatchObject({ status: 408 })
  expect(refused).toEqual(['request timeout'])
})

test.for([
  ['its share', { maxBytesOfClient: 8 }, '192.0.2.1'],
  ['the memory', { maxBytes: 12 }, '198.51.100.1'],
] as const)(
  'drops the oldest body of the client with the most if %s is used up',
  async ([, limits, next]) => {
    const { begin, refused } = await bodiesWith({ maxBytes: 16, ...limits })
    const other = await begin('192.0.2.2')
    const oldest = await begin('192.0.2.1')
    const newer = await begin('192.0.2.1')
    const dropped = answerOf(oldest)
    const newest = await begin(next)
    expect(await dropped).toMatchObject({ status: 503, retryAfter: '5' })
    for (const socket of [other, newer, newest]) {
      sendChunk(socket, 'abcd')
      finish(socket)
      expect(await answerOf(socket)).toMatchObject({ status: 200, content: 'abcd' })
    }
    expect(refused).toEqual(['too many bodies'])
  },
)

test.for([
  ['network', ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1']],
  ['provider', ['2001:db8:1::1', '2001:db8:2::1', '2001:db8:3::1']],
] as const)(
  'drops bodies of the %s with the most, even if each is from another client',
  async ([, [first, second, third]]) => {
    const { begin } = await bodiesWith({ maxBytes: 12 })
    const other = await begin('198.51.100.1')
    const oldest = await begin(first)
    await begin(second)
    const dropped = answerOf(oldest)
    await begin(third)
    expect(await dropped).toMatchObject({ status: 503 })
    sendChunk(other, 'abcd')
    finish(other)
    expect(await answerOf(other)).toMatchObject({ status: 200, content: 'abcd' })
  },
)

test('refuses a body that takes up more than the share of a client while it arrives', async () => {
  const { begin } = await bodiesWith({ maxBytesOfClient: 8 })
  const socket = await begin('192.0.2.1', 'abcdefghi')
  expect(await answerOf(socket)).toMatchObject({ status: 503 })
})

test('counts a body until its request has been answered or has ended', async () => {
  const { begin, refused } = await bodiesWith({ maxBytes: 4 })
  for (let count = 0; count < 3; count += 1) {
    const socket = await begin('192.0.2.1', 'abcd')
    finish(socket)
    expect(await answerOf(socket)).toMatchObject({ status: 200 })
    await once(socket, 'close')
  }
  const aborted = await begin('192.0.2.1', 'a')
  aborted.destroy()
  await waitFor(async () => {
    refused.length = 0
    ;(await begin('192.0.2.3')).destroy()
    expect(refused).toEqual([])
  })
})
