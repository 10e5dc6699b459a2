import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { createWebhookChannel, webhookFault } from '../../../src/delivery/notifications/webhook.ts'
import { freePort } from '../../support/free-port.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { startHttpsServer } from '../../support/https-server.ts'
import { startWebhookReceiver } from '../../support/receivers.ts'
import { noticeWith } from '../../channels/notice.ts'

const notice = noticeWith({ data: { key: 'test' } })
const { at: now } = notice

const { signal } = new AbortController()

const channelTo = (url: string, kind = 'json', secret?: string) =>
  createWebhookChannel({ purpose: 'alert', target: { kind, url }, secret, now: () => now })

test.for([
  ['a plain text of 24 characters', 'a plain text of 24 characters'],
  ['whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=', 'secret-secret-secret'],
])('signs JSON with %s like Standard Webhooks', async ([secret = '', key = '']) => {
  const { url, posts } = await startWebhookReceiver()
  expect(await channelTo(url, 'json', secret).send(notice, signal)).toEqual({ ok: true })
  const [post] = posts
  expect(post?.json).toMatchObject({
    type: 'alert.opened',
    timestamp: '2026-03-05T15:00:00.000Z',
    data: { title: notice.title, text: ['Most records are missing.'], key: 'test' },
  })
  const signed = `a1.${now / 1000}.${post?.body}`
  expect(post?.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Feedhouse (webhook)',
    'webhook-id': 'a1',
    'webhook-timestamp': String(now / 1000),
    'webhook-signature': `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  })
})

test('sends no signature without a secret, or to chats', async () => {
  const { url, posts } = await startWebhookReceiver()
  await channelTo(url).send(notice, signal)
  await channelTo(url, 'slack', 'a plain text of 24 characters').send(notice, signal)
  expect(posts.map(({ headers }) => headers['webhook-signature'])).toEqual([undefined, undefined])
})

const undelivered = 'Webhook message delivery failed with error: 429'

test('waits for Discord to save a message', async () => {
  const { url, posts } = await startWebhookReceiver()
  await channelTo(`${url}?thread_id=5`, 'discord').send(notice, signal)
  expect(posts[0]?.path).toBe('/hook-SECRET?thread_id=5&wait=true')
})

test.for([
  [{ status: 500 }, 'status 500', {}],
  [{ status: 429, headers: { 'Retry-After': '120' } }, 'status 429', { retryAfterMs: 120_000 }],
  [
    { status: 429, headers: { 'Retry-After': new Date(now + 90_000).toUTCString() } },
    'status 429',
    { retryAfterMs: 90_000 },
  ],
  [{ status: 503, headers: { 'Retry-After': 'soon' } }, 'status 503', {}],
  [{ status: 200, body: undelivered }, 'the service did not deliver the message', {}],
  [
    { status: 307, headers: { Location: 'http://127.0.0.1:1/other' } },
    'status 307, a redirect',
    {},
  ],
] as const)('understands the response %o', async ([answer, reason, more]) => {
  const { url, posts, answers } = await startWebhookReceiver()
  answers.push(answer)
  const expected = { ok: false, reason, isPermanent: false, ...more }
  expect(await channelTo(url, 'teams').send(notice, signal)).toEqual(expected)
  expect(posts).toHaveLength(1)
})

test.for([
  ...[400, 413, 415, 422].map((status) => ({ status, isPermanent: true })),
  // The address, the key or the receiver may be corrected while messages wait.
  ...[401, 403, 404, 405, 408, 410, 429].map((status) => ({ status, isPermanent: false })),
  ...[500, 502, 503, 504].map((status) => ({ status, isPermanent: false })),
])(
  'a rejection with status $status is permanent: $isPermanent',
  async ({ status, isPermanent }) => {
    const { url, answers } = await startWebhookReceiver()
    answers.push({ status })
    expect(await channelTo(url).send(notice, signal)).toMatchObject({ ok: false, isPermanent })
  },
)

test('reads only the start of a response', async () => {
  const url = await startHttpServer((_request, response) => {
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      response.once('drain', write)
    }
    write()
  })
  expect(await channelTo(url).send(notice, signal)).toEqual({ ok: true })
})

test('names neither the path nor the key of a webhook', async () => {
  const url = `http://127.0.0.1:${await freePort()}/hook-SECRET?key=SECRET`
  const channel = channelTo(url)
  const result = await channel.send(notice, signal)
  const reason = 'the host refuses the connection'
  expect(result).toEqual({ ok: false, reason, isPermanent: false })
  expect(await webhookFault({ kind: 'json', url })).toBe(reason)
  expect(JSON.stringify([channel.id, channel.label, result])).not.toContain('SECRET')
})

test('says that there is no route to a webhook', async () => {
  // No computer can connect to all computers.
  const url = 'http://255.255.255.255:8443/hook'
  expect(await webhookFault({ kind: 'json', url })).toBe('there is no network route to the host')
})

test('tests a webhook without posting', async () => {
  const { url, posts } = await startWebhookReceiver()
  expect(await webhookFault({ kind: 'json', url })).toBeUndefined()
  expect(posts.map(({ method }) => method)).toEqual(['HEAD'])
})

test('says that the certificate of a webhook is not trusted, and sends nothing', async () => {
  let requests = 0
  const { url } = await startHttpsServer((_request, response) => {
    requests += 1
    response.end()
  })
  expect(await channelTo(`${url}/hook-SECRET`).send(notice, signal)).toEqual({
    ok: false,
    reason: expect.stringMatching(/^the certificate is not valid \([A-Z_]+\)$/),
    isPermanent: false,
  })
  expect(requests).toBe(0)
})
