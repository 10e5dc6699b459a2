import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import type { Status } from '../../../src/collections/status/status.ts'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { killWithTest, main, outputUntil, runProcess } from '../../support/command-line.ts'
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

/** Waits until a running service is ready, and resolves to its URL. */
async function urlOf(service: Parameters<typeof outputUntil>[0]): Promise<string> {
  const output = await outputUntil(service, /Stop with/)
  return /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? ''
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
  const url = await urlOf(first)
  await waitFor(() => isReady(url))
  const before = await (await fetch(`${url}/events.ics`)).text()
  const { collections } = await statusOf(url)
  first.kill('SIGKILL')
  await once(first, 'close')
  const calls = website.calls
  const second = await urlOf(runProcess(directory, ['serve'], environment))
  await isReady(second)
  expect(await (await fetch(`${second}/events.ics`)).text()).toBe(before.replaceAll(url, second))
  const after = await statusOf(second)
  expect(after.collections.map(({ fetchedAt }) => fetchedAt)).toEqual(
    collections.map(({ fetchedAt }) => fetchedAt),
  )
  expect(after.budget.day.used).toBe(4)
  expect(website.calls).toBe(calls)
})

test('serves feeds from memory when the disk is full, and reports the problem', async () => {
  const { directory, settings } = await siteOf()
  // Maximum size of files that the process can write, in KiB. Larger writes fail as they would on a
  // full disk.
  const limited = 'ulimit -f 200; trap "" XFSZ; exec "$0" "$@"'
  const service = spawn('bash', ['-c', limited, process.execPath, main, 'serve'], {
    cwd: directory,
    env: { PORT: '0', PATH: process.env['PATH'], ...settings },
  })
  killWithTest(service)
  const lines: string[] = []
  service.stderr.on('data', (chunk) => lines.push(String(chunk)))
  const url = await urlOf(service)
  await waitFor(() => isReady(url))
  expect((await fetch(`${url}/calendar.ics`)).status).toBe(200)
  const status = await statusOf(url)
  expect(status.store.ok).toBe(false)
  expect(status.sentences.join(' ')).toContain('The store is currently unavailable')
  expect(lines.join('')).toContain('the store cannot be used')
})
