import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { lookup } from 'node:dns'
import { createServer } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import type { FollowMessage } from '../../../src/delivery/following/messages.ts'
import { createVapid } from '../../../src/delivery/following/push-encryption.ts'
import { createPushTransport } from '../../../src/delivery/following/push-transport.ts'
import { addressFrom } from '../../../src/followers/push-subscription.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { startHttpsServer } from '../../support/https-server.ts'
import { listenLocally } from '../../support/local-server.ts'
import { testSite } from '../../support/site.ts'
import { createBrowserKeys } from './received-push.ts'

const message: FollowMessage = {
  id: 'a-1',
  kind: 'changes',
  language: 'en-US',
  title: 'Boil water',
  html: '<p>Until noon on March 5</p>',
  summary: 'Until noon on March 5',
  url: 'https://feeds.example.org/agenda',
}

const urls = { confirm: '', manage: '', end: '' }
type Respond = (response: ServerResponse) => unknown

/** Starts a push service, and a transport that may connect to it. */
async function startPushService(
  respond: Respond = (response) => response.writeHead(201).end(),
  times = { knownMs: 60_000, otherMs: 60_000, lateMs: 60_000 },
) {
  const received: { readonly headers: IncomingHttpHeaders; readonly body: Buffer }[] = []
  const receive = async (incoming: IncomingMessage, response: ServerResponse) => {
    received.push({ headers: incoming.headers, body: await buffer(incoming) })
    respond(response)
  }
  const server = await startHttpsServer((incoming, response) => void receive(incoming, response))
  const clock = createFakeClock()
  const vapid = createVapid('secret', 'mailto:web@example.org', clock)
  const connect = { lookup, ca: server.caPem }
  const transport = createPushTransport({ vapid, site: testSite, clock, connect, times })
  onTestFinished(() => transport[Symbol.dispose]())
  const keys = createBrowserKeys()
  const address = addressFrom({ endpoint: `${server.url}/send/abc`, ...keys })
  const send = (
    changed: Partial<FollowMessage> = {},
    signal: AbortSignal = new AbortController().signal,
  ) => transport.send({ ...message, ...changed }, { address, urls }, signal)
  const shown = () =>
    received.map(
      ({ body }) => JSON.parse(keys.decrypt(body).toString()) as { notification: object },
    )
  return { received, clock, vapid, send, shown }
}

test('sends a notification that browsers show with or without the worker', async () => {
  const { send, shown } = await startPushService()
  expect(await send()).toEqual({ ok: true })
  expect(shown()).toEqual([
    {
      web_push: 8030,
      notification: {
        title: 'Boil water',
        body: 'Until noon on March 5',
        navigate: 'https://feeds.example.org/agenda',
        lang: 'en-US',
        dir: 'auto',
        tag: 'changes',
        renotify: true,
        icon: `${testSite.publicUrl}/icon-512.png`,
      },
    },
  ])
})

test('shows the name of the site if the title and the summary are the same', async () => {
  const { send, shown } = await startPushService()
  const text = 'Moved: Drill, now Wed, Mar 4, 7 PM'
  await send({ title: text, summary: text })
  expect(shown()).toMatchObject([{ notification: { title: testSite.name, body: text } }])
})

test.for([
  { kind: 'welcome', TTL: '3600', urgency: 'normal' },
  { kind: 'changes', TTL: '172800', urgency: 'normal' },
  { kind: 'tomorrow', TTL: '43200', urgency: 'normal' },
  { kind: 'emergency', TTL: '14400', urgency: 'high' },
] as const)('asks the service to keep $kind for $TTL seconds', async ({ kind, TTL, urgency }) => {
  const { send, received } = await startPushService()
  await send({ kind })
  expect(received[0]?.headers).toMatchObject({
    authorization: expect.stringMatching(/^vapid t=\S+, k=\S+$/),
    'content-encoding': 'aes128gcm',
    ttl: TTL,
    urgency,
    topic: kind,
  })
})

test('shortens long texts', async () => {
  const { send, shown, received } = await startPushService()
  await send({ title: 'é'.repeat(5_000), summary: '消防 '.repeat(5_000) })
  await send({ title: '\u0001'.repeat(5_000), summary: '\u0001'.repeat(5_000) })
  for (const { body } of received) expect(body.length).toBeLessThanOrEqual(4_096)
  expect(shown()[0]).toMatchObject({
    notification: { body: expect.stringMatching(/^消防.{400,500}…$/) },
  })
})

test.for([
  { status: 200, sent: { ok: true } },
  { status: 404, sent: { ok: false, failed: 'address' } },
  { status: 410, sent: { ok: false, failed: 'address' } },
  ...[301, 307, 400, 401, 403, 413, 429, 500, 503].map((status) => ({
    status,
    sent: {
      ok: false,
      failed: 'once',
      reason: `the push service responded with status ${status}`,
      retryAfterMs: 120_000,
    },
  })),
])('handles a response with status $status', async ({ status, sent }) => {
  const { send, received } = await startPushService((response) =>
    response.writeHead(status, { location: '/elsewhere', 'retry-after': '120' }).end(),
  )
  expect(await send()).toMatchObject(sent)
  expect(received).toHaveLength(1)
})

test('does not read the content of a response', async () => {
  const length = 50_000_000
  const closed = Promise.withResolvers<number>()
  const { send } = await startPushService((response) => {
    let written = 0
    const write = () => {
      while (written < length && response.write(Buffer.alloc(65_536))) written += 65_536
      if (written >= length) response.end()
      written += 65_536
    }
    response
      .on('drain', write)
      .on('close', () => closed.resolve(written))
      .writeHead(201)
    write()
  })
  expect(await send()).toEqual({ ok: true })
  expect(await closed.promise).toBeLessThan(length)
})

test('reuses a connection', async () => {
  const clientPorts = new Set<number | undefined>()
  const { send } = await startPushService((response) => {
    clientPorts.add(response.socket?.remotePort)
    response.writeHead(201).end()
  })
  // A connection is free shortly after the response.
  for (let count = 0; count < 20; count += 1) await send()
  expect(clientPorts.size).toBeLessThan(20)
})

test('gives up on a service that does not respond', async () => {
  const received = Promise.withResolvers<void>()
  const { send } = await startPushService(() => received.resolve())
  const stopping = new AbortController()
  const sent = send({}, stopping.signal)
  await received.promise
  stopping.abort()
  const reason = 'the push service cannot be reached (ABORT_ERR)'
  expect(await sent).toEqual({ ok: false, failed: 'once', reason })
})

test('gives up on a service that switches protocols', async () => {
  const { send } = await startPushService(({ socket }) =>
    socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: a\r\n\r\n'),
  )
  const reason = 'the push service cannot be reached (Error)'
  expect(await send()).toEqual({ ok: false, failed: 'once', reason })
})

test('gives up on a service that sends informational responses', async () => {
  const { send } = await startPushService((response) => {
    response.writeProcessing()
    response.writeHead(201).end()
  })
  const reason = 'the push service cannot be reached (ECONNRESET)'
  expect(await send()).toEqual({ ok: false, failed: 'once', reason })
})

test('gives up on a lesser-known service that does not respond in time', async () => {
  const { send } = await startPushService(() => undefined, {
    knownMs: 60_000,
    otherMs: 10,
    lateMs: 0,
  })
  const reason = 'the push service cannot be reached (ABORT_ERR)'
  expect(await send()).toEqual({ ok: false, failed: 'once', reason })
})

test('reports that a lesser-known service responds late', async () => {
  const times = { knownMs: 0, otherMs: 60_000, lateMs: 0 }
  const { send } = await startPushService((response) => response.writeHead(201).end(), times)
  expect(await send()).toEqual({ ok: true, isSlow: true })
})

test('does not connect to private addresses', async () => {
  const { vapid, clock } = await startPushService()
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  const port = await listenLocally(server)
  const { signal } = new AbortController()
  using guarded = createPushTransport({ vapid, site: testSite, clock })
  using unguarded = createPushTransport({ vapid, site: testSite, clock, connect: { lookup } })
  const address = addressFrom({ endpoint: `https://localhost:${port}/abc`, ...createBrowserKeys() })
  const sent = { ok: false, failed: 'once', reason: 'the push service cannot be reached (Error)' }
  expect(await guarded.send(message, { address, urls }, signal)).toEqual(sent)
  expect(connections).toBe(0)
  await unguarded.send(message, { address, urls }, signal)
  expect(connections).toBe(1)
})
