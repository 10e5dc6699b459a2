import { expect, test } from 'vitest'
import { connectToRedis } from '../../../src/store/redis/redis-connection.ts'
import { redisStoreOver } from '../../../src/store/redis/redis-store.ts'
import { StoreError } from '../../../src/store/store-error.ts'
import { startRedisCluster } from '../../support/redis-cluster.ts'
import { startRedisWithSentinel } from '../../support/redis-sentinel.ts'
import { redisIsMissing } from '../../support/redis.ts'
import { waitFor, waitUntil } from '../../support/wait-for.ts'

/** Site whose hash slot is on the first server of a cluster. */
const name = 'one.example'

async function startClusterWithReplica() {
  const cluster = await startRedisCluster({ withReplica: true })
  return { ...cluster, primary: cluster.servers[0] }
}

const kinds = [
  // The subscription may be on a server that still works.
  { kind: 'Redis Cluster', start: startClusterWithReplica, leastMissed: 0 },
  { kind: 'Redis Sentinel', start: startRedisWithSentinel, leastMissed: 1 },
]
const faults = [
  { what: 'is killed', fault: 'kill' },
  { what: 'hangs', fault: 'pause' },
] as const

test
  .skipIf(redisIsMissing)
  .for(kinds.flatMap((kind) => faults.map((fault) => ({ ...kind, ...fault }))))(
  '$kind works again after a primary $what',
  { concurrent: true },
  async ({ start, leastMissed, fault }) => {
    await using started = await start()
    const { url, primary } = started
    await using connection = await connectToRedis({ url, timeouts: { commandMs: 3_000 } })
    const store = await redisStoreOver(connection, name, Date.now)
    const received: string[] = []
    let missed = 0
    const subscription = await connection.subscribe(
      'news',
      (message) => received.push(message),
      () => (missed += 1),
    )
    const write = (value: string) => store.documents.write([{ bucket: 'notes', id: 'a', value }])
    await write('before')
    await connection.publish('news', 'before')
    await waitFor(() => expect(received).toEqual(['before']))

    await primary[fault]()
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
    primary.resume()
    await waitFor(() => write('later'))
    subscription.close()
  },
)
