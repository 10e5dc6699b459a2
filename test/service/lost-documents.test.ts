import { describe, expect, onTestFinished, test } from 'vitest'
import { adminEnvironment, createAdmin, revisionIn } from '../support/admin.ts'
import { redisCommand } from '../support/redis-cluster.ts'
import { startRedis } from '../support/redis-server.ts'
import { redisIsMissing } from '../support/redis.ts'
import { startTestService } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

const pollMs = 2_000

/** Starts a service with Redis, whose admin has made all feeds but the news private. */
async function startPrivateSite() {
  const redis = await startRedis()
  onTestFinished(() => redis[Symbol.asyncDispose]())
  const service = await startTestService({ redisUrl: redis.url, environment: adminEnvironment })
  onTestFinished(() => service[Symbol.asyncDispose]())
  const session = await createAdmin(service.url).signIn()
  const page = await session.see('/admin/settings')
  const empty = { name: '', place: '', color: '', language: '', logo: '', places: '', fresh: '' }
  const chosen = { ...empty, feeds: 'some', feed: 'news', revision: revisionIn(page) }
  expect((await session.submit('/admin/settings', chosen)).status).toBe(303)
  const { pathname: linkPath } = new URL(await service.addLink({}))
  const isPrivate = async () => {
    expect((await service.get('/events.ics')).status).toBe(403)
    expect((await service.get('/news.rss')).status).toBe(200)
    expect((await service.get(`${linkPath}events.ics`)).status).toBe(200)
  }
  await isPrivate()
  return { redis, service, session, isPrivate }
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
