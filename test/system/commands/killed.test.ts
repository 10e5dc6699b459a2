import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import type { Status } from '../../../src/collections/status/status.ts'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { readyService, runProcess } from '../../support/command-line.ts'
import { emptyRedisDatabase, redisIsMissing } from '../../support/redis.ts'
import { settingsFor } from '../../support/sandbox.ts'
import { testDirectory } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'

/**
 * Starts a website that uses the real clock and counts its calls, and returns it with settings for
 * reading it.
 */
async function siteOf() {
  const website = { calls: 0 }
  const sandbox = await createSandbox({
    datasetOn(today) {
      website.calls += 1
      return sampleDatasetOn(today)
    },
  })
  onTestFinished(() => sandbox[Symbol.asyncDispose]())
  const settings = { ...settingsFor(sandbox), PUBLIC_FEEDS: 'events,news,calendar' }
  return { website, directory: testDirectory(), settings }
}

const statusOf = async (url: string): Promise<Status> =>
  (await (await fetch(`${url}/status`)).json()) as Status

const isReady = async (url: string) => {
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
}

test.for([
  { name: 'SQLite', isRedis: false },
  { name: 'Redis', isRedis: true },
])('continues without an API call after being killed: $name', async ({ isRedis }, { skip }) => {
  if (isRedis && redisIsMissing) skip('no redis-server is installed')
  const { website, directory, settings } = await siteOf()
  const store = isRedis ? { REDIS_URL: await emptyRedisDatabase() } : {}
  const environment = { ...settings, ...store }
  const first = runProcess(directory, ['serve'], environment)
  const { url } = await readyService(first)
  await waitFor(() => isReady(url))
  const before = await (await fetch(`${url}/events.ics`)).text()
  const { collections } = await statusOf(url)
  first.kill('SIGKILL')
  await once(first, 'close')
  const calls = website.calls
  const { url: second } = await readyService(runProcess(directory, ['serve'], environment))
  await isReady(second)
  expect(await (await fetch(`${second}/events.ics`)).text()).toBe(before.replaceAll(url, second))
  const after = await statusOf(second)
  expect(after.collections.map(({ fetchedAt }) => fetchedAt)).toEqual(
    collections.map(({ fetchedAt }) => fetchedAt),
  )
  expect(after.budget.day.used).toBe(4)
  expect(website.calls).toBe(calls)
})
