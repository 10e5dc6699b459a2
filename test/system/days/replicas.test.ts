import { expect, test } from 'vitest'
import { allResources } from '../../support/collections.ts'
import {
  dayMs,
  hourMs,
  minuteMs,
  simulationTimeoutMs,
  startDeployment,
} from '../../support/deployment.ts'
import { expectEconomy } from '../../support/economy.ts'
import { emptyRedisDatabase, redisIsMissing } from '../../support/redis.ts'
import { openRedisStore } from '../../support/stores.ts'
import { passWithSubscribers } from '../../support/subscribers.ts'

const siteName = 'cedarhollow.example'

test.skipIf(redisIsMissing)(
  'three replicas that share a Redis server use no more calls than a single replica, and serve the same bytes to 10,000 subscribers for a day',
  async () => {
    const url = await emptyRedisDatabase()
    const openStore = (now: () => number) => openRedisStore({ url, name: siteName, now })
    const deployment = await startDeployment({ openStore })
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
