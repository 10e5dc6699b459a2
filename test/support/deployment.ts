import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { createCollections } from '../../src/collections/collections.ts'
import { createLogger } from '../../src/log.ts'
import { allResources } from './collections.ts'
import type { FeedResource } from '../../src/records/resources.ts'
import { createUpstreamClient } from '../../src/app/upstream-client.ts'
import { heartbeatMs, createReplicas } from '../../src/store/replicas.ts'
import type { Store } from '../../src/store/store.ts'
import type { UpstreamResponse, Call } from '../../src/upstream/connection.ts'
import { createFakeClock } from './fake-clock.ts'
import { openSandboxWithoutSockets, type TestWebsite } from './sandbox-without-sockets.ts'
import { seededRandom } from './seeded-random.ts'
import { countedStore, createWorkCounter } from './work-counter.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
export const freshMs = 5 * minuteMs

/** Timeout that is long enough to simulate one day of a replica on a busy machine. */
export const simulationTimeoutMs = 3_000_000

export type Deployment = Awaited<ReturnType<typeof startDeployment>>

export type SentCall = {
  readonly at: number
  readonly call: Call
  readonly answer: UpstreamResponse | undefined
}

/**
 * Starts replicas of Feedhouse without HTTP on a fake clock, and a sandbox that they read without
 * using the network, by default. `fault` intercepts calls and may respond or throw in place of the sandbox.
 */
export async function startDeployment(options: {
  readonly openStore: (now: () => number) => Promise<Store>
  readonly openWebsite?: (now: () => number) => Promise<TestWebsite>
  readonly resources?: readonly FeedResource[]
}) {
  const { openWebsite = openSandboxWithoutSockets, resources = allResources } = options
  const work = { sent: [] as SentCall[], fault: undefined as Fault | undefined }
  const counter = createWorkCounter()
  const { counted } = counter
  const clock = createFakeClock('2026-03-05T15:00:00Z', counter.settled)
  const sandbox = await openWebsite(clock.now)
  onTestFinished(() => sandbox[Symbol.asyncDispose]())
  const { url, timeZone, refreshToken } = sandbox
  const site = { url, name: 'Cedar Hollow', timeZone, caPem: undefined, refreshToken, links: {} }

  const connection = {
    request: (call: Call) =>
      counted(async () => {
        const at = clock.now()
        const sent = (answer?: UpstreamResponse) => work.sent.push({ at, call, answer })
        try {
          const answer = (await work.fault?.(call)) ?? (await sandbox.request(call))
          sent(answer)
          return answer
        } catch (error) {
          sent()
          throw error
        }
      }),
  }

  const random = seededRandom()
  const lines: string[] = []
  async function startReplica() {
    const stopping = new AbortController()
    const { signal } = stopping
    const opened = await options.openStore(clock.now)
    const store = countedStore(opened, counter)
    const id = randomUUID()
    const { now } = clock
    const replicas = createReplicas(store.documents, { id, now })
    const log = createLogger('info', { write: (line) => lines.push(line) })
    const client = createUpstreamClient({
      site,
      connection,
      store,
      clock,
      log,
      signal,
      random,
      replica: { id, count: replicas.count },
      callsPerMinute: 30,
      callsPerDay: 5000,
    })
    const collections = createCollections({
      store,
      clock,
      log,
      signal,
      random,
      freshMs,
      callsPerDay: 5000,
      dataService: client.dataService,
      resources: () => resources,
      feedsOf: (resource) => ({ ids: [resource], areNamed: true }),
      siteTimeZone: timeZone,
      window: { pastDays: 400, futureDays: 550 },
      holder: id,
      usedToday: async () => (await client.budget()).day.used,
    })
    const beating = (async () => {
      while (!signal.aborted) {
        await replicas.heartbeat()
        await clock.sleep(heartbeatMs, signal).catch(() => undefined)
      }
    })()
    await collections.load()
    collections.start()
    const stop = async () => {
      stopping.abort()
      await Promise.all([collections[Symbol.asyncDispose](), beating])
      await opened[Symbol.asyncDispose]()
    }
    return { collections, client, stop }
  }

  return { clock, work, sandbox, lines, startReplica }
}

export type Fault = (call: Call) => Promise<UpstreamResponse | undefined>
