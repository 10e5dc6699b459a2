/*
 * Serves a site, with the front and the worker in this process, on a clock that another process advances with
 * messages. Work of the service, such as
 * calls, use of the store and compression of feeds, finishes before the clock advances further.
 */
import { work } from './counted-compression.ts'
import { subscribe } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../../src/hosting/hosting.ts'
import { readConfig } from '../../src/config/config.ts'
import { settingsIn } from '../../src/config/environment.ts'
import { settingsDocument } from '../../src/config/stored-settings.ts'
import { createLogger } from '../../src/log.ts'
import { openDataDirectory } from '../../src/store/data-directory.ts'
import { createStores, sharedStore } from '../../src/store/open-store.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openFrontedServerAt } from '../support/fronted-server.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { countedStore } from '../support/work-counter.ts'
import type { FromService, StartOptions, ToService } from './messages.ts'

const options = JSON.parse(process.argv[2] ?? '') as StartOptions
const send = (message: FromService) => void process.send?.(message)

countRequests()

let patienceMs = 0
let clockErrorMs = options.clockErrorMs
/**
 * Like the operating system's monotonic clock, it drives timers independently of the wall clock.
 */
const monotonic = createFakeClock(options.startAt, () =>
  Promise.race([work.settled(), sleep(patienceMs, undefined, { ref: false })]),
)
const { sleep: sleepFor, after } = monotonic
const clock = { now: () => monotonic.now() + clockErrorMs, sleep: sleepFor, after }

const { environment, faults } = settingsIn('.', options.settings)
const config = readConfig(environment, faults)
const { site, redisUrl } = config
if (!site) throw new Error('SITE_URL is missing')
const directory = openDataDirectory(config.dataDirectory)
const stores = createStores({ directory, redisUrl, now: clock.now })
const openSiteStore = () => stores.open({ siteUrl: site.url, idHost: config.idHost })
const service = await startService({
  config,
  site,
  publicFeedIds: config.publicFeeds ?? [],
  openStore: async () => countedStore(await openSiteStore(), work),
  openSharedStore: () => stores.open(sharedStore),
  openServer: (...opening) =>
    openFrontedServerAt(() => ({ at: clock.now(), elapsed: monotonic.now() }), ...opening),
  clock,
  random: seededRandom(options.seed),
  log: createLogger(config.logLevel, process.stderr),
})

const link = { label: 'Soak', feedIds: undefined, profile: 'full', expiresAt: undefined } as const

async function handle(message: ToService): Promise<void> {
  switch (message.type) {
    case 'pass':
      ;({ patienceMs } = message)
      await monotonic.leap(message.ms)
      break
    case 'jump':
      clockErrorMs += message.ms
      break
    case 'add-link':
      return send({ type: 'link', url: await service.site.addLink(link) })
    case 'publish':
      await publish(message.feedIds)
      break
    case 'measure':
      return send({ type: 'measured', measurement: await measure() })
    case 'stop':
      await service[Symbol.asyncDispose]()
      await stores[Symbol.asyncDispose]()
      send({ type: 'done' })
      process.disconnect()
      return
  }
  send({ type: 'done' })
}

async function publish(publicFeeds: readonly string[]): Promise<void> {
  await using store = await openSiteStore()
  await store.documents.write([{ ...settingsDocument, value: JSON.stringify({ publicFeeds }) }])
}

function requestOf(message: unknown): unknown {
  return (message as { readonly request: unknown }).request
}

/** Counts the requests of the service's own HTTP client as work. */
function countRequests(): void {
  const pending = new Set<unknown>()
  const ended = (message: unknown) => {
    if (pending.delete(requestOf(message))) work.finished()
  }
  subscribe('undici:request:create', (message) => {
    pending.add(requestOf(message))
    work.started()
  })
  subscribe('undici:request:trailers', ended)
  subscribe('undici:request:error', ended)
}

async function measure() {
  const { sentences = [], ok } = (await service.site.status()) ?? {}
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  return { heapBytes: heapUsed, residentBytes: rss, sentences, isOk: ok !== false }
}

process.on('message', (message) => void handle(message as ToService))
process.on('disconnect', () => process.exit())
send({ type: 'serving', url: service.url })
