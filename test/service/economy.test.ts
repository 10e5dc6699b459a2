import { expect, test } from 'vitest'
import { dayMs, minuteMs, simulationTimeoutMs, startDeployment } from '../support/deployment.ts'
import { expectEconomy, storeInFile } from '../support/economy.ts'
import { passWithSubscribers } from '../support/subscribers.ts'

test(
  'makes only the necessary API calls in a day with 10,000 subscribers to six feeds and hourly restarts',
  async () => {
    const deployment = await startDeployment({ openStore: storeInFile() })
    const { clock, startReplica } = deployment
    let replica = await startReplica()
    await clock.advance(minuteMs)
    const served = await passWithSubscribers(clock, () => [replica], {
      forMs: dayMs,
      subscribers: 10_000,
      async meanwhile(passedMs) {
        if (passedMs === 0 || passedMs % (61 * minuteMs) !== 0) return
        await replica.stop()
        replica = await startReplica()
      },
    })
    expectEconomy(deployment, replica, served)
    expect(deployment.lines.filter((line) => line.includes('could not read the website'))).toEqual(
      [],
    )
    await replica.stop()
  },
  simulationTimeoutMs,
)
