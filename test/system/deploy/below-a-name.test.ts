import { beforeEach, describe, expect, test } from 'vitest'
import { caddyIsMissing, startCaddy } from '../../support/caddy.ts'
import { allIsLogged, nginxIsMissing, startNginx, type Nginx } from '../../support/nginx.ts'
import { clientOf, type ReverseProxy } from '../../support/proxy-client.ts'
import { redisIsMissing } from '../../support/redis.ts'
import { startReplicas } from '../../support/replicas.ts'
import { startedOnce } from '../../support/started-once.ts'
import { waitUntil } from '../../support/wait-for.ts'

/** Allows two replicas to start, each within the timeout of `waitFor`. */
const timeout = 180_000

const name = '/ashton'
const publicUrl = `https://feeds.example.org${name}`

/** Other spellings of a URL path. Feedhouse itself would serve most of them. */
const pathsTo = (page: string) => [
  page,
  `${page}/`,
  page.toUpperCase(),
  `/${page}`,
  `/x/..${page}`,
  `${page}?all`,
  page.replace('t', '%74'),
]

describe.skipIf(redisIsMissing)('with two replicas of a site under a path', { timeout }, () => {
  const replicas = startedOnce(() => startReplicas({ publicUrl }))
  const plainNginx = startedOnce(async () => startNginx((await replicas()).ports))
  const cachingNginx = startedOnce(async () =>
    startNginx((await replicas()).ports, { isCached: true }),
  )
  const caddyOnce = startedOnce(async () => startCaddy((await replicas()).ports))
  const impatientCaddy = startedOnce(async () => startCaddy((await replicas()).ports, '1s'))

  async function setUp<T extends ReverseProxy>(start: () => Promise<T>) {
    const { link, ...others } = await replicas()
    expect(link.path).toBe(`${name}/l/${link.key}/`)
    const proxy = await start()
    proxy.clearLogs()
    return { ...others, ...link, proxy }
  }

  describe('while both are running', () => {
    beforeEach(async () => {
      await (await replicas()).startBoth()
    }, timeout)

    describe.skipIf(nginxIsMissing)('nginx', () => {
      test('logs the site, but never logs feed link keys', async () => {
        const { proxy: nginx, ...link } = await setUp(plainNginx)
        expect((await clientOf(nginx)(`${link.path}calendar.ics`)).status).toBe(200)
        await askForLink(nginx, link)
        await allIsLogged(nginx)
        for (const status of [200, 301]) {
          expect(nginx.accessLog()).toContain(`"GET ${name}/l/-" ${status}`)
        }
        expect(nginx.accessLog()).not.toContain(link.key)
        expect(nginx.errorLog()).not.toContain(link.key)
      })

      test('hides the metrics', async () => {
        const { proxy: nginx } = await setUp(plainNginx)
        const ask = clientOf(nginx)
        for (const path of [`${name}/`, `${name}/status`]) {
          expect((await ask(path)).status).toBe(200)
        }
        for (const path of ['/metrics', `${name}/metrics`].flatMap(pathsTo)) {
          expect({ path, ...(await ask(path)) }).toMatchObject({ path, status: 404 })
        }
      })
    })

    describe.skipIf(caddyIsMissing)('Caddy', () => {
      test('serves the site', async () => {
        const { path, proxy: caddy } = await setUp(caddyOnce)
        const ask = clientOf(caddy)
        for (const served of [`${name}/`, `${name}/events.ics`, `${path}calendar.ics`]) {
          expect({ served, ...(await ask(served)) }).toMatchObject({ served, status: 200 })
        }
        const bare = await ask(name)
        expect(bare).toMatchObject({ status: 308, headers: { location: `${name}/` } })
      })

      test('hides the metrics', async () => {
        const { proxy: caddy } = await setUp(caddyOnce)
        const ask = clientOf(caddy)
        expect((await ask(`${name}/status`)).status).toBe(200)
        for (const path of ['/metrics', `${name}/metrics`].flatMap(pathsTo)) {
          expect({ path, ...(await ask(path)) }).toMatchObject({ path, status: 404 })
        }
      })
    })
  })

  describe('when no replica is running', () => {
    test.skipIf(caddyIsMissing)('Caddy never logs feed link keys', async () => {
      const { first, killBoth, proxy: caddy, ...link } = await setUp(impatientCaddy)
      await first.start()
      const ask = clientOf(caddy)
      expect((await ask(link.path)).status).toBe(200)
      await killBoth()
      const paths = [`${name}/events.ics`, ...pathsOfLink(link)]
      const referer = { referer: `${caddy.url}${link.path}` }
      const responses = await Promise.all(paths.map((asked) => ask(asked, referer)))
      expect(responses.map(({ status }) => status >= 500)).not.toContain(false)
      // A request is logged after its response.
      const logged = () => caddy.log().split('"http.log.error"').length - 1
      await waitUntil(() => logged() === paths.length)
      expect(caddy.log()).toContain(`"uri":"${name}/events.ics"`)
      expect(caddy.log()).toContain(`"uri":"${name}/l/-"`)
      expect(caddy.log()).not.toContain(link.key)
    })

    describe.skipIf(nginxIsMissing)('nginx', () => {
      test('logs no feed link keys', async () => {
        const { killBoth, proxy: nginx, ...link } = await setUp(plainNginx)
        await killBoth()
        await askForLink(nginx, link)
        expect((await clientOf(nginx)(`${name}/events.ics`)).status).toBe(502)
        await allIsLogged(nginx)
        expect(nginx.accessLog()).toContain(`"GET ${name}/l/-" 502`)
        expect(nginx.accessLog()).not.toContain(link.key)
        expect(nginx.errorLog()).not.toContain(link.key)
      })

      test('serves public feeds from its cache, but nothing under feed links', async () => {
        const { first, path, killBoth, proxy: nginx } = await setUp(cachingNginx)
        await first.start()
        const ask = clientOf(nginx)
        const { headers, body } = await ask(`${name}/events.ics`)
        expect((await ask(`${path}events.ics`)).status).toBe(200)
        await killBoth()
        expect(await ask(`${name}/events.ics`)).toMatchObject({
          status: 200,
          headers: { etag: headers.etag },
          body,
        })
        expect((await ask(`${path}events.ics`)).status).toBe(502)
        expect((await ask(`/milbrook/events.ics`)).status).toBe(502)
      })
    })
  })
})

type Link = { readonly path: string; readonly key: string }

function pathsOfLink({ path, key }: Link): readonly string[] {
  return [
    path,
    `${path}calendar.ics`,
    `${name}/l/${key}`,
    `${name}//l/${key}/`,
    `${name}/%6c/${key}/`,
    `${name.toUpperCase()}/L/${key}/`,
    `${path}nothing?of=${key}`,
    `${name}/x/../l/${key}/news.rss`,
    `/x%0a/l/${key}/`,
    `/x${name}/l/${key}/`,
  ]
}

async function askForLink(nginx: Nginx, link: Link): Promise<void> {
  const ask = clientOf(nginx)
  for (const asked of pathsOfLink(link)) {
    await ask(asked, { referer: `${nginx.url}${link.path}` })
    await fetch(`${nginx.httpUrl}${asked}`, { redirect: 'manual' })
  }
}
