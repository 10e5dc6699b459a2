import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request as send } from 'node:https'
import { beforeEach, describe, expect, test } from 'vitest'
import { allIsLogged, nginxIsMissing, startNginx, type Nginx } from '../../support/nginx.ts'
import { clientOf, createCrowd } from '../../support/proxy-client.ts'
import { exchange, requestText } from '../../support/raw-http.ts'
import { redisIsMissing } from '../../support/redis.ts'
import { startReplicas, type Replica } from '../../support/replicas.ts'
import { startedOnce } from '../../support/started-once.ts'
import { waitFor, waitUntil } from '../../support/wait-for.ts'

/** Allows two replicas to start or restart, each within the timeout of `waitFor`. */
const timeout = 180_000

/**
 * nginx closes every connection after 1,000 requests. Over HTTP/2, undici reports that as a lost
 * response.
 */
const untilTheEnd = { http2: false }

const unknownKey = 'abcdefghijklmnopqrstuvwxyz234567'

const directly = ({ port }: Replica, path: string, encoding: string) =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'Accept-Encoding': encoding } })

describe.skipIf(nginxIsMissing || redisIsMissing)('nginx', { timeout }, () => {
  const replicas = startedOnce(startReplicas)
  const plain = startedOnce(async () => startNginx((await replicas()).ports))
  const caching = startedOnce(async () => startNginx((await replicas()).ports, { isCached: true }))

  async function setUp() {
    const { link, ...others } = await replicas()
    const nginx = await plain()
    nginx.clearLogs()
    return { ...others, ...link, nginx }
  }

  describe('in front of two replicas', () => {
    beforeEach(async () => {
      await (await replicas()).startBoth()
    }, timeout)

    test('serves the replicas’ responses with their validators over HTTP/1.1 and HTTP/2', async () => {
      const { first, second, path, nginx } = await setUp()
      for (const http2 of [true, false]) {
        const ask = clientOf(nginx, { http2 })
        for (const feed of ['/events.ics', `${path}calendar.ics`]) {
          const { etag, ...one } = await validators(first, feed)
          expect(await validators(second, feed)).toEqual({ etag, ...one })
          const whole = await ask(feed, { 'accept-encoding': 'gzip' })
          expect(whole).toMatchObject({
            status: 200,
            headers: { etag, 'content-encoding': 'gzip' },
          })
          const again = { 'accept-encoding': 'gzip', 'if-none-match': etag ?? '' }
          for (let time = 0; time < 4; time += 1) {
            expect(await ask(feed, again)).toMatchObject({
              status: 304,
              headers: { etag },
              body: '',
            })
          }
        }
      }
      expect(nginx.accessLog()).toContain(`127.0.0.1:${first.port}\n`)
      expect(nginx.accessLog()).toContain(`127.0.0.1:${second.port}\n`)
      expect(nginx.accessLog()).toContain('"GET /events.ics" 304')
    })

    test('redirects from HTTP to HTTPS', async () => {
      const { nginx } = await setUp()
      const redirect = await fetch(`${nginx.httpUrl}/events.ics?past=3`, { redirect: 'manual' })
      expect(redirect.status).toBe(301)
      expect(redirect.headers.get('Location')).toBe('https://localhost/events.ics?past=3')
      const ask = clientOf(nginx)
      const { status, headers } = await ask('/')
      expect(status).toBe(200)
      expect(headers['strict-transport-security']).toBe('max-age=31536000')
    })

    test('does not forward requests for other hosts', async () => {
      const { nginx } = await setUp()
      for (const host of ['x', '127.0.0.1', 'elsewhere.example']) {
        expect(await statusAt(host, nginx)).toBe(421)
        const { port } = new URL(nginx.httpUrl)
        const text = requestText('/status', { headers: { Host: host } })
        expect((await exchange(`http://127.0.0.1:${port}`, text)).status).toBe(421)
      }
      expect(await statusAt('localhost', nginx)).toBe(200)
    })

    test('never logs feed link keys, whatever the version of HTTP', async () => {
      const { nginx, path, key } = await setUp()
      const headers = { referer: `${nginx.url}${path}` }
      for (const http2 of [true, false]) {
        const ask = clientOf(nginx, { http2 })
        expect((await ask(path, headers)).headers['x-request-id']).not.toBe('')
        await ask(`${path}nothing?alarm=${key}`, headers)
      }
      await fetch(`${nginx.httpUrl}${path}`, { redirect: 'manual' })
      await allIsLogged(nginx)
      expect(nginx.accessLog()).toContain('"GET /l/-" 200')
      expect(nginx.accessLog()).toContain('"GET /l/-" 301')
      expect(nginx.accessLog()).not.toContain(key)
      expect(nginx.errorLog()).not.toContain(key)
    })

    test('forwards the client’s IP address', async () => {
      const { first, second, nginx } = await setUp()
      const ask = clientOf(nginx, { address: '127.0.0.2' })
      const other = clientOf(nginx, { address: '127.0.0.3' })
      const lie = { 'x-forwarded-for': '203.0.113.9' }
      await waitUntil(async () => {
        const { status } = await ask(`/l/${unknownKey}/`, lie)
        return status === 429 && [first, second].every(({ log }) => log().includes('"refused"'))
      })
      for (const { log } of [first, second]) {
        expect(log()).toContain('"address":"127.0.0.2"')
        expect(log()).not.toContain('203.0.113.9')
      }
      expect((await other(`/l/${unknownKey}/`)).status).toBe(404)
    })

    test('uses the remaining replica when one crashes, and uses both again after it recovers', async () => {
      const { first, second, path, nginx } = await setUp()
      const ask = clientOf(nginx, untilTheEnd)
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
      await second.kill()
      await crowd.more(100)
      expect(new Set(await crowd.statuses())).toEqual(new Set([304]))
    })

    test('loses no responses when the replicas restart one at a time', async () => {
      const { first, second, path, nginx } = await setUp()
      const ask = clientOf(nginx, untilTheEnd)
      await using crowd = createCrowd(async () => [
        (await ask('/events.ics')).status,
        (await ask(`${path}calendar.ics`)).status,
      ])
      await crowd.more(50)
      await first.stop()
      await first.start()
      await second.stop()
      await crowd.more(50)
      expect(new Set(await crowd.statuses())).toEqual(new Set([200]))
    })
  })

  describe('when no replica is running', () => {
    test('serves public feeds from its cache, but nothing under feed links', async () => {
      const { first, path, killBoth } = await setUp()
      await first.start()
      const ask = clientOf(await caching())
      const { headers, body } = await ask('/events.ics')
      expect((await ask(`${path}events.ics`)).status).toBe(200)
      expect((await ask('/calendar.ics')).status).toBe(403)
      await killBoth()
      expect(await ask('/events.ics')).toMatchObject({
        status: 200,
        headers: { etag: headers.etag },
        body,
      })
      const again = { 'if-none-match': String(headers.etag) }
      expect((await ask('/events.ics', again)).status).toBe(304)
      expect((await ask(`${path}events.ics`)).status).toBe(502)
      expect((await ask('/calendar.ics')).status).toBe(502)
    })
  })
})

/** Requests over TLS with the certificate's server name, regardless of the Host header. */
async function statusAt(host: string, { url, ca }: Nginx): Promise<number | undefined> {
  const { port } = new URL(url)
  const options = { host: '127.0.0.1', port, path: '/status', servername: 'localhost', ca }
  const request = send({ ...options, agent: false, headers: { Host: host } }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}

async function validators(replica: Replica, path: string) {
  const { headers } = await waitFor(async () => {
    const response = await directly(replica, path, 'gzip')
    expect(response.status).toBe(200)
    return response
  })
  return { etag: headers.get('ETag'), lastModified: headers.get('Last-Modified') }
}
