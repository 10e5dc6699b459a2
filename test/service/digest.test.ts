import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startService } from '../../src/hosting/hosting.ts'
import { openWebServer } from '../support/web-server.ts'
import { readConfig } from '../../src/config/config.ts'
import { createLogger } from '../../src/log.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { siteFrom, startTestService, testDirectory } from '../support/service.ts'

const formats = ['rss', 'atom', 'json'] as const
const publicFeedIds = ['calendar', 'events', 'news', 'announcements']

const idsIn = {
  rss: (text: string) => parseRssFeed(text).items?.map(({ guid }) => guid?.value),
  atom: (text: string) => parseAtomFeed(text).entries?.map(({ id }) => id),
  json: (text: string) => parseJsonFeed(text).items?.map(({ id }) => id),
}

/** The clocks have gone forward in the night before. */
const sunday = Date.parse('2026-03-08T08:00:00-04:00')

/** Starts a service that continues the data in a file. */
function start(sandbox: Sandbox, file: string, clock: FakeClock) {
  const openStore = () => Promise.resolve(openSqliteStore(file, clock.now))
  return startService({
    config: readConfig({ PORT: '0', PUBLIC_URL: 'https://feeds.example.org' }),
    site: siteFrom(sandbox),
    publicFeedIds,
    openStore,
    openSharedStore: openStore,
    openServer: openWebServer,
    random: () => 0,
    clock,
    log: createLogger('silent'),
  })
}

async function digestsOf({ url }: { readonly url: string }) {
  const responses = await Promise.all(formats.map((format) => fetch(`${url}/digest.${format}`)))
  return Promise.all(
    responses.map(async (response, index) => {
      const text = await response.text()
      const ids = idsIn[formats[index] ?? 'rss'](text)
      return { etag: response.headers.get('ETag'), text, ids }
    }),
  )
}

test('publishes an item at its time in every format, with the same bytes after a restart', async () => {
  const clock = createFakeClock()
  await using sandbox = await createSandbox({ now: clock.now })
  const file = join(testDirectory(), 'store.sqlite')
  const ids = ['2026-W11', '2026-W10', '2026-W09', '2026-W08', '2026-W07'].map(
    (week) => `tag:localhost,2026:digest-${week}`,
  )
  const later = await (async () => {
    await using service = await start(sandbox, file, clock)
    for (const id of publicFeedIds) await fetch(`${service.url}/${id}.rss`)
    await clock.leap(sunday - 1 - clock.now())
    for (const each of await digestsOf(service)) expect(each.ids).toEqual(ids.slice(1))
    await clock.leap(1)
    const published = await digestsOf(service)
    for (const each of published) expect(each.ids).toEqual(ids.slice(0, -1))
    return published
  })()
  await using service = await start(sandbox, file, clock)
  expect(await digestsOf(service)).toEqual(later)
})

test('responds with 503 before the first read', async () => {
  await using cold = await startTestService({ publicFeedIds, sandbox: { apiEnabled: false } })
  for (const format of formats) {
    const { status, headers } = await fetch(`${cold.url}/digest.${format}`)
    expect([format, status, headers.has('Retry-After')]).toEqual([format, 503, true])
  }
})
