import { expect, test } from 'vitest'
import { allResources } from '../../support/collections.ts'
import {
  freshMs,
  hourMs,
  minuteMs,
  simulationTimeoutMs,
  startDeployment,
} from '../../support/deployment.ts'
import { busiestMinute, callsOf, necessaryCalls } from '../../support/economy.ts'
import { startRedis } from '../../support/redis-server.ts'
import { redisIsMissing } from '../../support/redis.ts'
import { openRedisStore } from '../../support/stores.ts'
import { passWithSubscribers } from '../../support/subscribers.ts'
import { advanceUntil, waitFor } from '../../support/wait-for.ts'

const siteName = 'cedarhollow.example'

test.skipIf(redisIsMissing)(
  'three replicas stay within their shares without Redis, and agree again when Redis comes back empty',
  async () => {
    await using redis = await startRedis()
    const { url } = redis
    const openStore = (now: () => number) => openRedisStore({ url, name: siteName, now })
    const deployment = await startDeployment({ openStore })
    const { clock, work, lines, startReplica } = deployment
    const replicas = [await startReplica(), await startReplica(), await startReplica()]
    await clock.advance(hourMs)
    await redis.kill()
    const sentBefore = work.sent.length
    const during = await passWithSubscribers(clock, () => replicas, {
      forMs: 6 * hourMs,
      subscribers: 100,
    })
    expect(during.unserved).toBe(0)
    const sent = work.sent.slice(sentBefore)
    // Each replica reads independently, but within its share of the remaining daily calls.
    expect(sent.length).toBeGreaterThan(necessaryCalls(deployment, 0, 6 * hourMs).pages)
    expect(work.sent.length).toBeLessThanOrEqual(5000 * 0.95)
    expect(busiestMinute(work.sent)).toBeLessThanOrEqual(24)
    expect(callsOf(deployment)).toMatchObject({ tokens: 1, failed: 0 })
    for (const { collections } of replicas) {
      expect(collections.storeFailure()?.message).toMatch(/^Redis at .* cannot be reached/)
    }
    expect(lines.filter((line) => line.includes('the store cannot be used')).length).toBeLessThan(
      3 * 12,
    )
    await redis.start()
    await waitFor(async () => {
      await clock.advance(freshMs + minuteMs)
      for (const { collections } of replicas) {
        expect(collections.storeFailure()).toBeUndefined()
      }
    })
    await clock.advance(2 * freshMs)
    // A copy that one replica has just read reaches the others at their next ticks.
    const readAt = clock.now()
    await advanceUntil(clock, () => {
      for (const name of allResources) {
        const copies = replicas.map(({ collections }) => collections.copyOf(name))
        expect(new Set(copies.map((copy) => copy?.fetchedAt)).size).toBe(1)
      }
    })
    expect(clock.now() - readAt).toBeLessThanOrEqual(minuteMs)
    const fourth = await startReplica()
    for (const name of allResources) {
      const [copy] = replicas.map(({ collections }) => collections.copyOf(name))
      expect(fourth.collections.copyOf(name)).toEqual(copy)
    }
    const { day } = await fourth.client.budget()
    expect(day.used).toBeGreaterThanOrEqual(sent.length)
    for (const replica of [...replicas, fourth]) await replica.stop()
  },
  simulationTimeoutMs,
)
