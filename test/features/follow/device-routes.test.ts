import { afterAll, expect, test } from 'vitest'
import {
  devicesPerNetwork,
  otherDevicesPerNetwork,
} from '../../../src/delivery/following/sign-up-limits.ts'
import { deviceChanges } from '../../../src/features/follow/device-routes.ts'
import type { Store } from '../../../src/store/store.ts'
import { pushEnvironment } from '../../support/following.ts'
import { startTestService } from '../../support/service.ts'

/** Keys of the example in RFC 8291. */
const keys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

const endpoint = 'https://fcm.googleapis.com/fcm/send/abc'

const choice = { changes: true, tomorrow: false, emergency: true }

let store!: Store
const service = await startTestService({
  publicFeedIds: ['events', 'news'],
  environment: { ...pushEnvironment, TRUST_PROXY: '1' },
  changeStore: (opened) => (store = opened),
})
afterAll(() => service[Symbol.asyncDispose]())
const link = await service.addLink({ label: 'Chief' })

let clients = 0

/** Sends JSON, by default as a client in another network each time. */
function send(
  method: string,
  content: object | string,
  { path = '/', client = `203.0.${(clients += 1)}.1`, headers = {} } = {},
) {
  return fetch(new URL('follow/device', new URL(path, service.url)), {
    method,
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': client, ...headers },
    body: typeof content === 'string' ? content : JSON.stringify(content),
  })
}

const wish = (changed: object = {}) => {
  return {
    subscription: { endpoint, expirationTime: null, keys },
    choice,
    language: 'en',
    ...changed,
  }
}

const at = (address: string) => wish({ subscription: { endpoint: address, keys } })

async function stored() {
  const documents = [...(await store.documents.all('followers'))]
  return documents.map(([, { value }]) => value)
}

test('adds a device, changes its choice and removes it', async () => {
  expect((await send('POST', wish())).status).toBe(204)
  expect(
    (await send('POST', wish({ choice: { ...choice, tomorrow: true }, language: 'es' }))).status,
  ).toBe(204)
  const [value = '', ...others] = await stored()
  expect(others).toEqual([])
  expect(JSON.parse(value)).toMatchObject({
    means: 'push',
    choice: { changes: true, tomorrow: true, emergency: true },
    language: 'es',
  })
  expect(value).not.toContain('fcm.googleapis.com')
  expect((await send('DELETE', { endpoint: `${endpoint}d` })).status).toBe(204)
  expect(await stored()).toHaveLength(1)
  expect((await send('DELETE', { endpoint })).status).toBe(204)
  expect(await stored()).toEqual([])
})

test('a device is stored separately for each link', async () => {
  await send('POST', wish())
  await send('POST', wish(), { path: link })
  expect(await stored()).toHaveLength(2)
  await send('DELETE', { endpoint })
  const [value = ''] = await stored()
  expect(JSON.parse(value)).toMatchObject({ linkId: expect.any(String) })
  await send('DELETE', { endpoint }, { path: link })
  expect(await stored()).toEqual([])
})

test.for<readonly [string, object | string, Record<string, string>?]>([
  ['an address in the local network', at('https://192.168.0.1/send')],
  ['plain HTTP', at('http://push.example.org/send')],
  ['no subscription', wish({ subscription: undefined })],
  ['no choice', wish({ choice: { changes: false, tomorrow: false, emergency: false } })],
  ['an unknown language', wish({ language: 'xx' })],
  ['a form', JSON.stringify(wish()), { 'Content-Type': 'text/plain' }],
  ['half a message', '{"subscription"'],
])('rejects %s', async ([, content, headers]) => {
  const { status, headers: received } = await send('POST', content, { headers })
  expect([status, received.get('content-type')]).toEqual([400, 'text/plain; charset=utf-8'])
  expect(await stored()).toEqual([])
})

test('rejects pages from another origin', async () => {
  const headers = { Origin: 'https://evil.example.org' }
  for (const method of ['POST', 'DELETE']) {
    expect((await send(method, wish(), { headers })).status).toBe(403)
  }
  const { headers: allowed } = await send('OPTIONS', '', { headers })
  expect(allowed.get('access-control-allow-origin')).toBeNull()
  expect(allowed.get('allow')).toBe('GET, HEAD, POST, DELETE')
  expect(await stored()).toEqual([])
})

test('limits the changes of a client, but still lets it remove the device', async () => {
  const client = '198.51.100.1'
  for (let count = 0; count < deviceChanges.burst; count += 1) {
    expect((await send('POST', wish(), { client })).status).toBe(204)
  }
  const { status, headers } = await send('POST', wish(), { client })
  expect([status, headers.get('retry-after')]).toEqual([429, '600'])
  expect((await send('DELETE', { endpoint }, { client })).status).toBe(204)
  expect(await stored()).toEqual([])
})

let endpoints = 0

const add = (host: string, client: string) =>
  send('POST', at(`https://${host}/send/${(endpoints += 1)}`), { client })

test.for([
  ['an IPv4 network', (index: number) => `198.18.1.${index}`, '198.18.2.1'],
  ['an IPv6 network', (index: number) => `2001:db8:1:${index.toString(16)}::1`, '2001:db8:2::1'],
] as const)('limits new devices from %s, but no other devices', async ([, clientAt, other]) => {
  const [{ max }] = devicesPerNetwork
  const statuses = new Set<number>()
  for (let index = 1; index <= max; index += 1) {
    statuses.add((await add('fcm.googleapis.com', clientAt(index))).status)
  }
  expect([...statuses]).toEqual([204])
  const { status, headers } = await add('fcm.googleapis.com', clientAt(250))
  expect([status, headers.get('retry-after')]).toEqual([429, '3600'])
  // A known device may still change its choice.
  const known = at(`https://fcm.googleapis.com/send/${endpoints - 1}`)
  expect((await send('POST', known, { client: clientAt(251) })).status).toBe(204)
  expect((await add('fcm.googleapis.com', other)).status).toBe(204)
})

test('limits devices with unknown push services more', async () => {
  const [{ max }] = otherDevicesPerNetwork
  for (let index = 0; index < max; index += 1) {
    expect((await add(`push-${index}.example.org`, `198.18.3.${index}`)).status).toBe(204)
  }
  expect((await add('push.example.org', '198.18.3.100')).status).toBe(429)
  expect((await add('push.example.org', '198.18.4.100')).status).toBe(204)
  expect((await add('updates.push.services.mozilla.com', '198.18.3.100')).status).toBe(204)
})

test('serves the worker and the manifest of an app at the page', async () => {
  const worker = await service.get('/follow/worker.js')
  expect(worker.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(worker.text).toContain("addEventListener('push'")
  for (const home of ['/', new URL(link).pathname]) {
    const { headers, text } = await service.get(`${home}follow/app.webmanifest`)
    expect(headers.get('content-type')).toBe('application/manifest+json; charset=utf-8')
    expect(JSON.parse(text)).toMatchObject({
      id: home,
      start_url: home,
      scope: home,
      display: 'standalone',
    })
  }
})

test.for([
  ['en', 'Notify me on this device'],
  ['es', 'Avisarme en este dispositivo'],
  ['fr', 'M’avertir sur cet appareil'],
  ['de', 'Auf diesem Gerät benachrichtigen'],
] as const)('offers notifications in %s', async ([language, title]) => {
  const query = language === 'en' ? '' : `?lang=${language}`
  for (const home of ['/', link]) {
    const { text } = await service.get(`${home}${query}`)
    expect(text).toContain(`<a class="pill" href="follow/device${query}">${title}</a>`)
    expect(text).toContain('<link rel="manifest" href="follow/app.webmanifest">')
    const page = await service.get(`${home}follow/device${query}`)
    expect(page.text).toContain(`<h1 id="notify">${title}</h1>`)
    expect(page.text).toContain(`data-language="${language}"`)
    expect(page.text).toMatch(/data-key="[\w-]{87}"/)
    expect(page.text).toContain('<link rel="manifest" href="app.webmanifest">')
  }
})

test('notifications are off without PUSH_SUBJECT', async () => {
  await using other = await startTestService({ publicFeedIds: ['events'] })
  const { text } = await other.get('/')
  expect(text).not.toContain('follow/device')
  expect(text).toContain('site.webmanifest"')
  for (const path of ['/follow/worker.js', '/follow/app.webmanifest', '/follow/device']) {
    expect((await other.get(path)).status).toBe(404)
  }
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify(wish())
  const answer = await fetch(`${other.url}/follow/device`, { method: 'POST', headers, body })
  expect(answer.status).toBe(404)
})
