import { describe, expect, onTestFinished, test } from 'vitest'
import { connectToRedis } from '../../../src/store/redis/redis-connection.ts'
import { redisStoreOver } from '../../../src/store/redis/redis-store.ts'
import { StoreError } from '../../../src/store/store-error.ts'
import { startRedisCluster } from '../../support/redis-cluster.ts'
import { startRedisWithSentinel } from '../../support/redis-sentinel.ts'
import { redisIsMissing } from '../../support/redis.ts'
import { waitFor, waitUntil } from '../../support/wait-for.ts'

async function clusterWithReplica() {
  const cluster = await startRedisCluster({ withReplica: true })
  onTestFinished(() => cluster[Symbol.asyncDispose]())
  // This name's hash slot is on the first server.
  return { url: cluster.url, primary: cluster.servers[0], name: 'one.example' }
}

async function sentinel() {
  const started = await startRedisWithSentinel()
  onTestFinished(() => started[Symbol.asyncDispose]())
  return { url: started.url, primary: started.primary, name: 'one.example' }
}

// In a cluster, the subscription may be on a server that still works.
const kinds = [
  ['Redis Cluster', clusterWithReplica, 0],
  ['Redis Sentinel', sentinel, 1],
] as const

describe.skipIf(redisIsMissing).for(kinds)('%s', ([, start, leastMissed]) => {
  const faults = [
    ['is killed', 'kill'],
    ['hangs', 'pause'],
  ] as const

  test.for(faults)('works again after a primary %s', async ([, fault]) => {
    const { url, primary, name } = await start()
    const connection = await connectToRedis({ url, timeouts: { commandMs: 1_000 } })
    onTestFinished(() => connection[Symbol.asyncDispose]())
    const store = await redisStoreOver(connection, name, Date.now)
    const received: string[] = []
    let missed = 0
    const subscription = await connection.subscribe(
      'news',
      (message) => received.push(message),
      () => (missed += 1),
    )
    onTestFinished(() => subscription.close())
    const write = (value: string) => store.documents.write([{ bucket: 'notes', id: 'a', value }])
    await write('before')
    await connection.publish('news', 'before')
    await waitFor(() => expect(received).toEqual(['before']))

    await primary?.[fault]()
    const failure = await write('lost').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StoreError)
    expect(failure).toMatchObject({ kind: 'unreachable' })
    await waitFor(() => write('after'))
    expect((await store.documents.get('notes', 'a'))?.value).toBe('after')
    await waitFor(async () => {
      await connection.publish('news', 'after')
      expect(received).toContain('after')
    })
    expect(missed).toBeGreaterThanOrEqual(leastMissed)
    await waitUntil(() => subscription.isReady())
    primary?.resume()
    await waitFor(() => write('later'))
  })
})
