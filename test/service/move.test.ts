import { describe, expect, test } from 'vitest'
import type { Status } from '../../src/collections/status/status.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { outputUntil, resultOf, run } from '../support/command-line.ts'
import { emptyRedisDatabase, redisIsMissing } from '../support/redis.ts'
import { settingsFor } from '../support/sandbox.ts'
import { testDirectory } from '../support/service.ts'
import { waitUntil } from '../support/wait-for.ts'

describe.skipIf(redisIsMissing)('with Redis', () => {
  test('moves a running service from SQLite to Redis and back without visible changes', async () => {
    const website = { calls: 0 }
    await using sandbox = await createSandbox({
      datasetOn(today) {
        website.calls += 1
        return sampleDatasetOn(today)
      },
    })
    const directory = testDirectory()
    const environment = {
      ...settingsFor(sandbox),
      PUBLIC_URL: 'https://feeds.cedarhollow.example',
      PUBLIC_FEEDS: 'events,news,calendar',
    }
    const paths = ['events.ics', 'calendar.ics', 'news.atom']
    const start = async (changes: Record<string, string>) => {
      const service = run(directory, ['serve'], { ...environment, ...changes })
      const lines: string[] = []
      service.stderr.on('data', (chunk) => lines.push(String(chunk)))
      await outputUntil(service, /Stop with/)
      const url = await waitUntil(() => /"url":"(http:\/\/127[^"]+)"/.exec(lines.join(''))?.[1])
      await waitUntil(async () => (await fetch(`${url}/readyz`)).status === 200)
      const texts = await Promise.all(
        paths.map(async (path) => (await fetch(`${url}/${path}`)).text()),
      )
      const { budget } = (await (await fetch(`${url}/status`)).json()) as Status
      const stop = async () => {
        service.kill('SIGINT')
        await service.exited
      }
      return { url, texts, used: budget.day.used, stop }
    }
    const execute = async (args: readonly string[], changes: Record<string, string>) => {
      const result = await resultOf(run(directory, args, { ...environment, ...changes }))
      expect(result).toMatchObject({ code: 0, stderr: '' })
      return result.stdout
    }
    const stores = {
      first: { DATA_DIR: 'first' },
      redis: { DATA_DIR: 'none', REDIS_URL: await emptyRedisDatabase() },
      second: { DATA_DIR: 'second' },
    }
    const before = await start(stores.first)
    const { calls } = website
    const added = JSON.parse(
      await execute(
        ['link', 'add', '--label', 'Crew', '--feeds', 'events', '--json'],
        stores.first,
      ),
    )
    await execute(['backup', 'backup.gz'], stores.first)
    await before.stop()
    await execute(['restore', 'backup.gz'], stores.redis)
    const inRedis = await start(stores.redis)
    expect(inRedis.texts).toEqual(before.texts)
    await execute(['link', 'revoke', added.id], stores.redis)
    await execute(['backup', 'again.gz'], stores.redis)
    await inRedis.stop()
    await execute(['restore', 'again.gz'], stores.second)
    const after = await start(stores.second)
    expect(after.texts).toEqual(before.texts)
    expect(after.used).toBeGreaterThanOrEqual(before.used)
    const key = new URL(added.url).pathname
    expect(await (await fetch(`${after.url}${key}events.ics`)).text()).toContain('withdrawn')
    await after.stop()
    expect(website.calls).toBe(calls)
    await execute(['restore', 'backup.gz', '--replace'], stores.second)
    const listed = JSON.parse(await execute(['link', 'list', '--json'], stores.second))
    expect(listed).toMatchObject({ id: added.id, revokedAt: expect.stringMatching(/^\d{4}-/) })
  })
})
