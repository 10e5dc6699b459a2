import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { upcoming } from '../../src/collections/sign-up-details.ts'
import { feedResources } from '../../src/records/resources.ts'
import { siteDateAt } from '../../src/records/site-time.ts'
import { openRedisStore } from '../../src/store/redis-store.ts'
import { openSqliteStore } from '../../src/store/sqlite-store.ts'
import { UpstreamError } from '../../src/upstream/upstream-error.ts'
import {
  busiest,
  dayMs,
  freshMs,
  minuteMs,
  passWithSubscribers,
  startDeployment,
  type Fault,
} from '../support/deployment.ts'
import { startRedis, type RedisServer } from '../support/redis-server.ts'
import { redisIsMissing } from '../support/redis.ts'
import { temporaryDirectory } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

const hourMs = 60 * minuteMs
const simulationTimeoutMs = 180_000

function storeInFile() {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const file = join(directory.path, 'store.sqlite')
  return async (now: () => number) => openSqliteStore(file, now)
}

type Deployment = Awaited<ReturnType<typeof startDeployment>>

/** Calls by what they read: pages of collections, details of sign up sheets, tokens. */
function callsOf({ work }: Deployment) {
  const tokens = work.sent.filter(({ call }) => call.method === 'POST')
  const details = work.sent.filter(({ call }) => call.path.includes('?ID='))
  return {
    tokens: tokens.length,
    details: details.length,
    pages: work.sent.length - tokens.length - details.length,
    failed: work.sent.filter(({ answer }) => answer?.status !== 200).length,
  }
}

/** What a day takes with each collection and each detail as fresh as the settings say. */
function necessaryCalls(deployment: Deployment, sheets: number, forMs: number) {
  const rounds = forMs / freshMs
  const pages = new Set(deployment.work.sent.map(({ call }) => call.path.split('?')[0])).size - 1
  return { pages: pages * rounds, details: sheets * rounds }
}

/** What a day with subscribers has to show, however many replicas read. */
function expectEconomy(
  deployment: Deployment,
  { collections }: Awaited<ReturnType<Deployment['startReplica']>>,
  served: Awaited<ReturnType<typeof passWithSubscribers>>,
): void {
  const today = siteDateAt(deployment.clock.now(), deployment.sandbox.timeZone)
  const sheets = upcoming(collections.copyOf('signup')?.records ?? [], today)
  expect(sheets.length).toBeGreaterThan(2)
  expect(sheets.filter(({ groups }) => groups === undefined)).toEqual([])
  const calls = callsOf(deployment)
  const necessary = necessaryCalls(deployment, sheets.length, dayMs)
  expect(served.unserved).toBe(0)
  expect(served.oldestMs).toBeLessThan(freshMs + 2 * minuteMs)
  expect(calls.failed).toBe(0)
  // The first, and its renewal ahead of time.
  expect(calls.tokens).toBe(2)
  expect(calls.pages).toBeLessThanOrEqual(necessary.pages * 1.05)
  expect(calls.pages + calls.details).toBeLessThanOrEqual(
    (necessary.pages + necessary.details) * 1.05,
  )
  const { sent } = deployment.work
  expect(sent.length).toBeLessThan(5000 * 0.95)
  expect(busiest(sent, minuteMs)).toBeLessThanOrEqual(24)
}

test(
  'a day of 10,000 subscribers to six feeds, with a restart every hour, takes no more calls than needed',
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
    expect(deployment.lines.join('')).not.toContain('could not read the website')
    await replica.stop()
  },
  simulationTimeoutMs,
)

test(
  'ten times the feeds and a hundred times the subscribers take the same calls',
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
        ...{ forMs, subscribers, feedsOfEach },
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

type Outage = { readonly name: string; readonly freshAfterMs: number; readonly fault: Fault }

const outages: readonly Outage[] = [
  {
    name: 'nobody can reach it',
    freshAfterMs: 2 * minuteMs,
    fault: () => Promise.reject(new UpstreamError('unreachable', 'the site cannot be reached')),
  },
  {
    name: 'a proxy answers 502 with a page',
    freshAfterMs: 2 * minuteMs,
    fault: () => Promise.resolve({ status: 502, body: undefined, retryAfterMs: undefined }),
  },
  {
    // The access token has expired meanwhile, and three token requests in ten minutes may fail.
    name: 'it fails, also at token requests',
    freshAfterMs: 5 * minuteMs,
    fault: async () => ({
      status: 500,
      body: { status: 500, error: 'Internal Server Error', code: 'server_error', message: '' },
      retryAfterMs: undefined,
    }),
  },
]

test.for(outages)(
  'an outage of a day loses nothing, and soon after all is fresh: $name',
  { timeout: simulationTimeoutMs },
  async ({ fault, freshAfterMs }) => {
    const deployment = await startDeployment({ openStore: storeInFile() })
    const { clock, work, startReplica } = deployment
    const replica = await startReplica()
    await clock.advance(hourMs)
    const before = new Map(feedResources.map((name) => [name, replica.collections.copyOf(name)]))
    work.fault = fault
    const sentBefore = work.sent.length
    const during = await passWithSubscribers(clock, () => [replica], {
      forMs: dayMs,
      subscribers: 100,
    })
    expect(during.unserved).toBe(0)
    for (const name of feedResources) {
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
    expect(busiest(work.sent, minuteMs)).toBeLessThanOrEqual(24)
    await replica.stop()
  },
)

describe.skipIf(redisIsMissing)('three replicas on one Redis', () => {
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
    'take the calls of one, and serve the same, in a day of 10,000 subscribers',
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
      for (const name of feedResources) {
        const versions = replicas.map(({ collections }) => collections.copyOf(name)?.version)
        expect(new Set(versions).size).toBe(1)
      }
      for (const replica of replicas) await replica.stop()
    },
    simulationTimeoutMs,
  )

  test(
    'go on without it within their shares, lose nothing, and are one again when it is back, empty',
    async () => {
      const deployment = await startDeployment({ openStore: storeInRedis() })
      const { clock, work, lines, startReplica } = deployment
      const replicas = [await startReplica(), await startReplica(), await startReplica()]
      await clock.advance(hourMs)
      await redis.kill()
      const sentBefore = work.sent.length
      const during = await passWithSubscribers(clock, () => replicas, {
        ...{ forMs: 6 * hourMs, subscribers: 100 },
      })
      expect(during.unserved).toBe(0)
      const sent = work.sent.slice(sentBefore)
      // Each reads for itself, but no more than is left of the day together.
      expect(sent.length).toBeGreaterThan(necessaryCalls(deployment, 0, 6 * hourMs).pages)
      expect(work.sent.length).toBeLessThanOrEqual(5000 * 0.95)
      expect(busiest(work.sent, minuteMs)).toBeLessThanOrEqual(24)
      expect(callsOf(deployment)).toMatchObject({ tokens: 1, failed: 0 })
      for (const { collections } of replicas) {
        expect(collections.storeFailure()).toMatch(/^Redis at .* cannot be reached/)
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
      for (const name of feedResources) {
        const copies = replicas.map(({ collections }) => collections.copyOf(name))
        expect(new Set(copies.map((copy) => copy?.fetchedAt)).size).toBe(1)
      }
      const fourth = await startReplica()
      for (const name of feedResources) {
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
