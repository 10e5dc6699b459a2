import { readdirSync } from 'node:fs'
import { createClient } from 'redis'
import { describe, expect, test } from 'vitest'
import { command, site } from '../support/backups.ts'
import { startRedis } from '../support/redis-server.ts'
import { markAsUsed, redisIsMissing } from '../support/redis.ts'
import { testDirectory } from '../support/service.ts'
import { openRedisStore } from '../support/stores.ts'

describe('if there is no store, nothing is created', () => {
  test.for([
    ['backup', 'backup.gz'],
    ['link', 'list'],
    ['link', 'revoke', 'abcdefgh'],
    ['collections', 'accept', 'news'],
  ])('by %s %s', async (args) => {
    const directory = testDirectory()
    const { code, stdout, stderr } = await command(directory, args, { DATA_DIR: 'elsewhere' })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      /^No data is stored for https:\/\/cedarhollow\.example: .*DATA_DIR.*\.\n$/,
    )
    expect(readdirSync(directory)).toEqual([])
  })
})

test.skipIf(redisIsMissing)('a backup makes Redis copy its data only once', async () => {
  await using redis = await startRedis()
  await markAsUsed(redis.url)
  await using store = await openRedisStore({ url: redis.url, name: site, now: Date.now })
  const directory = testDirectory()
  const backup = () => command(directory, ['backup', 'backup.gz'], { REDIS_URL: redis.url })
  expect((await backup()).stderr).toMatch(/^No data is stored for https:\/\/cedarhollow\.example, /)
  expect(readdirSync(directory)).not.toContain('backup.gz')
  await store.documents.write([{ bucket: 'notes', id: 'a', value: 'first' }])
  expect(await backup()).toMatchObject({ code: 0, stderr: '' })
  const client = await createClient({ url: redis.url }).connect()
  const calls = await client.info('commandstats')
  client.destroy()
  expect(calls).toContain('cmdstat_dump:calls=1,')
})
