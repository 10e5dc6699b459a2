import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request as send } from 'node:https'
import { PNG } from 'pngjs'
import { FormData } from 'undici'
import { beforeEach, describe, expect, test } from 'vitest'
import { maxFormBytes, maxUploadBytes } from '../../../src/web/forms.ts'
import { maxBodyBytes } from '../../../src/features/dav/xml.ts'
import { revisionIn, testPassword } from '../../support/admin.ts'
import { caddyIsMissing, startCaddy, validateCaddyfile } from '../../support/caddy.ts'
import { nginxIsMissing, startNginx } from '../../support/nginx.ts'
import {
  clientOf,
  createCrowd,
  sendBlindly,
  type ReverseProxy,
} from '../../support/proxy-client.ts'
import { exchange, requestText } from '../../support/raw-http.ts'
import { redisIsMissing } from '../../support/redis.ts'
import { startReplicas, type Replica } from '../../support/replicas.ts'
import { startedOnce } from '../../support/started-once.ts'
import { waitFor, waitUntil } from '../../support/wait-for.ts'

/** Allows two replicas to start or restart, each within the timeout of `waitFor`. */
const timeout = 180_000

/** Less than the limit of Feedhouse on a whole request, and nginx's on discarding one. */
const waitingMs = 20_000

const unknownKey = 'abcdefghijklmnopqrstuvwxyz234567'

test.skipIf(caddyIsMissing).for([
  { FEEDHOUSE_HOSTS: 'https://feeds.example.org' },
  {
    FEEDHOUSE_HOSTS: 'feeds.example.org feeds.ashton.example',
    FEEDHOUSE_REPLICAS: 'feedhouse-1:8080 feedhouse-2:8080',
  },
])('Caddy accepts the Caddyfile with %o', (environment) => {
  const { status, stderr } = validateCaddyfile(environment)
  expect({ status, stderr }).toMatchObject({ status: 0 })
  expect(stderr).not.toContain('not formatted')
  expect(stderr).not.toContain('deprecated')
})

describe.skipIf(redisIsMissing)('in front of two replicas', { timeout }, () => {
  const replicas = startedOnce(startReplicas)
  const nginx = startedOnce(async () => startNginx((await replicas()).ports))

  const proxies = [
    {
      name: 'nginx',
      isMissing: nginxIsMissing,
      proxy: nginx,
      isLimited: true,
      redirect: 301,
      portlessUrl: 'https://localhost',
      logged: ['"GET /l/-" 200', '"GET /l/-" 301'],
      /**
       * nginx closes every connection after 1,000 requests. Over HTTP/2, undici reports that as a lost
       * response.
       */
      ofCrowd: { http2: false },
      clients: ['127.0.0.2', '127.0.0.3'],
    },
    {
      name: 'Caddy',
      isMissing: caddyIsMissing,
      proxy: startedOnce(async () => startCaddy((await replicas()).ports)),
      isLimited: false,
      redirect: 308,
      portlessUrl: undefined,
      // It logs only failures.
      logged: [],
      ofCrowd: {},
      clients: ['127.0.0.4', '127.0.0.5'],
    },
  ] as const

  beforeEach(async () => {
    await (await replicas()).startBoth()
  }, timeout)

  const installed = proxies.filter(({ isMissing }) => !isMissing)

  describe.for(installed)('$name', ({ proxy: started, clients, ...about }) => {
    async function setUp() {
      const { link, ...others } = await replicas()
      const proxy = await started()
      proxy.clearLogs()
      return { ...others, ...link, proxy }
    }

    test('serves their responses with the validators over HTTP/1.1 and HTTP/2', async () => {
      const { first, second, path, proxy } = await setUp()
      for (const http2 of [true, false]) {
        const ask = clientOf(proxy, { http2 })
        for (const feed of ['/events.ics', `${path}calendar.ics`]) {
          const { etag, ...one } = await validators(first, feed)
          expect(await validators(second, feed)).toEqual({ etag, ...one })
          const gzip = { 'accept-encoding': 'gzip' }
          const headers = { etag, 'content-encoding': 'gzip' }
          expect(await ask(feed, gzip)).toMatchObject({ status: 200, headers })
          for (let time = 0; time < 4; time += 1) {
            const again = await ask(feed, { ...gzip, 'if-none-match': etag ?? '' })
            expect(again).toMatchObject({ status: 304, headers: { etag }, body: '' })
          }
        }
      }
    })

    test('redirects from HTTP to HTTPS', async () => {
      const { proxy } = await setUp()
      const redirect = await fetch(`${proxy.httpUrl}/events.ics?past=3`, { redirect: 'manual' })
      expect(redirect.status).toBe(about.redirect)
      const httpsUrl = about.portlessUrl ?? proxy.url
      expect(redirect.headers.get('Location')).toBe(`${httpsUrl}/events.ics?past=3`)
      const { status, headers } = await clientOf(proxy)('/')
      expect(status).toBe(200)
      expect(headers['strict-transport-security']).toBe('max-age=31536000')
    })

    test('never logs feed link keys, whatever the version of HTTP', async () => {
      const { proxy, path, key } = await setUp()
      const headers = { referer: `${proxy.url}${path}` }
      for (const http2 of [true, false]) {
        const ask = clientOf(proxy, { http2 })
        expect((await ask(path, headers)).headers['x-request-id']).not.toBe('')
        await ask(`${path}nothing?alarm=${key}`, headers)
      }
      await fetch(`${proxy.httpUrl}${path}`, { redirect: 'manual' })
      await waitUntil(() => about.logged.every((text) => proxy.log().includes(text)))
      expect(proxy.log()).not.toContain(key)
    })

    test('forwards the client’s IP address', async () => {
      const { first, second, proxy } = await setUp()
      const [ask, other] = clients.map((address) => clientOf(proxy, { address }))
      const lie = { 'x-forwarded-for': '203.0.113.9' }
      const refused = `"address":"${clients[0]}"`
      await waitUntil(async () => {
        const answer = await ask?.(`/l/${unknownKey}/`, lie)
        return answer?.status === 429 && [first, second].every(({ log }) => log().includes(refused))
      })
      for (const { log } of [first, second]) expect(log()).not.toContain('203.0.113.9')
      expect((await other?.(`/l/${unknownKey}/`))?.status).toBe(404)
    })

    test('lets a large picture through', async () => {
      const { proxy } = await setUp()
      const ask = clientOf(proxy, { http2: false })
      const origin = 'https://feeds.example.org'
      const password = new URLSearchParams({ password: testPassword }).toString()
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      const signIn = { method: 'POST', body: password }
      const { headers } = await ask('/admin/sign-in', { origin, ...type }, signIn)
      const [cookie = ''] = String([headers['set-cookie']].flat()[0]).split(';')
      const { body: page } = await ask('/admin/settings', { cookie })
      const [, token = ''] = /name="token" value="([^"]+)"/.exec(page) ?? []
      const form = new FormData()
      const fields = { token, revision: revisionIn(page), feeds: 'default' }
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      form.set('picture', largePicture(), 'logo.png')
      const saved = await ask('/admin/settings', { origin, cookie }, { method: 'POST', body: form })
      expect(saved).toMatchObject({
        status: 303,
        headers: { location: '/admin/settings?done=saved' },
      })
    })

    test('lets a calendar app ask for 1,500 entries at once', async () => {
      const { proxy, id, key } = await setUp()
      const href = (number: number) =>
        `<D:href>/dav/${id}/calendars/calendar/calendar-${number}.ics</D:href>`
      const hrefs = Array.from({ length: 1_500 }, (_, number) => href(number)).join('')
      const body = `<C:calendar-multiget xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:getetag/></D:prop>${hrefs}</C:calendar-multiget>`
      expect(body.length).toBeGreaterThan(64 * 1024)
      const headers = {
        authorization: `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}`,
        'content-type': 'application/xml',
      }
      const sent = { method: 'REPORT', body }
      const found = await clientOf(proxy, { http2: false })(
        `/dav/${id}/calendars/calendar/`,
        headers,
        sent,
      )
      expect(found.status).toBe(207)
      expect(found.body.match(/<D:href>/g)).toHaveLength(1_500)
    })

    test.for([
      ['POST', '/nothing', maxFormBytes, 405],
      ['POST', '/admin/settings', maxUploadBytes, 303],
      ['REPORT', '/dav/x/', maxBodyBytes, 401],
    ] as const)(
      'lets a %s to %s with %d bytes through, and refuses a longer one at once',
      async ([method, path, length, status]) => {
        const { proxy } = await setUp()
        const ask = clientOf(proxy, { http2: false })
        const sent = { method, body: 'a'.repeat(length) }
        expect((await ask(path, {}, sent)).status).toBe(status)
        const longer = { method, body: `${sent.body}a` }
        expect((await ask(path, {}, longer)).status).toBe(about.isLimited ? 413 : status)
      },
    )

    test.for([
      ['POST', '/nothing'],
      ['POST', '/admin/settings'],
      ['REPORT', '/dav/x/'],
    ] as const)(
      'does not keep a client waiting that sends a long body with %s to %s before it reads',
      async ([method, path]) => {
        const { proxy } = await setUp()
        expect(await sendBlindly(proxy, { method, path, megabytes: 32 })).toBeLessThan(waitingMs)
      },
    )

    test('loses no responses when one crashes and recovers, and the other stops', async () => {
      const { first, second, path, proxy } = await setUp()
      const ask = clientOf(proxy, about.ofCrowd)
      // A 304 response has no body that a crash could truncate.
      const any = { 'if-none-match': '*' }
      await using crowd = createCrowd(async () => [
        (await ask('/events.ics', any)).status,
        (await ask(`${path}news.rss`, any)).status,
      ])
      await crowd.more(100)
      await first.kill()
      await crowd.more(100)
      await first.start()
      await crowd.more(100)
      await second.stop()
      await crowd.more(100)
      expect(new Set(await crowd.statuses())).toEqual(new Set([304]))
    })
  })

  describe.skipIf(nginxIsMissing)('nginx', () => {
    const caching = startedOnce(async () =>
      startNginx((await replicas()).ports, { isCached: true }),
    )

    test('sends requests to both', async () => {
      const { ports } = await replicas()
      const proxy = await nginx()
      const ask = clientOf(proxy)
      await waitFor(async () => {
        await ask('/events.ics')
        for (const port of ports) expect(proxy.log()).toContain(`127.0.0.1:${port}\n`)
      })
    })

    test('does not forward requests for other hosts', async () => {
      const proxy = await nginx()
      for (const host of ['x', '127.0.0.1', 'elsewhere.example']) {
        expect(await statusAt(host, proxy)).toBe(421)
        const { port } = new URL(proxy.httpUrl)
        const text = requestText('/status', { headers: { Host: host } })
        expect((await exchange(`http://127.0.0.1:${port}`, text)).status).toBe(421)
      }
      expect(await statusAt('localhost', proxy)).toBe(200)
    })

    test('serves public feeds from its cache without them, but nothing under feed links', async () => {
      const { link, killBoth } = await replicas()
      const ask = clientOf(await caching())
      const { headers, body } = await ask('/events.ics')
      expect((await ask(`${link.path}events.ics`)).status).toBe(200)
      expect((await ask('/calendar.ics')).status).toBe(403)
      await killBoth()

      const { etag } = headers
      expect(await ask('/events.ics')).toMatchObject({ status: 200, headers: { etag }, body })
      expect((await ask('/events.ics', { 'if-none-match': String(etag) })).status).toBe(304)
      expect((await ask(`${link.path}events.ics`)).status).toBe(502)
      expect((await ask('/calendar.ics')).status).toBe(502)
    })
  })
})

/** Returns a PNG of 788 KB, which cannot be compressed. */
function largePicture(): File {
  const png = new PNG({ width: 444, height: 444 })
  png.data = randomBytes(png.data.length)
  return new File([new Uint8Array(PNG.sync.write(png))], 'logo.png', { type: 'image/png' })
}

/** Requests over TLS with the certificate's server name, regardless of the Host header. */
async function statusAt(host: string, { url, ca }: ReverseProxy): Promise<number | undefined> {
  const { port } = new URL(url)
  const options = { host: '127.0.0.1', port, path: '/status', servername: 'localhost', ca }
  const request = send({ ...options, agent: false, headers: { Host: host } }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}

async function validators({ port }: Replica, path: string) {
  const { headers } = await waitFor(async () => {
    const url = `http://127.0.0.1:${port}${path}`
    const response = await fetch(url, { headers: { 'Accept-Encoding': 'gzip' } })
    expect(response.status).toBe(200)
    return response
  })
  return { etag: headers.get('ETag'), lastModified: headers.get('Last-Modified') }
}
