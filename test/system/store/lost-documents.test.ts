import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { storedLinks } from '../../../src/links/stored-links.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { keptRecordFile } from '../../../src/store/kept-record.ts'
import { adminEnvironment, createAdmin, revisionIn } from '../../support/admin.ts'
import { readyService, resultOf, runProcess } from '../../support/command-line.ts'
import { freePort } from '../../support/free-port.ts'
import { startLoad } from '../../support/load.ts'
import { exchangeUrl } from '../../support/raw-http.ts'
import { redisCommand } from '../../support/redis-cluster.ts'
import { startRedis, type RedisServer } from '../../support/redis-server.ts'
import { markAsUsed, redisIsMissing } from '../../support/redis.ts'
import { testDirectory } from '../../support/service.ts'
import { startWebsites, workersOf } from '../../support/sites-process.ts'
import { allowConcurrentTests, atTestEnd } from '../../support/test-end.ts'
import { waitFor } from '../../support/wait-for.ts'

allowConcurrentTests()

const name = 'ashton'
const settings = { bucket: 'settings', id: 'site' }

/** Settings of processes that serve the site, each with its own data directory. */
const modes = {
  'one process': { count: 1, isHost: false },
  replicas: { count: 2, isHost: false },
  hosts: { count: 2, isHost: true },
}

type Mode = keyof typeof modes

const options = { concurrent: true }

async function startProcess(
  site: Record<string, unknown>,
  { redis, mode }: { readonly redis: RedisServer; readonly mode: Mode },
) {
  const directory = testDirectory()
  writeFileSync(join(directory, 'sites.json'), JSON.stringify({ [name]: site }))
  const port = String(await freePort())
  const common = { REDIS_URL: redis.url, PORT: port, LOG_LEVEL: 'warn' }
  let log = ''
  const start = async () => {
    const started = runProcess(directory, ['serve'], {
      ...common,
      ...(modes[mode].isHost
        ? { SITES_FILE: 'sites.json', ADVERTISE_URL: `http://127.0.0.1:${port}` }
        : { ...(site as Record<string, string>), ...adminEnvironment }),
    })
    started.stderr?.on('data', (text) => (log += String(text)))
    await readyService(started)
    return started
  }
  let service = await start()
  const statusOf = async (path: string) => {
    const host = modes[mode].isHost ? { Host: `${name}.example` } : {}
    return (await exchangeUrl(`http://127.0.0.1:${port}${path}`, host)).status
  }
  return {
    log: () => log,
    statusOf,
    admin: () => createAdmin(`http://127.0.0.1:${port}`, String(site['PUBLIC_URL'])),
    /** Returns what the host has recorded about a site's data in Redis. */
    recordOf: (host: string) => readFileSync(keptRecordFile(join(directory, 'data'), host), 'utf8'),
    /** Starts it again with the same data directory and port. */
    async restart() {
      service = await start()
    },
    ownsSite: async () => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      return text.includes('\nfeedhouse_owned_sites 1\n')
    },
    kill() {
      this.killWorker()
      service.kill('SIGKILL')
    },
    /** Kills the worker, which the front replaces. */
    killWorker: () => workersOf(service).forEach((worker) => process.kill(worker, 'SIGKILL')),
  }
}

/** Starts a site whose events are private because of stored settings, and asks for them all the time. */
async function startPrivateSite(mode: Mode, { isWatched = true } = {}) {
  const redis = await startRedis()
  atTestEnd(() => redis[Symbol.asyncDispose]())
  await markAsUsed(redis.url)
  const { [name]: site = {} } = await startWebsites([name])
  const siteUrl = String(site['SITE_URL'])
  const start = () => startProcess(site, { redis, mode })
  const processes = await Promise.all(Array.from({ length: modes[mode].count }, start))
  const place = { directory: testDirectory(), redisUrl: redis.url, now: Date.now, siteUrl }
  const publish = async (...publicFeeds: string[]) => {
    await using store = await openStore(place)
    await store.documents.write([{ ...settings, value: JSON.stringify({ publicFeeds }) }])
  }
  await publish('news')
  const loads: ReturnType<typeof startLoad<number>>[] = []
  const watch = ({ statusOf }: (typeof processes)[0]) =>
    void loads.push(startLoad(() => statusOf('/events.ics')))
  for (const each of processes) {
    await waitFor(async () => expect(await each.statusOf('/events.ics')).toBe(403))
    if (isWatched) watch(each)
  }
  const key = `feedhouse:${new URL(siteUrl).host}:documents:settings`
  return {
    redis,
    processes,
    host: new URL(siteUrl).host,
    publish,
    place,
    /** Runs a command about feed links, in a data directory of its own. */
    link: async (...args: string[]) => {
      const environment = { ...(site as Record<string, string>), REDIS_URL: redis.url }
      const command = runProcess(testDirectory(), ['link', ...args, '--json'], environment)
      const { stdout, stderr } = await resultOf(command)
      expect(stderr).toBe('')
      return JSON.parse(stdout) as { readonly id: string }
    },
    start: async () => watch(await start()),
    key,
    isRestored: () =>
      waitFor(async () => expect(await redisCommand(redis, 'EXISTS', key)).toBe(1), 100),
    isServing: async (path: string, status: number) => {
      for (const { statusOf } of processes) {
        await waitFor(async () => expect(await statusOf(path)).toBe(status), 100)
      }
    },
    /** Returns the statuses of all requests for the private feed. */
    statuses: async () => {
      const sets = await Promise.all(loads.map((stop) => stop()))
      return new Set<number>(sets.flatMap((each) => [...each]))
    },
  }
}

describe.skipIf(redisIsMissing).for(Object.keys(modes) as Mode[])('with %s', options, (mode) => {
  test('a private feed remains private while Redis loses data', async () => {
    const site = await startPrivateSite(mode)
    const { redis, key, isRestored, isServing } = site
    const empty = () => redisCommand(redis, 'FLUSHALL')
    const losses: (() => Promise<unknown>)[] = [
      empty,
      () => redisCommand(redis, 'DEL', key),
      async () => {
        await redis.kill()
        await redis.start()
      },
    ]
    // A process that starts meanwhile knows nothing.
    if (mode !== 'one process') losses.push(() => Promise.all([empty(), site.start()]))
    for (const lose of losses) {
      await lose()
      await isRestored()
      await isServing('/news.rss', 200)
    }
    const seen = await site.statuses()
    // While a site moves to another host, requests may have to wait longer than they can.
    if (mode === 'hosts') seen.delete(503)
    expect(seen).toEqual(new Set([403]))
  })

  test('a private feed remains private if everything restarts meanwhile', async () => {
    const { redis, processes, isRestored, statuses } = await startPrivateSite(mode)
    // The processes have recorded by now that there are settings.
    await isRestored()
    await redis.kill()
    for (const { killWorker } of processes) killWorker()
    await redis.start()
    const logs = () => processes.map(({ log }) => log()).join('')
    await waitFor(() => expect(logs()).toContain('the stored settings are lost'), 100)
    const seen = await statuses()
    seen.delete(403)
    seen.delete(503)
    expect(seen).toEqual(new Set())
  })
})

test.skipIf(redisIsMissing)(
  'a private feed remains private if Redis is emptied and the only host that remembers it is killed',
  options,
  async () => {
    const { redis, processes } = await startPrivateSite('hosts', { isWatched: false })
    const owners = await Promise.all(processes.map(({ ownsSite }) => ownsSite()))
    const owner = processes[owners.indexOf(true)]
    const other = processes[owners.indexOf(false)]
    owner?.kill()
    await redisCommand(redis, 'FLUSHALL')
    const seen = new Set<number>()
    await waitFor(async () => {
      seen.add((await other?.statusOf('/events.ics')) ?? 0)
      expect(other?.log()).toContain('the stored settings are lost')
    }, 100)
    await waitFor(async () => expect(await other?.statusOf('/events.ics')).toBe(403), 100)
    expect(seen).not.toContain(200)
  },
)

test.skipIf(redisIsMissing)(
  'a private feed remains private on a host that has not served the site if Redis comes back with an older snapshot',
  options,
  async () => {
    const site = await startPrivateSite('hosts', { isWatched: false })
    const { redis, processes, host, key, publish, isServing } = site
    await publish('news', 'events')
    await isServing('/events.ics', 200)
    await redisCommand(redis, 'SAVE')
    await publish('news')
    await isServing('/events.ics', 403)
    const owners = await Promise.all(processes.map(({ ownsSite }) => ownsSite()))
    const owner = processes[owners.indexOf(true)]
    const other = processes[owners.indexOf(false)]
    const mark = String(await redisCommand(redis, 'HGET', key, ':kept'))
    await waitFor(() => expect(other?.recordOf(host)).toContain(mark), 100)
    for (const each of processes) each.kill()
    await redis.kill()
    await redis.start()
    expect(await redisCommand(redis, 'HGET', key, ':kept')).not.toBe(mark)
    await other?.restart()
    const seen = new Set<number>()
    await waitFor(async () => {
      seen.add((await other?.statusOf('/events.ics')) ?? 0)
      expect(seen).toContain(403)
    }, 100)
    expect(seen).not.toContain(200)
    expect(other?.log()).toContain('the stored settings are lost')
    expect(await other?.statusOf('/news.rss')).toBe(403)
    await publish('news')
    await waitFor(async () => expect(await other?.statusOf('/news.rss')).toBe(200), 100)
    other?.kill()
    await owner?.restart()
    await waitFor(async () => expect(await owner?.statusOf('/news.rss')).toBe(200), 100)
    expect(owner?.log()).not.toContain('the stored settings are lost')
  },
)

test.skipIf(redisIsMissing)(
  'a link stays revoked if Redis is emptied as soon as the command has ended',
  options,
  async () => {
    const site = await startPrivateSite('one process', { isWatched: false })
    const { redis, place, host, link } = site
    const [crew, hall] = [
      await link('add', '--label', 'Crew'),
      await link('add', '--label', 'Hall'),
    ]
    for (const { id } of [crew, hall]) {
      await link('revoke', id)
      await redisCommand(redis, 'FLUSHALL')
      const key = `feedhouse:${host}:documents:links`
      await waitFor(async () => expect(await redisCommand(redis, 'EXISTS', key)).toBe(1), 100)
    }
    await using store = await openStore(place)
    const revoked = (await storedLinks(store.documents)).filter(({ revokedAt }) => revokedAt)
    expect(revoked.map(({ id }) => id).toSorted()).toEqual([crew.id, hall.id].toSorted())
  },
)

test.skipIf(redisIsMissing)(
  'a feed stays private if Redis is emptied and the replica that made it private is killed at once',
  options,
  async () => {
    const site = await startPrivateSite('replicas', { isWatched: false })
    const { redis, processes, isRestored } = site
    const [first] = processes
    const session = await first?.admin().signIn()
    const page = (await session?.see('/admin/settings')) ?? ''
    const empty = { name: '', place: '', color: '', language: '', logo: '', places: '', fresh: '' }
    const chosen = { ...empty, feeds: 'some', feed: 'documents', revision: revisionIn(page) }
    expect((await session?.submit('/admin/settings', chosen))?.status).toBe(303)
    first?.kill()
    await redisCommand(redis, 'FLUSHALL')
    await isRestored()
    await using store = await openStore(site.place)
    const stored = await store.documents.get(settings.bucket, settings.id)
    expect(JSON.parse(stored?.value ?? '')).toMatchObject({ publicFeeds: ['documents'] })
  },
)
