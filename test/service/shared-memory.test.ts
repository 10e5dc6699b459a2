import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { request } from 'undici'
import { readServer, readSite } from '../../src/config/config.ts'
import { readValues } from '../../src/config/environment.ts'
import { startHosting } from '../../src/hosting/hosting.ts'
import { openWebServer } from '../support/web-server.ts'
import { createLogger } from '../../src/log.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { siteFrom, testDirectory } from '../support/service.ts'

/** Starts a process that serves the first of many sites, and leaves the others to other workers. */
async function firstOf(count: number) {
  const clock = createFakeClock()
  const directory = testDirectory()
  const storeOf = async (name: string) => openSqliteStore(join(directory, name), clock.now)
  const resources = new AsyncDisposableStack()
  onTestFinished(() => resources.disposeAsync())
  const sandbox = resources.use(await createSandbox({ now: clock.now }))
  const { config } = readSite(readValues({}))
  const sites = Array.from({ length: count }, (_, index) => ({
    name: `site-${index}`,
    config: { ...config, site: siteFrom(sandbox), publicUrl: `http://site-${index}.example` },
  }))
  const { config: server } = readServer(readValues({ PORT: '0' }))
  const first = { server, sites, faulty: [], secretFiles: [], text: '' }
  const share = {
    names: ['site-0'],
    otherWorkers: [],
    firstSocketPath: undefined,
    otherHosts: [],
  }
  const hosting = resources.use(
    await startHosting({
      sites: first,
      parse: () => first,
      faults: () => [],
      openStore: () => storeOf('site.sqlite'),
      openSharedStore: () => storeOf('sites.sqlite'),
      openServer: async (...options) => ({ ...(await openWebServer(...options)), share }),
      random: () => 0,
      clock,
      log: createLogger('silent'),
    }),
  )
  await hosting.started
  return async (path: string) => {
    const { body } = await request(`${hosting.url}${path}`, { headers: { host: 'site-0.example' } })
    return body.text()
  }
}

/** Returns the number of prebuilt feeds after requests for a feed with 20 different options. */
async function keptWith(sites: number): Promise<number> {
  const ask = await firstOf(sites)
  for (let alarm = 1; alarm <= 20; alarm += 1) {
    expect(await ask(`/events.ics?alarm=${alarm}`)).toContain('BEGIN:VALARM')
  }
  const [, kept = ''] = /^feedhouse_representations_kept (\d+)$/m.exec(await ask('/metrics')) ?? []
  return Number(kept)
}

test('keeps fewer feeds of each site in memory if there are many sites', async () => {
  const ofOne = await keptWith(1)
  expect(ofOne).toBeGreaterThan(20)
  // A share of 32 KiB holds at most the latest of the 20 feeds.
  expect(await keptWith(16_384)).toBeLessThanOrEqual(ofOne - 19)
})
