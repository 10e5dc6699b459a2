import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { collectionBuckets } from '../../src/collections/copy/stored-collections.ts'
import { idHostDocument, keptIdHost } from '../../src/app/id-host.ts'
import { createLogger } from '../../src/log.ts'
import { openStore, type StoredSite } from '../../src/store/open-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { startExporting } from '../support/export.ts'
import { emptyRedisDatabase, redisIsMissing } from '../support/redis.ts'
import { startTestService, testDirectory } from '../support/service.ts'
import { openTestStore } from '../support/store.ts'
import { onEveryStore, storesAt } from '../support/stores.ts'

const log = createLogger('silent')
const first = { siteUrl: 'https://cedarhollow.example', idHost: undefined, log }
const moved = { siteUrl: 'https://www.cedarhollow.example', idHost: undefined, log }

/** Contents of a store after the first read of its website. */
const eventsState = { bucket: collectionBuckets.states, id: 'events', value: '{}' }

onEveryStore((placeOf) => {
  test('keeps the first host when the website moves', async () => {
    const { store, open } = await storesAt(placeOf(), 1)
    expect(await keptIdHost(store, first)).toBe('cedarhollow.example')
    expect(await keptIdHost(await open(), moved)).toBe('cedarhollow.example')
  })

  test('ID_HOST sets the host of a new store and cannot change an existing one', async () => {
    const { store } = await storesAt(placeOf(), 1)
    const set = { ...moved, idHost: 'cedarhollow.example' }
    expect(await keptIdHost(store, set)).toBe('cedarhollow.example')
    expect(await keptIdHost(store, moved)).toBe('cedarhollow.example')
    await expect(keptIdHost(store, { ...moved, idHost: 'other.example' })).rejects.toThrow(
      'ID_HOST is other.example, but the ids in the store use the host cedarhollow.example, and ids never change. Set ID_HOST=cedarhollow.example, or remove it.',
    )
    expect(await keptIdHost(store, moved)).toBe('cedarhollow.example')
  })

  test('replicas that start at the same time use the same host', async () => {
    const { stores } = await storesAt(placeOf(), 3)
    const sites = [first, moved, first]
    const hosts = await Promise.all(
      stores.map((store, index) => keptIdHost(store, sites[index] ?? first)),
    )
    expect(new Set(hosts).size).toBe(1)
  })
})

describe.for([
  { name: 'SQLite', location: async () => ({ directory: testDirectory(), redisUrl: undefined }) },
  {
    name: 'Redis',
    location: async () => ({ directory: testDirectory(), redisUrl: await emptyRedisDatabase() }),
    isMissing: redisIsMissing,
  },
])('stores in $name', ({ location, isMissing = false }) => {
  /** Returns a function that opens stores of sites at the same location. */
  async function placeOf() {
    const at = await location()
    return async (site: StoredSite) => {
      const store = await openStore({ ...at, ...site, now: Date.now })
      onTestFinished(() => store[Symbol.asyncDispose]())
      return store
    }
  }

  test.skipIf(isMissing)('ID_HOST finds the store of a website that has moved', async () => {
    const open = await placeOf()
    const before = await open(first)
    await keptIdHost(before, first)
    const note = { bucket: 'notes', id: 'a', value: 'kept' }
    await before.documents.write([note, eventsState])

    const alone = await open(moved)
    await expect(keptIdHost(alone, moved)).rejects.toThrow(
      'No data is stored for https://www.cedarhollow.example yet, only for cedarhollow.example. If the website has moved from there, set ID_HOST=cedarhollow.example, so that subscribers keep their entries; if it is another website, set ID_HOST=www.cedarhollow.example.',
    )
    const set = { ...moved, idHost: 'cedarhollow.example' }
    const store = await open(set)
    expect(await keptIdHost(store, set)).toBe('cedarhollow.example')
    expect((await store.documents.get('notes', 'a'))?.value).toBe('kept')
  })

  test.skipIf(isMissing)('does not treat a website as moved from a local sandbox', async () => {
    const open = await placeOf()
    for (const siteUrl of ['https://localhost:8443', 'https://127.0.0.1:8444']) {
      await (await open({ siteUrl })).documents.write([eventsState])
    }
    expect(await keptIdHost(await open(first), first)).toBe('cedarhollow.example')
  })

  test.skipIf(isMissing)(
    'does not mistake other sites in the process, or stores that are in use, for moved websites',
    async () => {
      const open = await placeOf()
      await (await open(first)).documents.write([eventsState])
      const other = { ...first, siteUrl: 'https://other.example' }
      const configuredHosts = new Set(['cedarhollow.example', 'other.example'])
      const store = await open(other)
      expect(await keptIdHost(store, { ...other, configuredHosts })).toBe('other.example')

      const older = await open(moved)
      await older.documents.write([eventsState])
      expect(await keptIdHost(older, moved)).toBe('www.cedarhollow.example')
    },
  )

  test.skipIf(isMissing)('does not treat a corrected typo in SITE_URL as a move', async () => {
    const open = await placeOf()
    const typo = { ...first, siteUrl: 'https://cedarholow.example' }
    await keptIdHost(await open(typo), typo)
    expect(await keptIdHost(await open(first), first)).toBe('cedarhollow.example')
  })

  test.skipIf(isMissing)(
    'warns about the store of a site that was removed while other sites remain',
    async () => {
      const open = await placeOf()
      await (await open(first)).documents.write([eventsState])
      const lines: string[] = []
      const options = {
        siteUrl: 'https://new.example',
        idHost: undefined,
        configuredHosts: new Set(['new.example', 'other.example']),
        log: createLogger('warn', { write: (line) => lines.push(line) }),
      }
      expect(await keptIdHost(await open(options), options)).toBe('new.example')
      expect(lines.join('')).toContain(
        'No data is stored for https://new.example yet, only for cedarhollow.example. If the website has moved from there, set ID_HOST=cedarhollow.example',
      )
    },
  )
})

test('uses the stored host for ids in every format', async () => {
  const file = join(testDirectory(), 'store.sqlite')
  {
    await using store = openSqliteStore(file, Date.now)
    await store.documents.write([{ ...idHostDocument, value: '"first.example"' }])
  }
  await using service = await startTestService({ storeFileIn: () => file })
  for (const path of ['events.ics', 'news.rss', 'news.atom', 'events.json', 'board.rss']) {
    const text = await (await fetch(`${service.url}/${path}`)).text()
    expect(text).toMatch(/@first\.example\r\n|tag:first\.example,2026:/)
    expect(text).not.toMatch(/(?:tag:|@)127\.0\.0\.1/)
  }
})

test('an export directory keeps its host even if the original store no longer exists', async () => {
  const site = await startExporting({ publicFeedIds: ['events'] })
  const manifest = join(site.directory, '.feedhouse', 'manifest.json')
  expect(existsSync(manifest)).toBe(false)
  const hostIn = () =>
    readFileSync(join(site.directory, 'events.ics'), 'utf8').match(/^UID:.*@(.*)\r$/m)?.[1]
  await site.once(false, { config: { ...site.config, idHost: 'first.example' } })
  expect(hostIn()).toBe('first.example')
  const store = openTestStore(site.clock.now)
  await site.once(false, { store })
  expect(hostIn()).toBe('first.example')
  const stranger = openTestStore(site.clock.now)
  await stranger.documents.write([{ ...idHostDocument, value: '"second.example"' }])
  await expect(site.once(false, { store: stranger })).rejects.toThrow(
    'The ids in the exported files use the host first.example, but those in the store use second.example.',
  )
})
