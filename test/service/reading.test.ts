import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { standardCatalog } from '../../src/feeds/catalog.ts'
import { createLogger } from '../../src/log.ts'
import { connectWebsite } from '../../src/app/site.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { testDirectory } from '../support/service.ts'

test('stops cleanly and unregisters itself after a failed start', async () => {
  const clock = createFakeClock()
  await using store = openSqliteStore(join(testDirectory(), 'store.sqlite'), clock.now)
  const starting = new AsyncDisposableStack()
  const options = {
    config: readConfig({}),
    store,
    runtime: { clock, random: () => 0, log: createLogger('silent') },
    site: {
      url: 'https://localhost',
      name: '',
      timeZone: 'UTC',
      refreshToken: '',
      links: {},
      get caPem(): string {
        throw new Error('no certificate')
      },
    },
    feeds: { catalog: standardCatalog, publicFeeds: [] },
    links: { open: () => [] },
  }
  const started = connectWebsite(starting, options, new AbortController())
  await expect(started).rejects.toThrow('no certificate')
  await starting.disposeAsync()
  expect((await store.documents.all('replicas')).size).toBe(0)
})
