import { describe, expect, onTestFinished, test } from 'vitest'
import { storeFaults } from '../../../src/store/open-store.ts'
import { redisCommand } from '../../support/redis-cluster.ts'
import { startRedis } from '../../support/redis-server.ts'
import { redisIsMissing } from '../../support/redis.ts'
import { testDirectory } from '../../support/service.ts'

async function redisWith(settings: Readonly<Record<string, string>>) {
  const redis = await startRedis()
  onTestFinished(() => redis[Symbol.asyncDispose]())
  for (const [name, value] of Object.entries(settings)) {
    await redisCommand(redis, 'CONFIG', 'SET', name, value)
  }
  const faults = (redisUrl: string | undefined = redis.url) =>
    storeFaults({ directory: testDirectory(), redisUrl, now: Date.now })
  return { redis, faults }
}

describe.skipIf(redisIsMissing)('settings with which Redis can lose data', () => {
  test('are reported with the fix', async () => {
    const { redis, faults } = await redisWith({ 'maxmemory-policy': 'allkeys-lru' })
    const where = `Redis at 127.0.0.1:${redis.port} (REDIS_URL)`
    expect(await faults()).toEqual([
      `${where} deletes data when its memory is full (maxmemory-policy allkeys-lru), so settings, feed links and followers can be lost. Set maxmemory-policy to noeviction.`,
      `${where} does not save every change to disk (appendonly no), so settings, feed links and followers can be lost when it restarts. Set appendonly to yes.`,
    ])
  })

  test('do not include those that the docs recommend', async () => {
    const { faults } = await redisWith({ 'maxmemory-policy': 'noeviction', appendonly: 'yes' })
    expect(await faults()).toEqual([])
  })

  test('are unknown if the user cannot read them', async () => {
    const { redis, faults } = await redisWith({ 'maxmemory-policy': 'allkeys-lru' })
    await redisCommand(redis, ...'ACL SETUSER limited on >secret ~* +@all -info'.split(' '))
    expect(await faults(redis.url.replace('//', '//limited:secret@'))).toEqual([])
  })

  test('do not matter without Redis', async () => {
    expect(
      await storeFaults({ directory: testDirectory(), redisUrl: undefined, now: Date.now }),
    ).toEqual([])
  })
})
