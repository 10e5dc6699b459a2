import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { sharedFronts, startFront } from './front.ts'
import { exchange, readAnswer, requestText } from '../support/raw-http.ts'
import { waitFor } from '../support/wait-for.ts'

const front = sharedFronts((options) => startFront('0', options))

/** Sends text on a new connection, which stays open. */
async function open(url: string, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

const headOf = (path: string, headers: Readonly<Record<string, string>>) =>
  requestText(path, { method: 'POST', headers })

test('answers others while many clients have unfinished bodies', async () => {
  const { url } = await front()
  // More than the worker handles at the same time, and more than may be open in total.
  const sockets = await Promise.all(
    Array.from({ length: 520 }, (_, index) => {
      const client = `192.0.2.${index % 10}`
      const headers = { 'X-Forwarded-For': client, 'Content-Length': '100' }
      return open(url, `${headOf('/echo', headers)}some`)
    }),
  )
  const own = { 'X-Forwarded-For': '203.0.113.1' }
  expect(await exchange(url, requestText('/worker', { headers: own }))).toMatchObject({
    status: 200,
  })
  const form = `${headOf('/echo', { ...own, 'Content-Length': '4' })}body`
  expect(await exchange(url, form)).toMatchObject({ status: 201 })
  for (const socket of sockets) socket.destroy()
})

test('answers before the body if it will not be read', async () => {
  const { url } = await front()
  const socket = await open(url, `${headOf('/unread', { 'Content-Length': '1000000' })}some`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(readAnswer(answer)).toMatchObject({ status: 200 })
})

test.for([
  ['and then serves the next request', { isClosed: false, responses: 2 }],
  ['or closes the connection if asked to', { isClosed: true, responses: 1 }],
] as const)(
  'does not keep a client waiting that sends the rest of an unread body, %s',
  async ([, { isClosed, responses }]) => {
    const { url } = await front()
    const length = 32 * 1024 * 1024
    const head = requestText('/unread', {
      method: 'POST',
      headers: { 'Content-Length': `${length}` },
    })
    const socket = await open(url, isClosed ? head : head.replace('Connection: close\r\n', ''))
    // Unlike `once`, does not reject if the socket is closed while the client is writing.
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const answers: Buffer[] = []
    socket.on('data', (data: Buffer) => void answers.push(data))
    const text = () => Buffer.concat(answers).toString()
    await waitFor(() => expect(text()).toContain('HTTP/1.1 200'))
    const isSent = new Promise((resolve) => socket.write(Buffer.alloc(length), resolve))
    await Promise.race([isSent, closed])
    socket.write(requestText('/worker'))
    await closed
    expect(text().match(/HTTP\/1\.1 200/g)).toHaveLength(responses)
  },
)

test.for([
  ['its length', { 'Content-Length': '9999999' }, ''],
  ['its chunks', { 'Transfer-Encoding': 'chunked' }, `200000\r\n${'a'.repeat(0x20_00_00)}\r\n`],
] as const)('refuses a body that is too large by %s', async ([, headers, body]) => {
  const { url } = await front()
  const socket = await open(url, `${headOf('/echo', headers)}${body}`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(readAnswer(answer)).toMatchObject({ status: 413 })
})

test('asks for a body that the client announces only if it will be read', async () => {
  const { url } = await front()
  const headers = { 'Content-Length': '4', Expect: '100-continue' }
  const read = await open(url, headOf('/echo', headers))
  expect(String((await once(read, 'data'))[0])).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  read.write('body')
  const [answer] = (await once(read, 'data')) as [Buffer]
  expect(readAnswer(answer)).toMatchObject({ status: 201 })
  const unread = await exchange(url, headOf('/unread', headers))
  expect(unread).toMatchObject({ status: 200, headers: { connection: 'close' } })
})

test('answers pipelined requests in order after a body that arrives in pieces', async () => {
  const { url } = await front()
  const head = headOf('/echo', { 'Transfer-Encoding': 'chunked' })
  const socket = await open(url, head.replace('Connection: close\r\n', ''))
  for (const piece of ['2\r', '\nbo\r\n', '2\r\ndy\r\n0\r\n', '\r\n']) socket.write(piece)
  socket.write(requestText('/worker'))
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 200'])
  expect(text).toContain('body')
})

test('forgets a body whose client disconnects', async () => {
  const { url, ask } = await front()
  const requests = async () => Number((await ask('/requests')).text)
  for (let count = 0; count < 100; count += 1) {
    const socket = await open(url, `${headOf('/echo', { 'Content-Length': '100' })}some`)
    socket.destroy()
  }
  await waitFor(async () => {
    const before = await requests()
    expect(await ask('/echo', { method: 'POST', body: 'body' })).toMatchObject({ status: 201 })
    // Whether to read the body, the request itself, and the count.
    expect(await requests()).toBe(before + 3)
  })
})
