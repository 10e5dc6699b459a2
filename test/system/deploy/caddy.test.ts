import { beforeEach, describe, expect, test } from 'vitest'
import { caddyIsMissing, startCaddy, validateCaddyfile } from '../../support/caddy.ts'
import { clientOf, createCrowd } from '../../support/proxy-client.ts'
import { redisIsMissing } from '../../support/redis.ts'
import { startReplicas } from '../../support/replicas.ts'
import { startedOnce } from '../../support/started-once.ts'
import { waitUntil } from '../../support/wait-for.ts'

/** Allows two replicas to start or restart, each within the timeout of `waitFor`. */
const timeout = 180_000

const unknownKey = 'abcdefghijklmnopqrstuvwxyz234567'

test.skipIf(caddyIsMissing)(
  'Caddy accepts the Caddyfile for one or more hosts, with or without replicas',
  () => {
    const environments = [
      { FEEDHOUSE_HOSTS: 'https://feeds.example.org' },
      {
        FEEDHOUSE_HOSTS: 'feeds.example.org feeds.ashton.example',
        FEEDHOUSE_REPLICAS: 'feedhouse-1:8080 feedhouse-2:8080',
      },
    ]
    for (const environment of environments) {
      const { status, stderr } = validateCaddyfile(environment)
      expect({ status, stderr }).toMatchObject({ status: 0 })
      expect(stderr).not.toContain('not formatted')
      expect(stderr).not.toContain('deprecated')
    }
  },
)

describe.skipIf(caddyIsMissing || redisIsMissing)('Caddy', { timeout }, () => {
  const replicas = startedOnce(startReplicas)
  const proxy = startedOnce(async () => startCaddy((await replicas()).ports))

  async function setUp() {
    const { link, ...others } = await replicas()
    const caddy = await proxy()
    caddy.clearLogs()
    return { ...others, ...link, caddy }
  }

  beforeEach(async () => {
    await (await replicas()).startBoth()
  }, timeout)

  test('serves public and private feeds with their validators, and logs no keys', async () => {
    const { path, key, caddy } = await setUp()
    const ask = clientOf(caddy)
    for (const feed of ['/events.ics', `${path}calendar.ics`]) {
      const whole = await ask(feed, { 'accept-encoding': 'gzip' })
      expect(whole).toMatchObject({ status: 200, headers: { 'content-encoding': 'gzip' } })
      const again = { 'accept-encoding': 'gzip', 'if-none-match': String(whole.headers['etag']) }
      for (let time = 0; time < 4; time += 1) expect((await ask(feed, again)).status).toBe(304)
    }
    expect((await ask('/')).headers['strict-transport-security']).toBe('max-age=31536000')
    const plain = await fetch(`${caddy.httpUrl}/events.ics`, { redirect: 'manual' })
    expect(plain.status).toBe(308)
    expect(plain.headers.get('Location')).toBe(`${caddy.url}/events.ics`)
    expect(caddy.log()).not.toContain(key)
  })

  test('forwards the client’s IP address', async () => {
    const { first, second, caddy } = await setUp()
    const ask = clientOf(caddy, { address: '127.0.0.2' })
    const lie = { 'x-forwarded-for': '203.0.113.9' }
    await waitUntil(async () => {
      await ask(`/l/${unknownKey}/`, lie)
      return [first, second].every(({ log }) => log().includes('"refused"'))
    })
    for (const { log } of [first, second]) {
      expect(log()).toContain('"address":"127.0.0.2"')
      expect(log()).not.toContain('203.0.113.9')
    }
  })

  test('loses no responses when one replica crashes and the other restarts', async () => {
    const { first, second, path, caddy } = await setUp()
    const ask = clientOf(caddy)
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
    await second.stop()
    await crowd.more(100)
    expect(new Set(await crowd.statuses())).toEqual(new Set([304]))
  })
})
