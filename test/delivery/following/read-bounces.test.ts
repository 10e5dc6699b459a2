import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { readBounces, bounceFailure } from '../../../src/delivery/following/read-bounces.ts'
import { imapMailbox } from '../../../src/config/notification-settings.ts'
import { createLogger } from '../../../src/log.ts'
import { freePort } from '../../support/free-port.ts'
import { waitFor } from '../../support/wait-for.ts'
import { startService } from './follow-service.ts'

/** Reads a mailbox once, and resolves to the reason for the failure. */
async function reasonFor(port: number): Promise<string | undefined> {
  const { store, followers, clock } = startService()
  const mailbox = imapMailbox.parse(`imap://bounces:secret@127.0.0.1:${port}`)
  if (!mailbox) throw new Error('the URL is invalid')
  const stopping = new AbortController()
  const log = createLogger('silent')
  const options = { mailbox, followers, store, holder: 'a', clock, log, signal: stopping.signal }
  const running = readBounces(options)
  const failure = await waitFor(async () => {
    const found = await bounceFailure(store.documents)
    expect(found).toBeDefined()
    return found
  })
  expect(failure?.since).toBe(clock.now())
  stopping.abort()
  await running
  return failure?.reason
}

async function listen(respond: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    respond(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

const huge = `* OK ${'a'.repeat(5 * 1024 * 1024)}\r\n`

test.for([
  ['another protocol', 'HTTP/1.1 400 Bad Request\r\n\r\n', /^the mail server cannot be used: \w+/],
  ['a response without an end', huge, /^the mail server cannot be used: \w+/],
  ['a server that is closing', '* BYE too many connections\r\n', /^the mail server/],
] as const)('reports %s', async ([, greeting, reason]) => {
  expect(await reasonFor(await listen((socket) => socket.end(greeting)))).toMatch(reason)
})

test('reports a server that cannot be reached', async () => {
  expect(await reasonFor(await freePort())).toBe('the mail server cannot be used: ECONNREFUSED')
})

test('stops at once while the server does not respond', async () => {
  const connected = Promise.withResolvers<void>()
  const port = await listen(() => connected.resolve())
  const { store, followers, clock, lines } = startService()
  const mailbox = imapMailbox.parse(`imap://bounces:secret@127.0.0.1:${port}`)
  if (!mailbox) throw new Error('the URL is invalid')
  const stopping = new AbortController()
  const log = createLogger('info', { write: (line) => lines.push(line) })
  const options = { mailbox, followers, store, holder: 'a', clock, log, signal: stopping.signal }
  const running = readBounces(options)
  await connected.promise
  stopping.abort()
  await running
  expect(lines).toEqual([])
  expect(await bounceFailure(store.documents)).toBeUndefined()
})
