import { describe, expect, test } from 'vitest'
import { caddyIsMissing, startCaddy } from '../../support/caddy.ts'
import { nginxIsMissing, startNginx } from '../../support/nginx.ts'
import { clientOf, type ReverseProxy } from '../../support/proxy-client.ts'
import { redisIsMissing } from '../../support/redis.ts'
import { startReplicas } from '../../support/replicas.ts'
import { startedOnce } from '../../support/started-once.ts'

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

async function expectHiddenMetrics(proxy: ReverseProxy): Promise<void> {
  const ask = clientOf(proxy)
  for (const path of [`${name}/`, `${name}/status`]) {
    expect((await ask(path)).status).toBe(200)
  }
  for (const path of ['/metrics', `${name}/metrics`].flatMap(pathsTo)) {
    expect({ path, ...(await ask(path)) }).toMatchObject({ path, status: 404 })
  }
}

describe.skipIf(redisIsMissing)('with two replicas of a site under a path', { timeout }, () => {
  const replicas = startedOnce(() => startReplicas({ publicUrl }))

  test.skipIf(caddyIsMissing)('Caddy serves the site, and hides the metrics', async () => {
    const { link, ports } = await replicas()
    expect(link.path).toBe(`${name}/l/${link.key}/`)
    await using caddy = await startCaddy(ports)
    const ask = clientOf(caddy)
    for (const served of [`${name}/`, `${name}/events.ics`, `${link.path}calendar.ics`]) {
      expect({ served, ...(await ask(served)) }).toMatchObject({ served, status: 200 })
    }
    expect(await ask(name)).toMatchObject({ status: 308, headers: { location: `${name}/` } })
    await expectHiddenMetrics(caddy)
  })

  test.skipIf(nginxIsMissing)(
    'nginx hides the metrics, and without a replica, serves public feeds from its cache, but nothing under feed links',
    async () => {
      const { link, ports, killBoth } = await replicas()
      await using nginx = await startNginx(ports, { isCached: true })
      await expectHiddenMetrics(nginx)
      const ask = clientOf(nginx)
      const { headers, body } = await ask(`${name}/events.ics`)
      expect((await ask(`${link.path}events.ics`)).status).toBe(200)
      await killBoth()
      expect(await ask(`${name}/events.ics`)).toMatchObject({
        status: 200,
        headers: { etag: headers.etag },
        body,
      })
      expect((await ask(`${link.path}events.ics`)).status).toBe(502)
      expect((await ask(`/milbrook/events.ics`)).status).toBe(502)
    },
  )
})
