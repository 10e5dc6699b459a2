import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { upcoming } from '../../../src/collections/copy/sign-up-details.ts'
import { rulesFor } from '../../../src/collections/copy/resource-rules.ts'
import { createCatalog } from '../../../src/feeds/catalog.ts'
import {
  endpointOf,
  resources as endpoints,
  type FeedResource,
} from '../../../src/records/resources.ts'
import { siteDateAt } from '../../../src/records/site-time.ts'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import { createConnection } from '../../../src/upstream/connection.ts'
import { databaseFrom, gearSetting } from '../../support/database-settings.ts'
import {
  dayMs,
  freshMs,
  minuteMs,
  simulationTimeoutMs,
  startDeployment,
} from '../../support/deployment.ts'
import { busiestMinute, callsOf, storeInFile } from '../../support/economy.ts'
import { fewWithAllSheetsOn, type TestWebsite } from '../../support/sandbox-without-sockets.ts'

const databases = [gearSetting, 'hydrants=1 title:Hydrant {number}'].map(databaseFrom)
const resources = createCatalog(databases).keptResources

const stepMs = 5_000
const pollMs = 15 * minuteMs

async function openSandboxOverHttps(now: () => number): Promise<TestWebsite> {
  const stack = new AsyncDisposableStack()
  const sandbox = stack.use(await createSandbox({ now, datasetOn: fewWithAllSheetsOn }))
  const caPem = readFileSync(sandbox.caFile, 'utf8')
  const { request } = stack.use(createConnection({ siteUrl: sandbox.url, caPem, now }))
  return {
    url: sandbox.url,
    timeZone: sandbox.timeZone,
    refreshToken: sandbox.projects[0]?.refreshToken ?? '',
    request,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const intervalMsOf = (resource: FeedResource) => freshMs * (rulesFor(resource).intervalFactor ?? 1)

test(
  'keeps every endpoint fresh for a day with less than 80% of the calls',
  async () => {
    expect(new Set(resources.map(endpointOf))).toEqual(new Set(endpoints))
    const deployment = await startDeployment({
      openStore: storeInFile(),
      openWebsite: openSandboxOverHttps,
      resources,
    })
    const { clock, work, sandbox } = deployment
    const { collections, stop } = await deployment.startReplica()
    await clock.advance(minuteMs)
    const late = new Map<FeedResource, number>()
    for (let passed = 0; passed < dayMs; passed += stepMs) {
      for (const resource of resources) {
        if (passed % pollMs === 0) void collections.read(resource)
        const lateMs = clock.now() - (collections.copyOf(resource)?.fetchedAt ?? 0)
        late.set(resource, Math.max(late.get(resource) ?? 0, lateMs - intervalMsOf(resource)))
      }
      await clock.advance(stepMs)
    }
    const today = siteDateAt(clock.now(), sandbox.timeZone)
    const sheets = upcoming(collections.copyOf('signup')?.records ?? [], today)
    await stop()

    const pages = resources.reduce((sum, resource) => sum + dayMs / intervalMsOf(resource), 0)
    const details = Math.min((sheets.length * dayMs) / freshMs, 5000 * 0.25)
    const calls = callsOf(deployment)
    expect(calls.failed).toBe(0)
    expect(calls.details).toBeGreaterThan(0)
    expect(work.sent.length).toBeLessThan(5000 * 0.8)
    expect(work.sent.length / (pages + details + calls.tokens)).toBeLessThanOrEqual(1.02)
    expect(busiestMinute(work.sent)).toBeLessThanOrEqual(24)
    // Details take calls only after the lists that are due.
    expect([...late].filter(([, lateMs]) => lateMs > minuteMs)).toEqual([])
  },
  simulationTimeoutMs,
)
