import { expect, test } from 'vitest'
import { allResources } from '../../support/collections.ts'
import { UpstreamError } from '../../../src/upstream/upstream-error.ts'
import {
  dayMs,
  hourMs,
  minuteMs,
  simulationTimeoutMs,
  startDeployment,
  type Fault,
} from '../../support/deployment.ts'
import { busiestMinute, storeInFile } from '../../support/economy.ts'
import { passWithSubscribers } from '../../support/subscribers.ts'

type Outage = { readonly name: string; readonly freshAfterMs: number; readonly fault: Fault }

const outages: readonly Outage[] = [
  {
    name: 'the website is unreachable',
    freshAfterMs: 2 * minuteMs,
    fault: () => Promise.reject(new UpstreamError('unreachable', 'the site cannot be reached')),
  },
  {
    name: 'a proxy responds with a 502 page',
    freshAfterMs: 2 * minuteMs,
    fault: () => Promise.resolve({ status: 502, body: undefined, retryAfterMs: undefined }),
  },
  {
    // By then the access token has expired, and at most three token requests may fail within ten
    // minutes.
    name: 'all requests fail, including token requests',
    freshAfterMs: 5 * minuteMs,
    fault: async () => ({
      status: 500,
      body: { status: 500, error: 'Internal Server Error', code: 'server_error', message: '' },
      retryAfterMs: undefined,
    }),
  },
]

test.for(outages)(
  'loses no data in a day-long outage, and recovers quickly: $name',
  { timeout: simulationTimeoutMs },
  async ({ fault, freshAfterMs }) => {
    const deployment = await startDeployment({ openStore: storeInFile() })
    const { clock, work, startReplica } = deployment
    const replica = await startReplica()
    await clock.advance(hourMs)
    const before = new Map(allResources.map((name) => [name, replica.collections.copyOf(name)]))
    work.fault = fault
    const sentBefore = work.sent.length
    const during = await passWithSubscribers(clock, () => [replica], {
      forMs: dayMs,
      subscribers: 100,
    })
    expect(during.unserved).toBe(0)
    for (const name of allResources) {
      expect(replica.collections.copyOf(name)).toBe(before.get(name))
    }
    expect(work.sent.length - sentBefore).toBeLessThan(24 * 60 * 1.1)
    work.fault = undefined
    const recoveredAt = clock.now()
    await clock.advance(freshAfterMs)
    for (const { resource, kept, failure } of replica.collections.states()) {
      expect([resource, recoveredAt - (kept?.collection.fetchedAt ?? 0) <= 0]).toEqual([
        resource,
        true,
      ])
      expect(failure).toBeUndefined()
    }
    expect(busiestMinute(work.sent)).toBeLessThanOrEqual(24)
    await replica.stop()
  },
)
