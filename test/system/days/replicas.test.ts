import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allResources } from '../../support/collections.ts'
import { openRedisStore } from '../../support/stores.ts'
import {
  dayMs,
  freshMs,
  hourMs,
  minuteMs,
  simulationTimeoutMs,
  startDeployment,
} from '../../support/deployment.ts'
import { busiestMinute, callsOf, expectEconomy, necessaryCalls } from '../../support/economy.ts'
import { startRedis, type RedisServer } from '../../support/redis-server.ts'
import { redisIsMissing } from '../../support/redis.ts'
import { passWithSubscribers } from '../../support/subscribers.ts'
import { waitFor } from '../../support/wait-for.ts'

describe.skipIf(redisIsMissing)('three replicas that share a Redis server', () => {
  let redis: RedisServer

  beforeAll(async () => {
    redis = await startRedis()
  })

  afterAll(async () => {
    await redis[Symbol.asyncDispose]()
  })

  function storeInRedis() {
    const name = `${randomUUID()}.example`
    return (now: () => number) => openRedisStore({ url: redis.url, name, now })
  }

  test(
    'use no more calls than a single replica, and serve the same bytes to 10,000 subscribers for a day',
    async () => {
      const deployment = await startDeployment({ openStore: storeInRedis() })
      const { clock, startReplica } = deployment
      const replicas = [await startReplica(), await startReplica(), await startReplica()]
      await clock.advance(minuteMs)
      const served = await passWithSubscribers(clock, () => replicas, {
        forMs: dayMs,
        subscribers: 10_000,
        async meanwhile(passedMs) {
          if (passedMs === 0 || passedMs % (4 * hourMs) !== 0) return
          const next = replicas.shift()
          await next?.stop()
          replicas.push(await startReplica())
        },
      })
      for (const replica of replicas) expectEconomy(deployment, replica, served)
      await clock.advance(minuteMs)
      for (const name of allResources) {
        const versions = replicas.map(({ collections }) => collections.copyOf(name)?.version)
        expect(new Set(versions).size).toBe(1)
      }
      for (const replica of replicas) await replica.stop()
    },
    simulationTimeoutMs,
  )

  test(
    'stay within their shares without Redis, and agree again when Redis comes back empty',
    async () => {
      const deployment = await startDeployment({ openStore: storeInRedis() })
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
      for (const name of allResources) {
        const copies = replicas.map(({ collections }) => collections.copyOf(name))
        expect(new Set(copies.map((copy) => copy?.fetchedAt)).size).toBe(1)
      }
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
})
