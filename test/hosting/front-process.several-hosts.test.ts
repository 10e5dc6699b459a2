import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { hostMs } from '../../src/hosts/live-hosts.ts'
import { connectToRedis, type RedisConnection } from '../../src/store/redis/redis-connection.ts'
import { limits, sharedFronts, startFront, type FrontOptions } from './front.ts'
import { freePort } from '../support/free-port.ts'
import { startLoad } from '../support/load.ts'
import { exchangeUrl } from '../support/raw-http.ts'
import { emptyRedisDatabase, redisIsMissing } from '../support/redis.ts'
import { allowConcurrentTests } from '../support/test-end.ts'
import { waitFor } from '../support/wait-for.ts'

allowConcurrentTests()

/** For tests with hosts of their own, which mostly wait. */
const together = { concurrent: true }

type Front = Awaited<ReturnType<typeof startFront>>

const freeUrl = async () => `http://127.0.0.1:${await freePort()}`

const hostKeysIn = ({ run, unlink }: RedisConnection) => ({
  current: () => run(async (client) => await client.get('feedhouse:{_hosts}:key')),
  drop: () => unlink(['feedhouse:{_hosts}:key']),
})

/** Starts a host at a URL that shares sites with those at `urls`. */
const startHost = (
  url: string,
  urls: readonly string[],
  redisUrl: string,
  options: FrontOptions = {},
) => startFront(new URL(url).port, { ...options, hosts: { redisUrl, url, urls } })

/** Starts two hosts, and waits until each answers for the other's site. */
async function startTwo(options: FrontOptions = {}) {
  const redisUrl = await emptyRedisDatabase()
  const urls = [await freeUrl(), await freeUrl()]
  const started = urls.map((url) => startHost(url, urls, redisUrl, options))
  const [first, second] = (await Promise.all(started)) as [Front, Front]
  const processOf = async (host: Front, site: number) => (await host.askSite(site, '/process')).text
  await waitFor(async () => {
    const [own, other] = [await processOf(first, 0), await processOf(second, 1)]
    expect(own).not.toBe(other)
    expect([await processOf(first, 1), await processOf(second, 0)]).toEqual([other, own])
  })
  const other = `published by ${await processOf(second, 1)}`
  const published = async (host: Front) =>
    expect(await host.askSite(1, '/published')).toEqual({ status: 200, text: other })
  return { first, second, published, redisUrl }
}

describe.skipIf(redisIsMissing)('two hosts', () => {
  // Requests that a test leaves open would delay the end.
  const shared = sharedFronts((options) => startTwo({ ...options, stopMs: 100 }))

  test('forward a request with its body and the address of its client to the owner of its site', async () => {
    const { first } = await shared()
    const headers = { Host: 'site-1.example' }
    const sending = request(`${first.url}/echo`, { method: 'POST', headers }).end('body')
    const [response] = (await once(sending, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(201)
    expect(response.headers).not.toHaveProperty('keep-alive', 'timeout=1')
    expect(await text(response)).toBe('POST 127.0.0.1 site-1.example body')
  })

  test(
    'send the other host’s cached responses, report their uses, and drop removed ones',
    together,
    async () => {
      const { first, second, published } = await startTwo()
      const requests = async () => Number((await second.askSite(1, '/requests')).text)
      await waitFor(async () => {
        const before = await requests()
        await published(first)
        // One request for the count itself.
        expect(await requests()).toBe(before + 1)
      })
      const uses = Number((await second.askSite(1, '/uses')).text)
      await published(first)
      await waitFor(async () =>
        expect(Number((await second.askSite(1, '/uses')).text)).toBeGreaterThan(uses),
      )
      const fetches = async () => Number((await second.askSite(1, '/fetches')).text)
      const before = await fetches()
      await second.askSite(1, '/retire')
      await waitFor(async () => {
        await published(first)
        expect(await fetches()).toBe(before + 1)
      })
    },
  )

  test('keep cached responses of a site that its host has lost', together, async () => {
    const { first, second, published } = await startTwo()
    const requests = async () => Number((await second.askSite(1, '/requests')).text)
    await waitFor(async () => {
      const before = await requests()
      for (const host of [first, second]) await published(host)
      expect(await requests()).toBe(before + 1)
    })
    await second.askSite(1, '/lost')
    const before = await requests()
    await published(first)
    expect(await requests()).toBe(before + 1)
    await published(second)
    expect(await requests()).toBe(before + 3)
  })

  test(
    'keep cached responses of a site that starts again, but only with the same settings',
    together,
    async () => {
      const { first, second, published } = await startTwo({ stopMs: 100 })
      const fetches = async () => Number((await second.askSite(1, '/fetches')).text)
      await published(first)
      for (const settings of ['old', 'new']) {
        const before = await fetches()
        await second.askSite(1, `/restart/${settings}`)
        await waitFor(async () => {
          await published(first)
          expect(await fetches()).toBe(before + 1)
        })
      }
      await published(second)
      await second.askSite(1, '/restart/new')
      void second.askSite(1, '/hang').catch(() => undefined)
      await published(second)
    },
  )

  test('take over the site of a host that leaves, without a failed request', together, async () => {
    const { first, second, published } = await startTwo()
    await published(first)
    second.stop()
    const own = `published by ${(await first.askSite(0, '/process')).text}`
    await waitFor(async () => {
      const { status, text: body } = await first.askSite(1, '/published')
      expect(status).toBe(200)
      expect(body).toBe(own)
    })
    expect(await second.exited).toBe(0)
  })

  test('answer the requests that wait for a host that has failed', together, async () => {
    const redisUrl = await emptyRedisDatabase()
    const [url, failed] = [await freeUrl(), await freeUrl()]
    await using redis = await connectToRedis({ url: redisUrl })
    const announce = () => {
      const at = Date.now() - hostMs / 2
      return redis.run((client) => client.hSet('feedhouse:{_hosts}:hosts', failed, `${at}:failed`))
    }
    await announce()
    const responseTimes = { ...limits.responseTimes, startMs: 60_000 }
    const host = await startHost(url, [url, failed], redisUrl, { responseTimes })
    const posted = () => exchangeUrl(`${url}/echo`, { Host: 'site-1.example' }, 'POST')
    // On a busy machine, starting takes longer than a host counts as running.
    await waitFor(async () => {
      await announce()
      expect(await posted()).toMatchObject({ status: 503 })
    })
    const answers = await Promise.all([1, 1, 1].map((site) => host.askSite(site, '/process')))
    const own = await host.askSite(0, '/process')
    expect(answers).toEqual([own, own, own])
  })

  test('let their workers keep their sites while they announce themselves', async () => {
    const { first } = await shared()
    const renewals = async () => Number((await first.askSite(0, '/renewals')).text)
    const before = await renewals()
    await waitFor(async () => expect(await renewals()).toBeGreaterThan(before))
  })

  test('reject requests that pretend to be from another host', async () => {
    const { first } = await shared()
    const forged = { 'Feedhouse-Host': 'wrong', 'Feedhouse-Client': '203.0.113.1' }
    expect(await first.askSite(0, '/echo', forged)).toMatchObject({ status: 503 })
  })

  test('answer for each other without interruption while their key changes', async () => {
    const { first, second, redisUrl } = await shared()
    await using redis = await connectToRedis({ url: redisUrl })
    const stopLoad = startLoad(async (turn) => {
      const [host, site] = turn % 2 === 0 ? [first, 1] : [second, 0]
      return (await host.askSite(site, '/worker')).status
    })
    const keys = hostKeysIn(redis)
    const before = await keys.current()
    await keys.drop()
    await waitFor(async () => expect(await keys.current()).not.toBe(before))
    // The other host also learns of the key.
    const renewals = async () => Number((await second.askSite(1, '/renewals')).text)
    const renewed = await renewals()
    await waitFor(async () => expect(await renewals()).toBeGreaterThan(renewed + 1))
    expect(await stopLoad()).toEqual(new Set([200]))
  })

  test('limit the open responses to each client, and not to the proxy of another host', async () => {
    const { first, second } = await shared()
    // The hosts do not answer requests with this condition from their caches.
    const uncached = { 'If-Match': '"1"' }
    /** Requests something from the first host through a proxy and the second host. */
    const askFor = (client: string, path: string) =>
      second.askSite(0, path, { 'X-Forwarded-For': client, ...uncached })
    expect(await askFor('203.0.113.1', '/outdated')).toMatchObject({ status: 200 })
    const statuses: number[] = []
    // The worker never responds to these.
    for (let count = 0; count < 101; count += 1) {
      void askFor('203.0.113.1', '/outdated').then(({ status }) => statuses.push(status))
    }
    await waitFor(() => expect(statuses).toEqual([503]))
    const direct = { 'X-Forwarded-For': '203.0.113.1', ...uncached }
    expect(await first.askSite(0, '/process', direct)).toMatchObject({ status: 503 })
    expect(await askFor('203.0.113.2', '/process')).toMatchObject({ status: 200 })
  })

  test('do not join if another server responds at their URL', together, async () => {
    const redisUrl = await emptyRedisDatabase()
    const [url, other] = [await freeUrl(), await freeUrl()]
    const host = await startHost(url, [url], redisUrl)
    await waitFor(async () =>
      expect(await host.askSite(0, '/process')).toMatchObject({ status: 200 }),
    )
    const hosts = { redisUrl, url, urls: [url] }
    const twin = await startFront(new URL(other).port, { hosts })
    await waitFor(() => expect(twin.lines.join()).toContain('another server responds there'))
    const { text: process } = await host.askSite(0, '/process')
    const twinAnswer = () => exchangeUrl(`${other}/process`, { Host: 'site-0.example' })
    await waitFor(async () => expect(String((await twinAnswer()).body)).toBe(process))
  })

  test('reject an empty key while Redis has never been reached', together, async () => {
    const url = await freeUrl()
    const host = await startHost(url, [url], `redis://127.0.0.1:${await freePort()}`)
    expect(await host.askSite(0, '/host', { 'Feedhouse-Host': '' })).toMatchObject({ status: 503 })
  })
})
