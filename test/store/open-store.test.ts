import { describe, expect, test } from 'vitest'
import { createStores } from '../../src/store/open-store.ts'
import { startRedis } from '../support/redis-server.ts'
import { redisIsMissing } from '../support/redis.ts'
import { testDirectory } from '../support/service.ts'

const site = { siteUrl: 'https://www.example.org' }
/** The same site after its website has moved. */
const moved = { siteUrl: 'https://new.example.org', idHost: 'www.example.org' }
const settings = { bucket: 'settings', id: 'site', value: 'private' }

// Each waits a few seconds for other hosts to fill the empty Redis.
describe.skipIf(redisIsMissing)('a site whose kind of store changes', { concurrent: true }, () => {
  test('has lost its settings in an empty Redis until a backup is restored', async () => {
    await using redis = await startRedis()
    const directory = testDirectory()
    const inFile = createStores({ directory, redisUrl: undefined, now: Date.now })
    await using file = await inFile.open(site)
    await file.documents.write([settings])
    await using inRedis = createStores({ directory, redisUrl: redis.url, now: Date.now })
    await using store = await inRedis.open(site)
    expect(store.lost?.()).toEqual(['settings'])
    await store.replace(file.snapshot(), { emptyBucket: undefined })
    expect(store.lost?.()).toEqual([])
    expect((await store.documents.get('settings', 'site'))?.value).toBe('private')
    await using again = await inRedis.open(site)
    expect(again.lost?.()).toEqual([])
  })

  test('has lost its settings in a new SQLite file', async () => {
    await using redis = await startRedis()
    const directory = testDirectory()
    await using inRedis = createStores({ directory, redisUrl: redis.url, now: Date.now })
    await using store = await inRedis.open(site)
    await store.documents.write([settings])
    await store.keep?.()
    const inFile = createStores({ directory, redisUrl: undefined, now: Date.now })
    await using file = await inFile.open(site)
    expect(file.lost?.()).toEqual(['settings'])
  })

  test('has lost its settings in an empty Redis if its website has moved', async () => {
    await using redis = await startRedis()
    const directory = testDirectory()
    const inFile = createStores({ directory, redisUrl: undefined, now: Date.now })
    await using file = await inFile.open(site)
    await file.documents.write([settings])
    await using inRedis = createStores({ directory, redisUrl: redis.url, now: Date.now })
    await using store = await inRedis.open(moved)
    expect(store.lost?.()).toEqual(['settings'])
  })

  test('has lost its settings in a new SQLite file if its website has moved', async () => {
    await using redis = await startRedis()
    const directory = testDirectory()
    await using inRedis = createStores({ directory, redisUrl: redis.url, now: Date.now })
    await using store = await inRedis.open(site)
    await store.documents.write([settings])
    await store.keep?.()
    const inFile = createStores({ directory, redisUrl: undefined, now: Date.now })
    await using file = await inFile.open(moved)
    expect(file.lost?.()).toEqual(['settings'])
  })
})
