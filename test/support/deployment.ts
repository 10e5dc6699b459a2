import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { createCollections, type Collections } from '../../src/collections/collections.ts'
import { createLogger } from '../../src/log.ts'
import { feedResources } from '../../src/records/resources.ts'
import { createSandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts'
import { createSiteClient } from '../../src/site-client.ts'
import { beatMs, createReplicas } from '../../src/store/replicas.ts'
import type { Store } from '../../src/store/store.ts'
import { createConnection, type Answer, type Call } from '../../src/upstream/connection.ts'
import { createFakeClock, oneTurn } from './fake-clock.ts'

export const minuteMs = 60_000
export const dayMs = 24 * 60 * minuteMs
export const freshMs = 5 * minuteMs

type SentCall = { readonly at: number; readonly call: Call; readonly answer: Answer | undefined }

/**
 * Replicas of Feedhouse without their HTTP side, on a fake clock, and the sandbox they read over real
 * HTTPS. `fault` stands between them: it may answer or throw instead of the sandbox.
 */
export async function startDeployment(options: {
  readonly openStore: (now: () => number) => Promise<Store>
  readonly sandbox?: SandboxOptions
}) {
  const work = { underWay: 0, sent: [] as SentCall[], fault: undefined as Fault | undefined }
  const clock = createFakeClock('2026-03-05T15:00:00Z', async () => {
    for (let quietTurns = 0; quietTurns < 2; quietTurns += 1) {
      await oneTurn()
      if (work.underWay > 0) quietTurns = -1
    }
  })
  const resources = new AsyncDisposableStack()
  onTestFinished(() => resources.disposeAsync())
  const sandbox = resources.use(await createSandbox({ now: clock.now, ...options.sandbox }))
  const caPem = readFileSync(sandbox.caFile, 'utf8')
  const refreshToken = sandbox.projects[0]?.refreshToken ?? ''
  const { url, timeZone } = sandbox
  const site = { url, name: 'Cedar Hollow', timeZone, caPem, refreshToken, links: {} }

  async function counted<T>(doing: () => Promise<T>): Promise<T> {
    work.underWay += 1
    try {
      return await doing()
    } finally {
      work.underWay -= 1
    }
  }

  const direct = resources.use(createConnection({ siteUrl: url, caPem, now: clock.now }))
  const connection = {
    request: (call: Call) =>
      counted(async () => {
        const at = clock.now()
        const sent = (answer?: Answer) => work.sent.push({ at, call, answer })
        try {
          const answer = (await work.fault?.(call)) ?? (await direct.request(call))
          sent(answer)
          return answer
        } catch (error) {
          sent()
          throw error
        }
      }),
  }

  const lines: string[] = []
  async function startReplica() {
    const stopping = new AbortController()
    const { signal } = stopping
    const opened = await options.openStore(clock.now)
    const store = countedStore(opened, counted)
    const id = randomUUID()
    const { now } = clock
    const replicas = createReplicas(store.documents, { id, now })
    const log = createLogger('info', { write: (line) => lines.push(line) })
    const client = createSiteClient({
      ...{ site, connection, store, clock, log, signal, random: Math.random },
      replica: { id, count: replicas.count },
      callsPerMinute: 30,
      callsPerDay: 5000,
    })
    const collections = createCollections({
      ...{ store, clock, log, signal, random: Math.random, freshMs, callsPerDay: 5000 },
      dataService: client.dataService,
      resources: () => feedResources,
      feedsOf: (resource) => ({ ids: [resource], areNamed: true }),
      siteTimeZone: timeZone,
      window: { pastDays: 400, futureDays: 550 },
      holder: id,
      usedToday: async () => (await client.budget()).day.used,
    })
    const beating = (async () => {
      while (!signal.aborted) {
        await replicas.beat()
        await clock.sleep(beatMs, signal).catch(() => undefined)
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

export type Fault = (call: Call) => Promise<Answer | undefined>

type Counted = <T>(doing: () => Promise<T>) => Promise<T>

function countedStore(store: Store, counted: Counted): Store {
  const part = <P extends object>(methods: P): P =>
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        (...args: readonly unknown[]) => counted(() => method(...args)),
      ]),
    ) as P
  return {
    ...store,
    documents: part(store.documents),
    windows: part(store.windows),
    leases: part(store.leases),
  }
}

const stepMs = 5_000
const pollMs = 15 * minuteMs

/**
 * Lets time pass while subscribers poll every 15 minutes, evenly spread, all six resources times
 * `feedsOfEach`, each at one of the replicas in turn. Returns the greatest age that any of them was served.
 */
export async function passWithSubscribers(
  clock: { readonly now: () => number; readonly advance: (ms: number) => Promise<void> },
  replicas: () => readonly { readonly collections: Collections }[],
  options: {
    readonly forMs: number
    readonly subscribers: number
    readonly feedsOfEach?: number
    /** Called with the time passed before each step. */
    readonly meanwhile?: (passedMs: number) => Promise<void> | void
  },
): Promise<{ readonly oldestMs: number; readonly unserved: number }> {
  const { forMs, subscribers, feedsOfEach = 1, meanwhile } = options
  const start = clock.now()
  let oldestMs = 0
  let unserved = 0

  function poll(subscriber: number): void {
    const serving = replicas()
    const collections = serving[subscriber % serving.length]?.collections
    for (const resource of feedResources) {
      for (let feed = 0; feed < feedsOfEach; feed += 1) {
        const copy = collections?.copyOf(resource)
        if (copy) {
          void collections?.read(resource)
          oldestMs = Math.max(oldestMs, clock.now() - copy.fetchedAt)
        } else unserved += 1
      }
    }
  }

  for (let passed = 0; passed < forMs; passed += stepMs) {
    await meanwhile?.(passed)
    const before = Math.floor((passed * subscribers) / pollMs)
    const after = Math.floor(((passed + stepMs) * subscribers) / pollMs)
    for (let subscriber = before; subscriber < after; subscriber += 1) poll(subscriber)
    await clock.advance(start + passed + stepMs - clock.now())
  }
  return { oldestMs, unserved }
}

/** The most calls in any stretch of time that long. */
export function busiest(calls: readonly { readonly at: number }[], windowMs: number): number {
  let first = 0
  return calls.reduce((most, { at }, index) => {
    while ((calls[first]?.at ?? at) <= at - windowMs) first += 1
    return Math.max(most, index - first + 1)
  }, 0)
}
