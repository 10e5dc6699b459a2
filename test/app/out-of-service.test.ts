import { join } from 'node:path'
import { expect, test } from 'vitest'
import { returnToService, takeOutOfService } from '../../src/app/out-of-service.ts'
import { createReplicas } from '../../src/store/replicas.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { fewRecords } from '../support/few-records.ts'
import { startTestService, testDirectory, type TestService } from '../support/service.ts'
import { advanceUntil, waitFor } from '../support/wait-for.ts'

const { signal } = new AbortController()

async function servedSite() {
  const file = join(testDirectory(), 'store.sqlite')
  const service = await startTestService({ sandbox: fewRecords, storeFileIn: () => file })
  const store = openSqliteStore(file, service.clock.now)
  await service.get('/events.ics')
  return {
    ...service,
    documents: store.documents,
    /** Takes the site out of service, while its clock runs. */
    async takeOut() {
      let isOut: boolean | undefined
      void takeOutOfService(store.documents, service.clock, signal).then((is) => (isOut = is))
      await waitFor(async () => {
        await service.clock.advance(250)
        expect(isOut).toBeDefined()
      })
      return isOut
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

const servesAgain =
  ({ get }: Pick<TestService, 'get'>, path = '/events.ics') =>
  async () =>
    expect((await get(path)).status).toBe(200)

test('a site that is out of service responds with 503 until it returns', async () => {
  await using site = await servedSite()
  expect(await site.takeOut()).toBe(true)
  const { status, headers, text } = await site.get('/events.ics')
  expect([status, headers.get('retry-after'), text]).toEqual([
    503,
    '5',
    'A backup of this site is being restored. Please try again shortly.\n',
  ])
  expect(site.lines.filter((line) => line.includes('out of service'))).toHaveLength(1)
  await returnToService(site.documents)
  await advanceUntil(site.clock, servesAgain(site), 1_000)
})

test('a site whose restore was killed returns to service after a minute', async () => {
  await using site = await servedSite()
  expect(await site.takeOut()).toBe(true)
  const takenOutAt = site.clock.now()
  await site.clock.advance(50_000)
  expect((await site.get('/events.ics')).status).toBe(503)
  await advanceUntil(site.clock, servesAgain(site), 1_000)
  const tookMs = site.clock.now() - takenOutAt
  expect(tookMs).toBeGreaterThan(58_000)
  expect(tookMs).toBeLessThan(65_000)
})

test('keeps the stored settings', async () => {
  await using site = await servedSite()
  const value = JSON.stringify({ publicFeeds: ['news'] })
  await site.documents.write([{ bucket: 'settings', id: 'site', value }])
  await site.takeOut()
  await returnToService(site.documents)
  await advanceUntil(site.clock, servesAgain(site, '/news.rss'), 1_000)
  expect((await site.get('/events.ics')).status).toBe(403)
})

test('gives up on a replica that keeps running', async () => {
  const clock = createFakeClock()
  await using store = openSqliteStore(join(testDirectory(), 'store.sqlite'), clock.now)
  const { heartbeat } = createReplicas(store.documents, { id: 'one', now: clock.now })
  await heartbeat()
  let isOut: boolean | undefined
  void takeOutOfService(store.documents, clock, signal).then((is) => (isOut = is))
  await waitFor(async () => {
    await heartbeat()
    await clock.advance(1_000)
    expect(isOut).toBe(false)
  })
})
