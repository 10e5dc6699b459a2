import { describe, expect, test } from 'vitest'
import { createStores, type StoredSite } from '../../src/store/open-store.ts'
import { acceptance } from '../../src/store/losses.ts'
import { replicasBucket } from '../../src/store/replicas.ts'
import type { Store, StoredItem, Write } from '../../src/store/store.ts'
import { startRedis } from '../support/redis-server.ts'
import { redisIsMissing } from '../support/redis.ts'
import { testDirectory } from '../support/service.ts'
import { collected } from '../support/stored-items.ts'
import { allowConcurrentTests } from '../support/test-end.ts'

allowConcurrentTests()

const site = { siteUrl: 'https://www.example.org' }
/** The same site after its website has moved. */
const moved = { siteUrl: 'https://new.example.org', idHost: 'www.example.org' }
const settings = { bucket: 'settings', id: 'site', value: 'private' }
const links = { bucket: 'links', id: 'a', value: 'open' }

/** Kind of the first and of the second store. */
const bothWays = [
  ['SQLite', 'file', 'redis'],
  ['Redis', 'redis', 'file'],
] as const

type Stores = ReturnType<typeof createStores>

/** Returns both kinds of stores of a machine on which the site has used neither yet. */
function bothKinds(redisUrl: string) {
  const directory = testDirectory()
  return {
    file: () => createStores({ directory, redisUrl: undefined, now: Date.now }),
    redis: () => createStores({ directory, redisUrl, now: Date.now }),
  }
}

/** Opens the site, runs `work`, and closes everything again. */
async function during<T>(
  open: () => Stores,
  work: (store: Store) => Promise<T>,
  openedSite: StoredSite = site,
): Promise<T> {
  await using stores = open()
  await using store = await stores.open(openedSite)
  const result = await work(store)
  await store.keep?.()
  return result
}

const lostIn = (open: () => Stores, openedSite?: StoredSite) =>
  during(open, async (store) => store.lost?.(), openedSite)
const valueIn = (open: () => Stores) =>
  during(open, async ({ documents }) => (await documents.get('settings', 'site'))?.value)
const write = (open: () => Stores, ...writes: Write[]) =>
  during(open, ({ documents }) => documents.write(writes))

/** Moves the data to the other store as documented, and returns what that has lost afterward. */
async function move(from: () => Stores, to: () => Stores) {
  const items = await during(from, ({ snapshot }) => collected(snapshot()))
  async function* backup() {
    yield* items
  }
  await during(to, (store) => replaceAll(store, backup()))
  return lostIn(to)
}

/** Replaces everything, like `restore --replace`. */
async function replaceAll(store: Store, items: AsyncIterable<StoredItem>): Promise<void> {
  expect(await store.replace(items, { emptyBucket: replicasBucket })).toBe(true)
}

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

  test.for([
    ['a new SQLite file', 'redis', 'file', site],
    ['an empty Redis after its website has moved', 'file', 'redis', moved],
    ['a new SQLite file after its website has moved', 'redis', 'file', moved],
  ] as const)('has lost its settings in %s', async ([, first, second, openedSite]) => {
    await using redis = await startRedis()
    const { [first]: before, [second]: after } = bothKinds(redis.url)
    await write(before, settings)
    expect(await lostIn(after, openedSite)).toEqual(['settings'])
  })

  test.for(bothWays)(
    'has lost older data in %s until it is moved there',
    async ([, first, second]) => {
      await using redis = await startRedis()
      const { [first]: older, [second]: newer } = bothKinds(redis.url)
      await write(older, { ...settings, value: 'public' }, links)
      expect(await move(older, newer)).toEqual([])
      await write(newer, settings)
      await write(newer, links)
      for (let start = 1; start <= 2; start += 1) {
        await during(older, async (store) => {
          expect(store.lost?.()).toEqual(['settings', 'links'])
          expect(store.outdated?.('links')).toEqual(['a'])
        })
      }
      // A command's write is not the lost settings.
      await write(older, { ...settings, value: 'of a command' })
      expect(await lostIn(older)).toEqual(['settings', 'links'])
      expect(await move(newer, older)).toEqual([])
      expect(await lostIn(older)).toEqual([])
      expect(await valueIn(older)).toBe('private')
      expect(await lostIn(newer)).toEqual(['settings', 'links'])
      expect(await move(older, newer)).toEqual([])
      expect(await move(newer, older)).toEqual([])
    },
  )

  test.for(bothWays)('has not lost the data that was used before %s', async ([, first, second]) => {
    await using redis = await startRedis()
    const { [first]: wrong, [second]: right } = bothKinds(redis.url)
    await write(wrong, { ...settings, value: 'public' })
    expect(await move(wrong, right)).toEqual([])
    await write(right, settings)
    // A service closes the site until an admin saves the settings.
    await write(wrong, acceptance('settings'), { ...settings, value: 'closed' })
    expect(await lostIn(wrong)).toEqual([])
    expect(await lostIn(right)).toEqual([])
    await write(wrong, settings)
    expect(await lostIn(wrong)).toEqual([])
    expect(await lostIn(right)).toEqual(['settings'])
  })
})
