import { describe, expect, onTestFinished, test } from 'vitest'
import type { Store, Write } from '../../../src/store/store.ts'
import { redisCommand } from '../../support/redis-cluster.ts'
import { startRedis } from '../../support/redis-server.ts'
import { redisIsMissing } from '../../support/redis.ts'
import { onSeveralRedisServers, openRedisStore, storesAt } from '../../support/stores.ts'
import { waitFor } from '../../support/wait-for.ts'
import { asStream, collected } from '../../support/stored-items.ts'

const settings = { bucket: 'settings', id: 'site' }
const closed: Write = { ...settings, value: '{"publicFeeds":[]}' }
const link = (id: string): Write => ({ bucket: 'links', id, value: `link ${id}` })
const settingsKey = 'feedhouse:example.org:documents:settings'

/** Starts a Redis server without persistence. Each store has its own memory, like a process. */
async function emptyRedis() {
  const redis = await startRedis()
  onTestFinished(() => redis[Symbol.asyncDispose]())
  const openProcess = async () => {
    const store = await openRedisStore({ url: redis.url, name: 'example.org', now: Date.now })
    onTestFinished(() => store[Symbol.asyncDispose]())
    await store.keep?.()
    return store
  }
  return { redis, openProcess, run: (...args: string[]) => redisCommand(redis, ...args) }
}

const valueOf = async ({ documents }: Store, { bucket, id } = settings) =>
  (await documents.get(bucket, id))?.value

describe.skipIf(redisIsMissing)('documents that Redis has lost', () => {
  test.for([
    ['after all keys are deleted', (run) => run('FLUSHALL')],
    ['after one key is evicted', (run) => run('DEL', settingsKey)],
  ] satisfies [string, (run: (...args: string[]) => Promise<unknown>) => Promise<unknown>][])(
    'are never read as missing %s, and keep their revisions',
    async ([, lose]) => {
      const { openProcess, run } = await emptyRedis()
      const store = await openProcess()
      await store.documents.write([closed])
      await store.documents.write([closed])
      await lose(run)
      expect(await store.documents.get('settings', 'site')).toEqual({
        value: closed.value,
        revision: 2,
      })
      expect(await run('EXISTS', settingsKey)).toBe(1)
      expect(await store.keep?.()).toEqual(['settings'])
      expect(await store.keep?.()).toEqual([])
    },
  )

  test('are written back after a restart without persistence', async () => {
    const { openProcess, redis } = await emptyRedis()
    const store = await openProcess()
    await store.documents.write([closed])
    await redis.kill()
    await expect(valueOf(store)).rejects.toMatchObject({ kind: 'unreachable' })
    await redis.start()
    await waitFor(async () => expect(await valueOf(store)).toBe(closed.value))
  })

  test('are written back by the process that checks first, with what others have written since', async () => {
    const { openProcess, run } = await emptyRedis()
    const [first, second] = [await openProcess(), await openProcess()]
    await first.documents.write([closed, link('a')])
    await second.keep?.()
    await first.documents.write([{ ...settings, value: 'later' }, link('b')])
    await first.documents.write([{ ...link('a'), value: undefined }])
    await run('FLUSHALL')
    // It does not know the latest changes.
    expect(await second.keep?.()).toEqual(['settings', 'links'])
    expect(await valueOf(second)).toBe(closed.value)
    await first.keep?.()
    await second.keep?.()
    for (const store of [first, second]) {
      expect(await valueOf(store)).toBe('later')
      expect([...(await store.documents.all('links')).keys()]).toEqual(['b'])
    }
  })

  test('win over what a process has stored that did not know them', async () => {
    const { openProcess, run } = await emptyRedis()
    const holder = await openProcess()
    await holder.documents.write([closed, link('a')])
    await run('FLUSHALL')
    const command = await openProcess()
    await command.documents.write([{ ...settings, value: '{}' }, link('b')])
    await holder.keep?.()
    await command.keep?.()
    await holder.keep?.()
    for (const store of [holder, command]) {
      expect(await valueOf(store)).toBe(closed.value)
      expect([...(await store.documents.all('links')).keys()].toSorted()).toEqual(['a', 'b'])
    }
  })

  test('are written back before a write, which sees their revisions', async () => {
    const { openProcess, run } = await emptyRedis()
    const store = await openProcess()
    await store.documents.write([closed, link('a')])
    await run('FLUSHALL')
    const changed = { ...settings, value: 'changed' }
    expect(await store.documents.write([changed], { ...settings, revision: 0 })).toBe(false)
    expect(await store.documents.write([changed], { ...settings, revision: 1 })).toBe(true)
    expect(await valueOf(store)).toBe('changed')
    expect([...(await store.documents.all('links')).keys()]).toEqual(['a'])
  })

  test('do not include deleted documents', async () => {
    const { openProcess, run } = await emptyRedis()
    const store = await openProcess()
    await store.documents.write([closed, link('a')])
    await store.documents.write([{ ...link('a'), value: undefined }])
    await run('FLUSHALL')
    expect(await valueOf(store, link('a'))).toBeUndefined()
    expect((await store.documents.all('links')).size).toBe(0)
    await store.documents.write([link('a')], { ...link('a'), revision: 0 })
    expect(await valueOf(store, link('a'))).toBe('link a')
  })

  test('include those of versions that stored no mark', async () => {
    const { openProcess, run } = await emptyRedis()
    await run('HSET', settingsKey, 'site', '3::private')
    const store = await openProcess()
    await run('FLUSHALL')
    expect(await store.documents.get('settings', 'site')).toEqual({ value: 'private', revision: 3 })
  })

  test('do not include those that a restored backup has replaced', async () => {
    const { openProcess } = await emptyRedis()
    const store = await openProcess()
    await store.documents.write([closed, link('a')])
    const command = await openProcess()
    const backup = await collected(command.snapshot())
    await store.documents.write([{ ...settings, value: 'later' }])
    const kept = backup.filter((item) => 'bucket' in item && item.bucket === 'settings')
    expect(await command.replace(asStream(kept), { emptyBucket: 'replicas' })).toBe(true)
    expect(await store.keep?.()).toEqual([])
    expect(await valueOf(store)).toBe(closed.value)
    expect((await store.documents.all('links')).size).toBe(0)
  })
})

onSeveralRedisServers((placeOf) => {
  test('documents that have been lost are written back', async () => {
    const { store, other } = await storesAt(placeOf(), 2)
    await store.keep?.()
    await store.documents.write([closed, link('a')])
    await other.keep?.()
    await other.documents.write([{ ...link('a'), value: undefined }, link('b')])
    await store.keep?.()
    expect([...(await store.documents.all('links')).keys()]).toEqual(['b'])
    expect(await valueOf(store)).toBe(closed.value)
  })
})
