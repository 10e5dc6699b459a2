import { expect, test } from 'vitest'
import { nginxIsMissing, startNginx } from '../support/nginx.ts'
import { clientOf, createCrowd, type Replica } from '../support/proxied.ts'
import { beforeTwoReplicas } from '../support/two-replicas.ts'
import { waitFor, waitUntil } from '../support/wait-for.ts'

/** nginx ends a connection after 1,000 requests; over HTTP/2 undici takes that for a lost answer. */
const untilTheEnd = { http2: false }

const unknownKey = 'abcdefghijklmnopqrstuvwxyz234567'

const directly = ({ port }: Replica, path: string, encoding: string) =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'Accept-Encoding': encoding } })

beforeTwoReplicas(nginxIsMissing, (replicas) => {
  async function startProxied(options: { readonly isCached?: boolean } = {}) {
    const { first, second, link } = replicas()
    const nginx = await startNginx([first.port, second.port], options)
    return { first, second, ...link, nginx }
  }

  test('serves what both serve, with their validators, over both versions of HTTP', async () => {
    const { first, second, path, nginx } = await startProxied()
    for (const http2 of [true, false]) {
      const ask = clientOf(nginx.url, { ca: nginx.ca, http2 })
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

  test('has the other replica answer when one crashes, and uses it again', async () => {
    const { first, second, path, nginx } = await startProxied()
    const ask = clientOf(nginx.url, { ca: nginx.ca, ...untilTheEnd })
    // An answer that is under way when its replica crashes is cut off: these have no body.
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

  test('loses no answer when the replicas are restarted one after the other', async () => {
    const { first, second, path, nginx } = await startProxied()
    const ask = clientOf(nginx.url, { ca: nginx.ca, ...untilTheEnd })
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

  test('writes no key of a feed link into a log, whatever becomes of the request', async () => {
    const { first, second, path, key, nginx } = await startProxied()
    const paths = [
      ...[path, `${path}calendar.ics`, `/l/${key}`, `//l/${key}/`, `/%6c/${key}/`, `/L/${key}/`],
      ...[
        `/x/../l/${key}/news.rss`,
        `/ashton/l/${key}/`,
        `${path}nothing?alarm=${key}`,
        `/events.ics?of=${key}`,
      ],
    ]
    const askAll = async () => {
      const tellingNobody = { referer: `${nginx.url}${path}` }
      for (const http2 of [true, false]) {
        const ask = clientOf(nginx.url, { ca: nginx.ca, http2 })
        for (const asked of paths.slice(0, -1)) await ask(asked)
        expect((await ask(path, tellingNobody)).headers['x-request-id']).not.toBe('')
      }
      for (const asked of paths) await fetch(`${nginx.httpUrl}${asked}`, { redirect: 'manual' })
    }
    await askAll()
    await first.kill()
    await second.kill()
    await askAll()
    const ask = clientOf(nginx.url, { ca: nginx.ca })
    expect((await ask(`${path}calendar.ics`)).status).toBe(502)
    expect((await ask('/events.ics')).status).toBe(502)
    await ask('/the-last')
    // A request is logged after its answer.
    await waitUntil(() => nginx.accessLog().includes('/the-last'))
    expect(nginx.accessLog()).toContain('"GET /l/-" 200')
    expect(nginx.accessLog()).toContain('"GET /l/-" 502')
    expect(nginx.accessLog()).toContain('"GET /l/-" 301')
    expect(nginx.errorLog()).toContain('GET /events.ics')
    expect(nginx.accessLog()).not.toContain(key)
    expect(nginx.errorLog()).not.toContain(key)
  })

  test('tells the replicas who asks, whatever the client says of it', async () => {
    const { first, second, nginx } = await startProxied()
    const ask = clientOf(nginx.url, { ca: nginx.ca, address: '127.0.0.2' })
    const other = clientOf(nginx.url, { ca: nginx.ca, address: '127.0.0.3' })
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

  test('leads from http to https, and shows no metrics', async () => {
    const { nginx } = await startProxied()
    const answer = await fetch(`${nginx.httpUrl}/events.ics?past=3`, { redirect: 'manual' })
    expect(answer.status).toBe(301)
    expect(answer.headers.get('Location')).toBe('https://localhost/events.ics?past=3')
    const ask = clientOf(nginx.url, { ca: nginx.ca })
    for (const path of ['/metrics', '/ashton/metrics']) {
      expect((await ask(path)).body).not.toContain('feedhouse')
      expect((await ask(path)).status).toBe(404)
    }
    const { status, headers } = await ask('/')
    expect(status).toBe(200)
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
  })

  test('with its cache serves public feeds while no replica answers, and nothing of a link', async () => {
    const { first, second, path, nginx } = await startProxied({ isCached: true })
    const ask = clientOf(nginx.url, { ca: nginx.ca })
    const { headers, body } = await ask('/events.ics')
    await ask(`${path}events.ics`)
    expect((await ask('/calendar.ics')).status).toBe(403)
    await first.kill()
    await second.kill()
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

async function validators(replica: Replica, path: string) {
  const { headers } = await waitFor(async () => {
    const answer = await directly(replica, path, 'gzip')
    expect(answer.status).toBe(200)
    return answer
  })
  return { etag: headers.get('ETag'), lastModified: headers.get('Last-Modified') }
}
