import { join } from 'node:path'
import { expect } from 'vitest'
import { upcoming } from '../../src/collections/copy/sign-up-details.ts'
import { siteDateAt } from '../../src/records/site-time.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { dayMs, freshMs, minuteMs, type Deployment } from './deployment.ts'
import { busiest } from './fake-clock.ts'
import { testDirectory } from './service.ts'
import type { passWithSubscribers } from './subscribers.ts'

/** Creates a SQLite file for one test, which can be reopened to simulate a restart. */
export function storeInFile() {
  const file = join(testDirectory(), 'store.sqlite')
  return async (now: () => number) => openSqliteStore(file, now)
}

/** Counts the calls for collection pages, for sign-up sheet details, and for tokens. */
export function callsOf({ work }: Deployment) {
  const tokens = work.sent.filter(({ call }) => call.method === 'POST')
  const details = work.sent.filter(({ call }) => call.path.includes('?ID='))
  return {
    tokens: tokens.length,
    details: details.length,
    pages: work.sent.length - tokens.length - details.length,
    failed: work.sent.filter(({ answer }) => answer?.status !== 200).length,
  }
}

/**
 * Returns the number of calls needed to keep every collection and detail as fresh as configured.
 */
export function necessaryCalls(deployment: Deployment, sheets: number, forMs: number) {
  const rounds = forMs / freshMs
  const pages = new Set(deployment.work.sent.map(({ call }) => call.path.split('?')[0])).size - 1
  return { pages: pages * rounds, details: sheets * rounds }
}

/** Checks the number of calls that any number of replicas with subscribers make in a day. */
export function expectEconomy(
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
  // One call for the first token, and one to renew it early.
  expect(calls.tokens).toBe(2)
  expect(calls.pages).toBeLessThanOrEqual(necessary.pages * 1.05)
  expect(calls.pages + calls.details).toBeLessThanOrEqual(
    (necessary.pages + necessary.details) * 1.05,
  )
  const { sent } = deployment.work
  expect(sent.length).toBeLessThan(5000 * 0.95)
  expect(busiestMinute(sent)).toBeLessThanOrEqual(24)
}

/** Returns the maximum number of calls in any minute. */
export function busiestMinute(calls: Deployment['work']['sent']): number {
  const times = calls.map(({ at }) => at)
  return busiest(times, minuteMs)
}
