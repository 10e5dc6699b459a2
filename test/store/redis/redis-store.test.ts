import { randomUUID } from 'node:crypto'
import { createClient } from 'redis'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createStores } from '../../../src/store/open-store.ts'
import { schemaVersion } from '../../../src/store/redis/site-connection.ts'
import { freePort } from '../../support/free-port.ts'
import { redisCommand } from '../../support/redis-cluster.ts'
import { startRedis } from '../../support/redis-server.ts'
import { markAsUsed, redisIsMissing } from '../../support/redis.ts'
import { testDirectory } from '../../support/service.ts'
import { asStream, collected } from '../../support/stored-items.ts'
import { openRedisStore } from '../../support/stores.ts'
import { waitFor, waitUntil } from '../../support/wait-for.ts'

const note = { bucket: 'notes', id: 'a', value: 'x' }

async function redisOf() {
  const redis = await startRedis()
  onTestFinished(() => redis[Symbol.asyncDispose]())
  const open = async (changes: Partial<Parameters<typeof openRedisStore>[0]> = {}) => {
    const common = { url: redis.url, name: 'example.org', now: Date.now }
    const store = await openRedisStore({ ...common, ...changes })
    onTestFinished(() => store[Symbol.asyncDispose]())
    return store
  }
  return { redis, open }
}

describe.skipIf(redisIsMissing)('Redis', () => {
  test('fails immediately while Redis is down, and works again when it is back', async () => {
    const { redis, open } = await redisOf()
    const store = await open()
    await redis.kill()
    await expect(store.documents.write([note])).rejects.toMatchObject({
      name: 'StoreError',
      kind: 'unreachable',
    })
    await expect(store.leases.take('a', 'b', 1000)).rejects.toMatchObject({ name: 'StoreError' })
    await redis.start()
    await waitFor(() => store.documents.write([note]))
    expect((await store.documents.get('notes', 'a'))?.value).toBe('x')
  })

  test('times out while Redis hangs', async () => {
    const { redis, open } = await redisOf()
    // On a busy machine, even a command to a running server can take that long.
    const store = await waitFor(() => open({ timeouts: { commandMs: 100 } }))
    redis.pause()
    await expect(store.documents.get('notes', 'a')).rejects.toMatchObject({ kind: 'unreachable' })
    redis.resume()
    await waitFor(() => store.documents.write([note]))
  })

  test('does not wait for Redis again after it has not responded, until it responds again', async () => {
    const { redis, open } = await redisOf()
    const commandMs = 2_000
    const store = await waitFor(() => open({ timeouts: { commandMs } }))
    const count = () => store.windows.add('counted', new Map([[randomUUID(), Date.now()]]))
    await count()
    redis.pause()
    const failure = () => count().catch((error: unknown) => error)
    const unreachable = { name: 'StoreError', kind: 'unreachable' }
    // The server has received this command, and executes it later.
    expect(await failure()).toMatchObject(unreachable)
    const startedAt = performance.now()
    for (let attempts = 0; attempts < 10; attempts += 1) {
      expect(await failure()).toMatchObject(unreachable)
    }
    expect(performance.now() - startedAt).toBeLessThan(commandMs)
    redis.resume()
    await waitFor(count)
    expect(await store.windows.count('counted', 60_000)).toBe(3)
  })

  test('deletes a counting window a day after it was last used, or restored', async () => {
    const { open, redis } = await redisOf()
    const store = await open()
    const [dayMs, minuteMs] = [24 * 60 * 60_000, 60_000]
    const prefix = 'feedhouse:example.org:window'
    await store.windows.take('client', [{ windowMs: minuteMs, max: 10 }])
    await store.replace(asStream([{ window: 'restored', id: 'a', at: Date.now() }]), {
      emptyBucket: undefined,
    })
    for (const name of ['client', 'restored']) {
      const leftMs = Number(await redisCommand(redis, 'PTTL', `${prefix}:${name}`))
      expect(leftMs).toBeLessThanOrEqual(dayMs)
      expect(leftMs).toBeGreaterThan(dayMs - minuteMs)
    }
  })

  test('does not change data from a newer version, even if the version changes while the store is open', async () => {
    const { open, redis } = await redisOf()
    const store = await open()
    await store.documents.write([note])
    await redisCommand(redis, 'SET', 'feedhouse:example.org:schema', '2')
    const newer = {
      name: 'StoreError',
      kind: 'unusable',
      message: expect.stringMatching(
        /^The data in Redis at .* was written by a newer version of Feedhouse/,
      ),
    }
    await expect(store.documents.write([{ ...note, value: 'y' }])).rejects.toMatchObject(newer)
    await expect(store.replace(asStream([]), { emptyBucket: 'none' })).rejects.toMatchObject(newer)
    expect((await store.documents.get('notes', 'a'))?.value).toBe('x')
    await expect(open()).rejects.toMatchObject(newer)
    expect(await (await open({ name: 'other.example' })).documents.write([note])).toBe(true)
  })

  test('reads and continues data that was stored before there was a schema version', async () => {
    const { open, redis } = await redisOf()
    const client = await createClient({ url: redis.url }).connect()
    await client.hSet('feedhouse:example.org:documents:notes', 'a', '3::x: y')
    await client.zAdd('feedhouse:example.org:window:calls', { score: Date.now(), value: 'one' })
    const store = await open()
    expect(await store.documents.get('notes', 'a')).toEqual({ value: 'x: y', revision: 3 })
    expect(await store.windows.count('calls', 60_000)).toBe(1)
    await store.documents.write([note])
    expect(await store.documents.get('notes', 'a')).toEqual({ value: 'x', revision: 4 })
    expect(await client.get('feedhouse:example.org:schema')).toBe(schemaVersion)
    client.destroy()
  })

  test('leaves no temporary keys after a snapshot or replacement', async () => {
    const { open, redis } = await redisOf()
    const store = await open({ name: '[::1]:8443' })
    await store.documents.write([note])
    const items = [
      { ...note, revision: 1 },
      { window: 'calls', id: 'a', at: Date.now() },
    ]
    for await (const _ of store.snapshot()) break
    await store.replace(asStream(items), { emptyBucket: undefined })
    await store.replace(asStream(items), { emptyBucket: 'none' })
    expect(await collected(store.snapshot())).toEqual(items)
    const client = createClient({ url: redis.url })
    await client.connect()
    const keys = ['schema', 'documents:notes', 'window:calls'].map(
      (name) => `feedhouse:[::1]:8443:${name}`,
    )
    expect((await client.keys('*')).toSorted()).toEqual(keys.toSorted())
    const areTemporary = await Promise.all(keys.map(async (key) => (await client.ttl(key)) > 0))
    expect(areTemporary).toEqual([false, false, true])
    client.destroy()
  })

  test('reports a snapshot whose temporary data Redis has evicted', async () => {
    const { redis, open } = await redisOf()
    const store = await open()
    await store.documents.write(['a', 'b'].map((id) => ({ ...note, id })))
    const client = await createClient({ url: redis.url }).connect()
    async function readWhileEvicting(): Promise<void> {
      for await (const _item of store.snapshot()) {
        await client.unlink(await client.keys('feedhouse:example.org:snapshot:*'))
      }
    }
    await expect(readWhileEvicting()).rejects.toThrow('lost temporary data')
    await client.close()
  })

  test('reports that Redis is full, and can still read', async () => {
    const { open, redis } = await redisOf()
    const store = await open()
    await store.documents.write([note])
    await redisCommand(redis, 'CONFIG', 'SET', 'maxmemory', '1')
    await expect(store.documents.write([note])).rejects.toMatchObject({ kind: 'full' })
    expect((await store.documents.get('notes', 'a'))?.value).toBe('x')
  })

  test('reports a rejected password', async () => {
    const { open, redis } = await redisOf()
    await redisCommand(redis, 'CONFIG', 'SET', 'requirepass', 'right')
    const url = redis.url.replace('//', '//:wrong-555-0199@')
    const error: unknown = await open({ url }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'StoreError', kind: 'unusable' })
    expect(String(error)).toContain('REDIS_URL')
    expect(String(error)).not.toContain('wrong-555-0199')
    expect(
      await (await open({ url: redis.url.replace('//', '//:right@') })).documents.write([note]),
    ).toBe(true)
  })

  test('serves several sites over one connection, and closes it along with the last store', async () => {
    const { redis, open } = await redisOf()
    await markAsUsed(redis.url)
    await open()
    const connections = async () => {
      const client = await createClient({ url: redis.url }).connect()
      const others = (await client.clientList()).length - 1
      client.destroy()
      return others
    }
    const before = await connections()
    const stores = createStores({ directory: testDirectory(), redisUrl: redis.url, now: Date.now })
    const one = await stores.open({ siteUrl: 'https://one.example' })
    const two = await stores.open({ siteUrl: 'https://two.example' })
    await one.documents.write([note])
    await one.leases.take('reading', 'a', 60_000)
    expect(await two.documents.get('notes', 'a')).toBeUndefined()
    expect(await two.leases.take('reading', 'b', 60_000)).toBe(true)
    expect(await connections()).toBe(before + 1)
    await one[Symbol.asyncDispose]()
    expect(await two.documents.write([note])).toBe(true)
    await stores[Symbol.asyncDispose]()
    await waitUntil(async () => (await connections()) === before)
  })

  test('retries a failed connection that several sites share', async () => {
    const { redis } = await redisOf()
    await redisCommand(redis, 'CONFIG', 'SET', 'requirepass', 'right')
    await using stores = createStores({
      directory: testDirectory(),
      redisUrl: redis.url,
      now: Date.now,
    })
    await expect(stores.open({ siteUrl: 'https://one.example' })).rejects.toMatchObject({
      kind: 'unusable',
    })
    await redis.kill()
    await redis.start()
    await markAsUsed(redis.url)
    const store = await stores.open({ siteUrl: 'https://one.example' })
    expect(await store.documents.write([note])).toBe(true)
  })
})

test('reports at startup that Redis cannot be reached', async () => {
  const opening = openRedisStore({
    url: `redis://127.0.0.1:${await freePort()}`,
    name: 'example.org',
    now: Date.now,
    timeouts: { firstConnectionMs: 300 },
  })
  await expect(opening).rejects.toMatchObject({
    name: 'StoreError',
    kind: 'unreachable',
    message: expect.stringMatching(
      /^Redis at 127.0.0.1:\d+ \(REDIS_URL\) cannot be reached: .*ECONNREFUSED/,
    ),
  })
})
