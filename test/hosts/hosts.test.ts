import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openHosts, type HostMessage } from '../../src/hosts/hosts.ts'
import { hostMs } from '../../src/hosts/live-hosts.ts'
import { createLogger } from '../../src/log.ts'
import { createFakeClock, oneTurn } from '../support/fake-clock.ts'
import { redisCommand } from '../support/redis-cluster.ts'
import { startRedis } from '../support/redis-server.ts'
import { emptyRedisDatabase, redisIsMissing } from '../support/redis.ts'
import { waitFor } from '../support/wait-for.ts'

const [a, b, c] = ['http://10.0.0.1', 'http://10.0.0.2', 'http://10.0.0.3'] as const
const announceMs = hostMs / 4

function hostAt(url: string, redisUrl: string) {
  // Otherwise, the clock would run faster than Redis responds.
  const settled = () => oneTurn().then(() => hosts.settled())
  const clock = createFakeClock(undefined, settled)
  const lines: string[] = []
  const messages: HostMessage[] = []
  const missed: (string | undefined)[] = []
  const idAtUrl = undefined as string | undefined
  const state = { changes: 0, announcements: 0, suspendedMs: 0, idAtUrl }
  const hosts = openHosts({
    redisUrl,
    url,
    idAtUrl: async () => state.idAtUrl ?? hosts.id,
    clock,
    elapsed: () => clock.now() + state.suspendedMs,
    log: createLogger('info', { write: (line) => lines.push(line) }),
    announced: () => (state.announcements += 1),
    changed: () => (state.changes += 1),
    received: (message) => messages.push(message),
    missed: (host) => missed.push(host),
  })
  onTestFinished(() => hosts[Symbol.asyncDispose]())
  return { hosts, clock, lines, messages, missed, state }
}

type Host = ReturnType<typeof hostAt>

/** Lets a host announce itself, and waits until its message comes back. */
async function announce({ clock, hosts }: Host): Promise<void> {
  await clock.advance(announceMs)
  await waitFor(() => expect(hosts.isFollowing()).toBe(true))
}

/** Lets hosts announce themselves until all of them know these members. */
function agree(hosts: readonly Host[], members: readonly string[]): Promise<void> {
  return waitFor(async () => {
    for (const host of hosts) await announce(host)
    for (const { hosts: each } of hosts) expect(each.members()).toEqual(members)
  })
}

async function joined(urls: readonly string[], redisUrl: string): Promise<readonly Host[]> {
  const hosts = urls.map((url) => hostAt(url, redisUrl))
  await Promise.all(hosts.map(({ hosts: each }) => each.join()))
  await agree(hosts, urls)
  return hosts
}

async function redisServer() {
  const redis = await startRedis()
  onTestFinished(() => redis[Symbol.asyncDispose]())
  return redis
}

/**
 * Forwards connections to a Redis server, like a router that can be made to drop message
 * connections silently.
 */
async function routerTo(redis: { readonly port: number }) {
  const subscribers: Socket[] = []
  const router = createServer((client) => {
    const server = connect(redis.port, '127.0.0.1')
    for (const socket of [client, server]) socket.on('error', () => undefined)
    client.on('data', (data) => {
      if (/subscribe/i.test(String(data))) subscribers.push(server)
    })
    client.pipe(server).pipe(client)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void router.close())
  await once(router, 'listening')
  return {
    url: `redis://127.0.0.1:${(router.address() as AddressInfo).port}`,
    /** Returns the number of connections for messages that have been opened since the last call. */
    forget: () => subscribers.splice(0).map((socket) => socket.unpipe().resume()).length,
    subscribers: () => subscribers.length,
  }
}

describe.skipIf(redisIsMissing)('hosts', () => {
  test('learn of hosts that join and leave, and agree on a key', async () => {
    const redisUrl = await emptyRedisDatabase()
    const [first, second] = (await joined([a, b], redisUrl)) as [Host, Host]
    const third = hostAt(c, redisUrl)
    await waitFor(() => expect(third.hosts.members()).toEqual([a, b]))
    await third.hosts.join()
    await agree([first, second, third], [a, b, c])
    expect(first.hosts.keys()).toEqual([expect.stringMatching(/^[\w-]{43}$/)])
    expect(third.hosts.keys()).toEqual(first.hosts.keys())
    await first.hosts.leave()
    await waitFor(() => expect(second.hosts.members()).toEqual([b, c]))
    expect(first.hosts.members()).toEqual([b, c])
  })

  test('drop a host that has not announced itself for eight seconds', async () => {
    const redis = await redisServer()
    const [first, second] = (await joined([a, b], redis.url)) as [Host, Host]
    await second.hosts[Symbol.asyncDispose]()
    await redisCommand(redis, 'HSET', 'feedhouse:{_hosts}:hosts', b, '0:gone')
    await first.clock.advance(hostMs - announceMs)
    expect(first.hosts.members()).toEqual([a, b])
    await agree([first], [a])
  })

  test('ignore messages that no host sends', async () => {
    const redis = await redisServer()
    const [first, second] = (await joined([a, b], redis.url)) as [Host, Host]
    const channels = String(await redisCommand(redis, 'PUBSUB', 'CHANNELS'))
    const channel = /feedhouse:\{_hosts\}:\w+/.exec(channels)?.[0] ?? ''
    for (const text of ['{', 'null', '["x"]']) await redisCommand(redis, 'PUBLISH', channel, text)
    first.hosts.send('expire', 'site')
    await waitFor(() => expect(second.messages).toMatchObject([{ from: a, name: 'expire' }]))
  })

  test('ignore invalid URLs', async () => {
    const redis = await redisServer()
    for (const url of ['nonsense', 'redis://10.0.0.9', 'a:b', 'http:///', 'http://[']) {
      await redisCommand(redis, 'HSET', 'feedhouse:{_hosts}:hosts', url, `${Date.now()}:other`)
    }
    expect((await joined([a], redis.url))[0]?.hosts.members()).toEqual([a])
  })

  test('send messages to all other hosts, but not to hosts with another key', async () => {
    const [first, second] = (await joined([a, b], await emptyRedisDatabase())) as [Host, Host]
    const [other] = (await joined([c], await emptyRedisDatabase())) as [Host]
    first.hosts.send('remove', 'ashton', ['link'])
    await first.hosts.sent()
    const message = { from: a, name: 'remove', values: ['ashton', ['link']] }
    await waitFor(() => expect(second.messages).toEqual([message]))
    expect([first.messages, other.messages]).toEqual([[], []])
  })

  test('stay as they were while Redis is down, and know that messages and the key were lost', async () => {
    const redis = await redisServer()
    const [first, second] = (await joined([a, b], redis.url)) as [Host, Host]
    await waitFor(() => expect(second.hosts.isFollowing()).toBe(true))
    const { changes } = second.state
    const keys = second.hosts.keys()
    expect(second.state.announcements).toBeGreaterThan(1)
    await redis.kill()
    await waitFor(() => expect(second.hosts.isFollowing()).toBe(false))
    await waitFor(() => expect(second.missed).toContain(undefined))
    first.hosts.send('remove', 'ashton')
    await first.hosts.sent()
    const { announcements } = second.state
    await second.clock.advance(10 * hostMs)
    expect(second.state.announcements).toBe(announcements)
    expect(second.hosts.members()).toEqual([a, b])
    await redis.start()
    // Each host has two connections again, and the command has its own.
    await waitFor(async () => {
      const clients = String(await redisCommand(redis, 'CLIENT', 'LIST'))
      expect(clients.trim().split('\n')).toHaveLength(5)
    })
    await waitFor(async () => {
      // A host does not receive messages sent before it has resubscribed.
      for (const host of [second, first]) await announce(host)
      expect(second.missed).toContain(a)
    })
    expect(second.hosts.keys()).toEqual([expect.not.stringMatching(keys.join()), ...keys])
    expect([second.hosts.members(), second.state.changes]).toEqual([[a, b], changes + 1])
    expect(second.hosts.keys()).toEqual(first.hosts.keys())
    const hosts = { msg: 'the hosts have changed', hosts: [a, b] }
    const store = [{ msg: 'the store cannot be used' }, { msg: 'the store works again' }]
    const said = second.lines.map((line) => JSON.parse(line) as unknown)
    expect(said.slice(-3)).toMatchObject([hosts, ...store])
  })

  test('do not return after Redis was down if they had failed before, even if it lost its data', async () => {
    const redis = await redisServer()
    const urls = [a, b, c]
    const [first, second, third] = (await joined(urls, redis.url)) as [Host, Host, Host]
    await third.hosts[Symbol.asyncDispose]()
    await redisCommand(redis, 'HSET', 'feedhouse:{_hosts}:hosts', c, '0:gone')
    await agree([first, second], [a, b])
    first.lines.length = 0
    await redis.kill()
    await first.clock.advance(hostMs)
    await redis.start()
    await waitFor(async () => {
      await first.clock.advance(announceMs)
      expect(first.lines.join()).toContain('the store works again')
    })
    expect(first.hosts.members()).toEqual([a, b])
    expect(first.lines.join()).not.toContain('the hosts have changed')
  })

  test('switch to a new key if somebody deletes it, and accept the previous one for a while', async () => {
    const redis = await redisServer()
    const hosts = (await joined([a, b], redis.url)) as [Host, Host]
    const [first, second] = hosts
    const [old = ''] = first.hosts.keys()
    for (const { missed } of hosts) missed.length = 0
    await redisCommand(redis, 'DEL', 'feedhouse:{_hosts}:key')
    await announce(first)
    const [latest = ''] = first.hosts.keys()
    expect(latest).not.toBe(old)
    expect(first.hosts.keys()).toEqual([latest, old])
    expect(second.hosts.keys()).toEqual([old])
    await announce(second)
    expect(second.hosts.keys()).toEqual([latest, old])
    await agree(hosts, [a, b])
    // Messages between the two announcements have been lost.
    for (const { missed } of hosts) expect(missed).toContain(undefined)
    await waitFor(() => expect(first.missed).toContain(b))
    await second.clock.advance(2 * hostMs)
    await waitFor(async () => {
      await announce(second)
      expect(second.hosts.keys()).toEqual([latest])
    })
  })

  test('replace a connection for messages that is dead without an error', async () => {
    const redis = await redisServer()
    const router = await routerTo(redis)
    const [first, second] = [hostAt(a, router.url), hostAt(b, redis.url)]
    await Promise.all([first.hosts.join(), second.hosts.join()])
    await agree([first, second], [a, b])
    await waitFor(() => expect(first.hosts.isFollowing()).toBe(true))
    first.missed.length = 0
    expect(router.forget()).toBeGreaterThan(0)
    await waitFor(async () => {
      await first.clock.advance(announceMs)
      expect(router.subscribers()).toBe(1)
    })
    expect(first.missed).toContain(undefined)
    await waitFor(async () => {
      second.hosts.send('remove', 'ashton')
      await second.hosts.sent()
      expect(first.messages).not.toEqual([])
    })
    await announce(first)
  })

  test('join only once they respond at their own URL, and until then follow the host that does', async () => {
    const redisUrl = await emptyRedisDatabase()
    const [first] = (await joined([a], redisUrl)) as [Host]
    const twin = hostAt(a, redisUrl)
    twin.state.idAtUrl = first.hosts.id
    await twin.hosts.join()
    await agree([first, twin], [a])
    expect([first, twin].map(({ hosts }) => hosts.self())).toEqual([a, ''])
    first.hosts.send('remove', 'ashton')
    await waitFor(() => expect(twin.messages).toMatchObject([{ from: a, name: 'remove' }]))
    const said = twin.lines.map((line) => JSON.parse(line) as unknown)
    const msg = 'this host gets no sites until it can be reached at its ADVERTISE_URL'
    expect(said).toMatchObject([
      { url: a, reason: 'another server responds there', msg },
      { hosts: [a], msg: 'the hosts have changed' },
    ])
    await first.hosts.leave()
    twin.state.idAtUrl = undefined
    const { changes } = twin.state
    await waitFor(async () => {
      await announce(twin)
      // Between its own response and Redis's, it has joined, but is not a member yet.
      expect([twin.hosts.self(), twin.hosts.members()]).toEqual([a, [a]])
    })
    expect(twin.state.changes).toBeGreaterThan(changes)
  })

  test('report another host with the same URL', async () => {
    const redisUrl = await emptyRedisDatabase()
    const [first] = (await joined([a], redisUrl)) as [Host]
    const [twin] = (await joined([a], redisUrl)) as [Host]
    await waitFor(async () => {
      for (const host of [first, twin]) await announce(host)
      expect(first.lines.join()).toContain('another host has the same ADVERTISE_URL')
    })
  })

  test('stay as they were for a host that was suspended, apart from one that has left', async () => {
    const urls = [a, b, c]
    const [first, , third] = (await joined(urls, await emptyRedisDatabase())) as [Host, Host, Host]
    await waitFor(() => expect(first.hosts.isFollowing()).toBe(true))
    first.state.suspendedMs = 10 * hostMs
    await third.hosts.leave()
    await waitFor(() => expect(first.hosts.members()).not.toContain(c))
    expect(first.hosts.members()).toEqual([a, b])
  })
})
