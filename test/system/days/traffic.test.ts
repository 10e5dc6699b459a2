import { expect, test } from 'vitest'
import { freshMs, hourMs, simulationTimeoutMs, startDeployment } from '../../support/deployment.ts'
import { storeInFile } from '../../support/economy.ts'
import { passWithSubscribers } from '../../support/subscribers.ts'

test(
  'makes the same number of API calls with ten times as many feeds and a hundred times as many subscribers',
  async () => {
    const counts: number[] = []
    for (const { subscribers, feedsOfEach } of [
      { subscribers: 100, feedsOfEach: 1 },
      { subscribers: 10_000, feedsOfEach: 10 },
    ]) {
      const deployment = await startDeployment({ openStore: storeInFile() })
      const replica = await deployment.startReplica()
      const forMs = 6 * hourMs
      await passWithSubscribers(deployment.clock, () => [replica], {
        forMs,
        subscribers,
        feedsOfEach,
      })
      counts.push(deployment.work.sent.length)
      await replica.stop()
    }
    const [few = 0, many = Infinity] = counts
    expect(few).toBeGreaterThan(6 * ((6 * hourMs) / freshMs))
    expect(many).toBeLessThanOrEqual(few * 1.02)
  },
  simulationTimeoutMs,
)
