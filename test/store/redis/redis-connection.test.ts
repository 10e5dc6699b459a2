import { connect, createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectToRedis } from '../../../src/store/redis/redis-connection.ts'
import { redisStoreOver } from '../../../src/store/redis/redis-store.ts'
import { redisCommand, startRedisCluster } from '../../support/redis-cluster.ts'
import { listenLocally } from '../../support/local-server.ts'
import { startRedis } from '../../support/redis-server.ts'
import { startRedisWithSentinel, startSentinel } from '../../support/redis-sentinel.ts'
import { redisIsMissing } from '../../support/redis.ts'
import { startedOnce } from '../../support/started-once.ts'
import { waitFor } from '../../support/wait-for.ts'

async function connectedTo(url: string) {
  const connection = await connectToRedis({ url })
  onTestFinished(() => connection[Symbol.asyncDispose]())
  return connection
}

const refusal = (url: string) => connectToRedis({ url }).catch((error: unknown) => error)

const sitesOf = (keys: unknown) =>
  new Set((keys as readonly string[]).map((key) => /\{(.*)\}/.exec(key)?.[1]))

describe.skipIf(redisIsMissing)('Redis Cluster', () => {
  const cluster = startedOnce(() => startRedisCluster())

  test('keeps all keys of a site on one server, and finds the sites on all servers', async () => {
    const { url, servers } = await cluster()
    const connection = await connectedTo(url)
    const names = Array.from({ length: 12 }, (_, index) => `site-${index}.example`)
    const stores = await Promise.all(
      names.map((name) => redisStoreOver(connection, name, Date.now)),
    )
    const ids = ['a', 'b', 'c']
    for (const store of stores) {
      await store.documents.write(ids.map((bucket) => ({ bucket, id: 'x', value: 'y' })))
    }
    expect(await stores[0]?.otherHosts('a')).toEqual(names.slice(1).toSorted())
    const found = await Promise.all(servers.map((server) => redisCommand(server, 'KEYS', '*')))
    const counts = found.map((keys) => sitesOf(keys).size)
    expect(counts.every((count) => count > 0)).toBe(true)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(names.length)
  })

  test('is found if a server in the URL no longer exists', async () => {
    const { url } = await cluster()
    const connection = await connectedTo(url.replace('//', '//127.0.0.1:1,'))
    expect(await connection.evaluate('return 1', [], [])).toBe(1)
  })

  test('follows a hash slot to another server', async () => {
    const { url, servers } = await cluster()
    const connection = await connectedTo(url)
    const store = await redisStoreOver(connection, 'one.example', Date.now)
    const slot = ['CLUSTER', 'SETSLOT', '1561', 'NODE'] as const
    const to = servers[2]
    const id = String(await redisCommand(to, 'CLUSTER', 'MYID'))
    for (const server of servers.toReversed()) await redisCommand(server, ...slot, id)
    await waitFor(() => store.documents.write([{ bucket: 'notes', id: 'a', value: 'x' }]))
    expect(await redisCommand(to, 'EXISTS', connection.keyOf('one.example', 'schema'))).toBe(1)
  })

  test('waits only once for a server that does not respond, and still uses the others', async () => {
    await using own = await startRedisCluster()
    const { url, servers } = own
    const setting = ['CONFIG', 'SET', 'cluster-require-full-coverage', 'no'] as const
    for (const server of servers) await redisCommand(server, ...setting)
    const commandMs = 2_000
    await using connection = await connectToRedis({ url, timeouts: { commandMs } })
    // Their hash slots are on the first and the second server.
    const hanging = await redisStoreOver(connection, 'one.example', Date.now)
    const other = await redisStoreOver(connection, 'two.example', Date.now)
    servers[0].pause()
    const failure = () => hanging.documents.get('notes', 'a').catch((error: unknown) => error)
    expect(await failure()).toMatchObject({ name: 'StoreError', kind: 'unreachable' })
    const startedAt = performance.now()
    for (let attempts = 0; attempts < 10; attempts += 1) {
      expect(await failure()).toMatchObject({ name: 'StoreError', kind: 'unreachable' })
      expect(await other.documents.get('notes', 'a')).toBeUndefined()
    }
    expect(performance.now() - startedAt).toBeLessThan(commandMs)
    servers[0].resume()
    await waitFor(() => hanging.documents.write([{ bucket: 'notes', id: 'a', value: 'x' }]))
  })
})

/** Passes everything on to a server, until it gets a command that makes it silent. */
function silentAfter(command: string, port: number) {
  const proxy = createServer((socket) => {
    const server = connect(port, '127.0.0.1')
    let isSilent = false
    socket.on('data', (bytes) => {
      isSilent ||= bytes.includes(command)
      if (!isSilent) server.write(bytes)
    })
    server.pipe(socket)
    socket.on('error', () => undefined).on('close', () => server.destroy())
    server.on('error', () => undefined)
  })
  return listenLocally(proxy)
}

test.skipIf(redisIsMissing)('asks the next Sentinel if a primary becomes silent', async () => {
  await using redis = await startRedis()
  await using first = await startSentinel(await silentAfter('ROLE', redis.port))
  await using second = await startSentinel(redis.port)
  const url = `redis-sentinel://127.0.0.1:${first.port},127.0.0.1:${second.port}/ashton`
  await using connection = await connectToRedis({ url, timeouts: { connectMs: 1_000 } })
  expect(await connection.evaluate('return 1', [], [])).toBe(1)
})

describe.skipIf(redisIsMissing)('a rejected password', () => {
  const sentinel = startedOnce(startRedisWithSentinel)
  const cluster = startedOnce(() => startRedisCluster())

  test.for([
    ['Redis Cluster', cluster],
    ['Redis Sentinel', sentinel],
  ] as const)('is reported, but not shown, for %s', async ([, start]) => {
    const { url } = await start()
    const error = await refusal(url.replace('//', '//feed:wrong-555-0199@'))
    expect(error).toMatchObject({ name: 'StoreError', kind: 'unusable' })
    expect(String(error)).toContain('rejects the login')
    expect(String(error)).not.toContain('wrong-555-0199')
  })

  test('of Sentinel itself is reported too', async () => {
    const { url } = await sentinel()
    const error = await refusal(`${url}?sentinel-user=feed&sentinel-password=wrong-555-0199`)
    expect(error).toMatchObject({ name: 'StoreError', kind: 'unusable' })
    expect(String(error)).not.toContain('wrong-555-0199')
  })

  test('is not blamed if Sentinel does not know the name', async () => {
    const { url } = await sentinel()
    const timeouts = { firstConnectionMs: 1_000 }
    const wrong = connectToRedis({ url: url.replace('/ashton', '/other'), timeouts })
    await expect(wrong).rejects.toThrow(/Sentinel does not monitor other/)
  })
})
