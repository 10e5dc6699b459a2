import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { caddyIsMissing, startCaddy } from '../support/caddy.ts'
import { nginxIsMissing, startNginx } from '../support/nginx.ts'
import { clientOf, startReplicas, type Replicas } from '../support/proxied.ts'
import { redisIsMissing } from '../support/redis.ts'
import { waitUntil } from '../support/wait-for.ts'

const replicasMs = 60_000
const name = '/ashton'

/** However they are written, Feedhouse itself would answer most of them. */
const pathsTo = (page: string) => [
  ...[page, `${page}/`, page.toUpperCase(), `/${page}`, `/x/..${page}`, `${page}?all`],
  page.replace('t', '%74'),
]

describe.skipIf(redisIsMissing)(
  'two replicas of a site below a name',
  { timeout: replicasMs },
  () => {
    let replicas: Replicas

    beforeAll(async () => {
      replicas = await startReplicas({ publicUrl: `https://feeds.example.org${name}` })
    }, replicasMs)

    beforeEach(async () => {
      await replicas.first.start()
      await replicas.second.start()
    }, replicasMs)

    afterAll(() => replicas[Symbol.asyncDispose]())

    const ports = () => [replicas.first.port, replicas.second.port] as const
    const kill = () => Promise.all([replicas.first.kill(), replicas.second.kill()])

    function pathsOfLink() {
      const { path, key } = replicas.link
      expect(path).toBe(`${name}/l/${key}/`)
      return [
        ...[path, `${path}calendar.ics`, `${name}/l/${key}`, `${name}//l/${key}/`],
        ...[`${name}/%6c/${key}/`, `${name.toUpperCase()}/L/${key}/`, `${path}nothing?of=${key}`],
        ...[`${name}/x/../l/${key}/news.rss`, `/x%0a/l/${key}/`, `/x${name}/l/${key}/`],
      ]
    }

    describe.skipIf(nginxIsMissing)('behind nginx', () => {
      test('nginx writes no key of a feed link into a log, and logs which site it was of', async () => {
        const { path, key } = replicas.link
        const nginx = await startNginx(ports())
        const ask = clientOf(nginx.url, { ca: nginx.ca })
        expect((await ask(`${path}calendar.ics`)).status).toBe(200)
        const askAll = async () => {
          for (const asked of pathsOfLink()) {
            await ask(asked, { referer: `${nginx.url}${path}` })
            await fetch(`${nginx.httpUrl}${asked}`, { redirect: 'manual' })
          }
        }
        await askAll()
        await kill()
        await askAll()
        expect((await ask(`${name}/events.ics`)).status).toBe(502)
        await ask('/the-last')
        // A request is logged after its answer.
        await waitUntil(() => nginx.accessLog().includes('/the-last'))
        for (const status of [200, 502, 301]) {
          expect(nginx.accessLog()).toContain(`"GET ${name}/l/-" ${status}`)
        }
        expect(nginx.errorLog()).toContain(`GET ${name}/events.ics`)
        expect(nginx.accessLog()).not.toContain(key)
        expect(nginx.errorLog()).not.toContain(key)
      })

      test('nginx shows no metrics', async () => {
        const nginx = await startNginx(ports())
        const ask = clientOf(nginx.url, { ca: nginx.ca })
        for (const path of [`${name}/`, `${name}/status`]) {
          expect((await ask(path)).status).toBe(200)
        }
        for (const path of ['/metrics', `${name}/metrics`].flatMap(pathsTo)) {
          expect({ path, ...(await ask(path)) }).toMatchObject({ path, status: 404 })
        }
      })

      test('nginx with its cache serves public feeds while no replica answers, and nothing of a link', async () => {
        const nginx = await startNginx(ports(), { isCached: true })
        const ask = clientOf(nginx.url, { ca: nginx.ca })
        const { headers, body } = await ask(`${name}/events.ics`)
        expect((await ask(`${replicas.link.path}events.ics`)).status).toBe(200)
        await kill()
        expect(await ask(`${name}/events.ics`)).toMatchObject({
          status: 200,
          headers: { etag: headers.etag },
          body,
        })
        expect((await ask(`${replicas.link.path}events.ics`)).status).toBe(502)
        expect((await ask(`/milbrook/events.ics`)).status).toBe(502)
      })
    })

    describe.skipIf(caddyIsMissing)('behind Caddy', () => {
      test('Caddy serves it, and writes no key of a feed link into its log', async () => {
        const { path, key } = replicas.link
        const caddy = await startCaddy(ports())
        const ask = clientOf(caddy.url, { ca: caddy.ca })
        for (const served of [`${name}/`, `${name}/events.ics`, `${path}calendar.ics`]) {
          expect({ served, ...(await ask(served)) }).toMatchObject({ served, status: 200 })
        }
        const bare = await ask(name)
        expect(bare).toMatchObject({ status: 308, headers: { location: `${name}/` } })
        await kill()
        const paths = [`${name}/events.ics`, ...pathsOfLink()]
        const referer = { referer: `${caddy.url}${path}` }
        const answers = await Promise.all(paths.map((asked) => ask(asked, referer)))
        expect(answers.map(({ status }) => status >= 500)).not.toContain(false)
        // A request is logged after its answer.
        const logged = () => caddy.log().split('"http.log.error"').length - 1
        await waitUntil(() => logged() === paths.length)
        expect(caddy.log()).toContain(`"uri":"${name}/events.ics"`)
        expect(caddy.log()).toContain(`"uri":"${name}/l/-"`)
        expect(caddy.log()).not.toContain(key)
      })

      test('Caddy shows no metrics', async () => {
        const caddy = await startCaddy(ports())
        const ask = clientOf(caddy.url, { ca: caddy.ca })
        expect((await ask(`${name}/status`)).status).toBe(200)
        for (const path of ['/metrics', `${name}/metrics`].flatMap(pathsTo)) {
          expect({ path, ...(await ask(path)) }).toMatchObject({ path, status: 404 })
        }
      })
    })
  },
)
