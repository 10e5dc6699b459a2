import { describe, expect, test } from 'vitest'
import { adminEnvironment, createAdmin, revisionIn } from '../support/admin.ts'
import { command } from '../support/backups.ts'
import { fewRecords } from '../support/few-records.ts'
import { redisCommand } from '../support/redis-cluster.ts'
import { startRedis, type RedisServer } from '../support/redis-server.ts'
import { markAsUsed, redisIsMissing } from '../support/redis.ts'
import { startTestService, testDirectory, type TestService } from '../support/service.ts'
import { allowConcurrentTests, atTestEnd } from '../support/test-end.ts'
import { waitFor } from '../support/wait-for.ts'

allowConcurrentTests()

const pollMs = 2_000

const environment = adminEnvironment

async function emptyRedis() {
  const redis = await startRedis()
  atTestEnd(() => redis[Symbol.asyncDispose]())
  await markAsUsed(redis.url)
  return redis
}

async function startOn(redis: RedisServer, dataDirectory = testDirectory()) {
  const service = await startTestService({
    redisUrl: redis.url,
    environment,
    dataDirectory,
    sandbox: fewRecords,
  })
  atTestEnd(() => service[Symbol.asyncDispose]())
  return service
}

/** Makes all feeds but the news private. */
async function chooseNews(service: TestService) {
  const session = await createAdmin(service.url).signIn()
  const page = await session.see('/admin/settings')
  const empty = { name: '', place: '', color: '', language: '', logo: '', places: '', fresh: '' }
  const chosen = { ...empty, feeds: 'some', feed: 'news', revision: revisionIn(page) }
  expect((await session.submit('/admin/settings', chosen)).status).toBe(303)
  return session
}

const statusesOf = async ({ get }: TestService) => [
  (await get('/events.ics')).status,
  (await get('/news.rss')).status,
]

/** Starts a service with Redis, whose admin has made all feeds but the news private. */
async function startPrivateSite() {
  const redis = await emptyRedis()
  const dataDirectory = testDirectory()
  const service = await startOn(redis, dataDirectory)
  const session = await chooseNews(service)
  const { pathname: linkPath } = new URL(await service.addLink({}))
  const isPrivate = async () => {
    expect(await statusesOf(service)).toEqual([403, 200])
    expect((await service.get(`${linkPath}events.ics`)).status).toBe(200)
  }
  await isPrivate()
  await service.clock.advance(pollMs)
  return { redis, dataDirectory, service, session, isPrivate }
}

describe.skipIf(redisIsMissing)('a private feed remains private', () => {
  test.for([
    ['Redis is emptied', ['FLUSHALL']],
    ['Redis evicts the settings', ['DEL', 'settings']],
    ['Redis evicts the links', ['DEL', 'links']],
  ] as const)('after %s', async ([, [command, bucket]]) => {
    const { redis, service, session, isPrivate } = await startPrivateSite()
    const keys = (await redisCommand(redis, 'KEYS', `*:documents:${bucket ?? '*'}`)) as string[]
    expect(keys).not.toEqual([])
    await redisCommand(redis, command, ...(bucket === undefined ? [] : keys))
    for (let poll = 1; poll <= 4; poll += 1) {
      await service.clock.advance(pollMs)
      await isPrivate()
    }
    await waitFor(() => expect(service.lines.join('')).toContain('the store has lost documents'))
    const page = await session.see('/admin/settings')
    expect(page).toContain('name="feed" value="news" checked')
    const restored = keys.filter((key) => /:(?:settings|links)$/.test(key))
    expect(await redisCommand(redis, 'EXISTS', ...restored)).toBe(restored.length)
  })

  test('after Redis restarts without persistence', async () => {
    const { redis, service, isPrivate } = await startPrivateSite()
    await redis.kill()
    await service.clock.advance(pollMs)
    await redis.start()
    await waitFor(async () => {
      await service.clock.advance(pollMs)
      await isPrivate()
      expect(service.lines.join('')).toContain('the store has lost documents')
    })
    await isPrivate()
  })
})

const settingsKey = 'feedhouse:www.example.org:documents:settings'

/** These tests mostly wait for other processes to write data back. */
const together = { concurrent: true }

describe.skipIf(redisIsMissing)('a process that starts after a loss', together, () => {
  test('waits until another process has written everything back', async () => {
    const { redis, service, isPrivate } = await startPrivateSite()
    await redisCommand(redis, 'FLUSHALL')
    const starting = startOn(redis)
    await service.clock.advance(pollMs)
    expect(await statusesOf(await starting)).toEqual([403, 200])
    await isPrivate()
  })

  test.for([
    ['remembers that all data was there', ['FLUSHALL'], true],
    ['finds out that the settings are missing', ['DEL', settingsKey], false],
  ] as const)(
    'publishes nothing if nobody can, because it %s',
    async ([, command, usesDirectory]) => {
      const { redis, dataDirectory, service: before } = await startPrivateSite()
      await before[Symbol.asyncDispose]()
      await redisCommand(redis, ...command)
      const service = await startOn(redis, usesDirectory ? dataDirectory : testDirectory())
      expect(await statusesOf(service)).toEqual([403, 403])
      expect(service.lines.join('')).toContain('the stored settings are lost')
      const { text } = await service.get('/status')
      expect(text).toContain('Redis lost stored data before')
      expect(text).toContain(
        'Therefore, no feed is public. Restore a backup, or check the settings',
      )
      await service[Symbol.asyncDispose]()
      const restarted = await startOn(redis)
      expect(await statusesOf(restarted)).toEqual([403, 403])
      await chooseNews(restarted)
      expect(await statusesOf(restarted)).toEqual([403, 200])
      expect((await restarted.get('/status')).text).not.toContain('Redis lost')
    },
  )

  test('publishes nothing if Redis has reverted the settings to an earlier state', async () => {
    const { redis, dataDirectory, service, session } = await startPrivateSite()
    const earlier = Object.entries((await redisCommand(redis, 'HGETALL', settingsKey)) as object)
    const revision = revisionIn(await session.see('/admin/settings'))
    const empty = { name: '', place: '', color: '', language: '', logo: '', places: '', fresh: '' }
    await session.submit('/admin/settings', { ...empty, feeds: 'some', feed: 'rental', revision })
    await service.clock.advance(pollMs)
    await service[Symbol.asyncDispose]()
    await redisCommand(redis, 'DEL', settingsKey)
    await redisCommand(redis, 'HSET', settingsKey, ...earlier.flat())
    expect(await statusesOf(await startOn(redis, dataDirectory))).toEqual([403, 403])
    expect(await statusesOf(await startOn(redis))).toEqual([403, 403])
  })
})

test.skipIf(redisIsMissing)(
  'a backup of a store that was emptied and filled again restores the host of all ids',
  async () => {
    const redis = await emptyRedis()
    const hostKey = 'feedhouse:www.example.org:documents:identity'
    // An earlier start has stored ID_HOST.
    await redisCommand(redis, 'HSET', hostKey, 'host', '1::"old.example"')
    const service = await startOn(redis)
    const directory = testDirectory()
    const settings = { SITE_URL: 'https://www.example.org', REDIS_URL: redis.url }
    const empty = async () => {
      await redisCommand(redis, 'FLUSHALL')
      await markAsUsed(redis.url)
    }
    const storedHost = async () => String(await redisCommand(redis, 'HGET', hostKey, 'host'))
    await empty()
    await waitFor(async () => {
      await service.clock.advance(pollMs)
      expect(await storedHost()).toContain('"old.example"')
    })
    expect((await command(directory, ['backup', 'backup.gz'], settings)).code).toBe(0)
    await service[Symbol.asyncDispose]()
    for (const machine of ['second', 'third']) {
      const own = { ...settings, DATA_DIR: machine }
      await empty()
      expect((await command(directory, ['restore', 'backup.gz'], own)).code).toBe(0)
      expect(await storedHost()).toContain('"old.example"')
      expect((await command(directory, ['backup', 'backup.gz'], own)).code).toBe(0)
    }
  },
)
