import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ownerOf } from '../../../src/hosting/site-shares.ts'
import { readyService, runProcess } from '../../support/command-line.ts'
import { freePort } from '../../support/free-port.ts'
import { startLoad } from '../../support/load.ts'
import { exchangeUrl } from '../../support/raw-http.ts'
import { startRedisCluster } from '../../support/redis-cluster.ts'
import { emptyRedisDatabase, redisIsMissing } from '../../support/redis.ts'
import { testDirectory } from '../../support/service.ts'
import { startWebsites, workersOf } from '../../support/sites-process.ts'
import { waitFor } from '../../support/wait-for.ts'

const names = ['ashton', 'cedar', 'dover', 'easton', 'milbrook', 'norwood']

/** Hosts announce themselves every two seconds. */
const pollMs = 100

type Sites = Awaited<ReturnType<typeof startWebsites>>

/** Starts a host in separate processes. */
async function startHost(sites: Sites, redisUrl: string) {
  const directory = testDirectory()
  writeFileSync(join(directory, 'sites.json'), JSON.stringify(sites))
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const service = runProcess(directory, ['serve'], {
    SITES_FILE: 'sites.json',
    REDIS_URL: redisUrl,
    ADVERTISE_URL: url,
    PORT: port,
    LOG_LEVEL: 'warn',
  })
  await readyService(service)
  const workers = workersOf(service)
  const signal = (name: NodeJS.Signals) => {
    service.kill(name)
    for (const worker of workers) process.kill(worker, name)
  }
  const statusOf = async (name: string, path = '/events.ics') =>
    (await exchangeUrl(`${url}${path}`, { Host: `${name}.example` })).status
  const metrics = async () => (await fetch(`${url}/metrics`)).text()
  return {
    service,
    url,
    signal,
    statusOf,
    metrics,
    /** Returns the names of the sites that run on this host. */
    owned: async () => {
      const text = await metrics()
      const sites = [
        ...text.matchAll(/^feedhouse_budget_left_calls\{window="day",site="(\w+)"\}/gm),
      ]
      expect(text).toContain(`\nfeedhouse_owned_sites ${sites.length}\n`)
      return sites.map(([, name = '']) => name)
    },
  }
}

type Host = Awaited<ReturnType<typeof startHost>>

/** Starts three hosts, and waits until each answers for all sites. The first one has the most sites. */
async function startHosts(redisUrl: string) {
  const sites = await startWebsites(names)
  const [a, b, c] = await Promise.all([
    startHost(sites, redisUrl),
    startHost(sites, redisUrl),
    startHost(sites, redisUrl),
  ])
  const hosts = [a, b, c]
  const urls = hosts.map(({ url }) => url)
  const shareOf = ({ url }: Host) => names.filter((name) => ownerOf(name, urls) === url)
  for (const host of hosts) {
    await waitFor(async () => expect(await host.owned()).toEqual(shareOf(host)), pollMs)
  }
  await servesAll(hosts)
  hosts.sort((one, other) => shareOf(other).length - shareOf(one).length)
  return hosts as [Host, Host, Host]
}

/** Returns the sites of all hosts together. */
async function ownedBy(hosts: readonly Host[]): Promise<readonly string[]> {
  const owned = await Promise.all(hosts.map((host) => host.owned()))
  return owned.flat().toSorted()
}

async function servesAll(hosts: readonly Host[]): Promise<void> {
  for (const { statusOf } of hosts) {
    for (const name of names) {
      await waitFor(async () => expect([name, await statusOf(name)]).toEqual([name, 200]))
    }
  }
}

/** Requests the feeds of all sites from a host until stopped. Stopping resolves to the statuses. */
const load = ({ statusOf }: Host) => startLoad((turn) => statusOf(names[turn % names.length] ?? ''))

test.skipIf(redisIsMissing)(
  'shares sites among three hosts with a Redis Cluster, one of which is killed and one leaves',
  async () => {
    const cluster = await startRedisCluster()
    onTestFinished(() => cluster[Symbol.asyncDispose]())
    const hosts = await startHosts(cluster.url)
    const [first, second, third] = hosts
    for (const { url } of hosts) {
      const status = await (await fetch(`${url}/status`)).json()
      expect(status).toMatchObject({ ok: true, sites: names.map((name) => ({ name, ok: true })) })
      const owned = await Promise.all(
        hosts.map(async (host) => ({
          host: new URL(host.url).host,
          sites: (await host.owned()).toSorted(),
        })),
      )
      expect(status).toMatchObject({ hosts: expect.arrayContaining(owned) })
    }
    const stopLoads = [load(second), load(third)] as const
    first.signal('SIGKILL')
    await waitFor(async () => expect(await ownedBy([second, third])).toEqual(names), pollMs)
    expect(await stopLoads[0]()).toEqual(new Set([200]))
    second.service.kill('SIGTERM')
    await waitFor(async () => expect(await third.owned()).toHaveLength(names.length), pollMs)
    expect(await stopLoads[1]()).toEqual(new Set([200]))
  },
)

test.skipIf(redisIsMissing)(
  'gives the sites of a host that is suspended, and of one whose front is, to the third, and theirs back when they continue',
  async () => {
    const hosts = await startHosts(await emptyRedisDatabase())
    const [first, second, third] = hosts
    const before = await Promise.all(hosts.map((host) => host.owned()))
    first.signal('SIGSTOP')
    second.service.kill('SIGSTOP')
    await waitFor(async () => expect(await ownedBy([third])).toEqual(names), pollMs)
    first.signal('SIGCONT')
    second.service.kill('SIGCONT')
    await waitFor(async () => {
      expect(await Promise.all(hosts.map((host) => host.owned()))).toEqual(before)
    }, pollMs)
    await servesAll([first, second])
  },
)
