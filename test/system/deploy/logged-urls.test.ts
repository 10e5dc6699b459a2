import { expect, test } from 'vitest'
import { caddyIsMissing, startCaddy } from '../../support/caddy.ts'
import { freePort } from '../../support/free-port.ts'
import { nginxIsMissing, startNginx } from '../../support/nginx.ts'
import { clientOf } from '../../support/proxy-client.ts'
import { waitUntil } from '../../support/wait-for.ts'

const key = 'abcdefghijklmnopqrstuvwxyz234567'
const encodedKey = key.replaceAll('c', '%63')

const masked = [
  `/l/${key}/`,
  `/l/${key}`,
  `//l/${key}/calendar.ics?alarm=30`,
  `/L/${key}/`,
  `/%6c/${key}/`,
  `/%4C/${key}/`,
  `/l%2f${key}/`,
  `/l%2F${encodedKey}/`,
  `/l/${encodedKey}/`,
  `/l/too-short/`,
  `/ashton/l/${key}/`,
  `/ashton/l/${key}/nothing?of=${key}`,
  `/ashton//l/${key}/`,
  `/ashton/%6c/${key}/`,
  `/ASHTON/L/${key}/`,
  `/ashton/x/../l/${key}/news.rss`,
  `/x/ashton/l/${key}/`,
  `/x%0a/l/${key}/`,
  `/x/../l/${key}/news.rss`,
  `/${key}/`,
  `/${key.toUpperCase()}`,
  `/ashton/${encodedKey}.ics`,
  `/follow/manage/${key}${key}/data`,
  `/follow/confirm/${key}Ab-_09`,
  `/events.ics?of=${key}`,
  `/events.ics?of=${encodedKey}&past=3`,
]
const shown = ['/', '/events.ics', '/events.ics?past=3&calendar=1', '/ashton/news.rss', '/legal/l']

test.skipIf(caddyIsMissing || nginxIsMissing)(
  'nginx and Caddy mask the same parts of URLs in their logs',
  async () => {
    const ports = [await freePort(), await freePort()] as const
    await using nginx = await startNginx(ports)
    await using caddy = await startCaddy(ports, '0s')
    caddy.clearLogs()
    const asked = [...masked, ...shown]
    for (const proxy of [nginx, caddy]) {
      const ask = clientOf(proxy, { http2: false })
      const headers = { referer: `${proxy.url}/l/${key}/` }
      for (const path of asked) {
        expect((await ask(path, headers)).status).toBeGreaterThanOrEqual(502)
      }
    }
    // nginx logs a request only after the response.
    await clientOf(nginx)('/the-last')
    await waitUntil(() => nginx.log().includes('/the-last'))
    const byCaddy = () => [...caddy.log().matchAll(/"uri":"([^"]*)"/g)].map(([, uri]) => uri)
    await waitUntil(() => byCaddy().length === asked.length)
    const byNginx = [...nginx.log().matchAll(/"GET (\S+)"/g)].map(([, uri]) => uri)
    expect(byNginx.slice(0, -1)).toEqual(byCaddy())
    expect(byCaddy()).toContain('/ashton/l/-')
    expect(byCaddy().slice(masked.length)).toEqual(shown)
    const wrong = byCaddy()
      .slice(0, masked.length)
      .filter((uri) => !uri?.endsWith('/l/-'))
    expect(wrong).toEqual([])
    expect(`${nginx.log()}${caddy.log()}`).not.toMatch(/abcd|ab%63d/i)
  },
)
