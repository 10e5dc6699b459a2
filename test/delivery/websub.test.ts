import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { Collection } from '../../src/collections/collection.ts'
import { createRenderers, type Feed } from '../../src/feeds/feed.ts'
import { news } from '../../src/feeds/catalog/news-feeds.ts'
import { createLogger } from '../../src/log.ts'
import { plainTargets } from '../../src/representations/target.ts'
import type { DeliveryQueue } from '../../src/delivery/notifications/delivery-queue.ts'
import { publishToHubs } from '../../src/delivery/websub.ts'
import { outboxService } from './notifications/outbox-service.ts'
import { startRepresentations } from '../representations/representations.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { collectionAfter } from '../support/feed-text.ts'
import { oneCollection } from '../support/one-collection.ts'
import { freePort } from '../support/free-port.ts'
import { startHttpServer } from '../support/http-server.ts'
import { testSite } from '../support/site.ts'
import { openTestStore } from '../support/store.ts'
import { waitFor } from '../support/wait-for.ts'

const urls = ['rss', 'atom', 'json'].map(
  (format) => `https://feeds.cedarhollow.example/news.${format}`,
)
const story = { id: 7, date: '2026-03-01 10:00:00', headline: 'Fire', deployed: 1 }

/** A feed that can never be rendered, which must not affect the others. */
const broken: Feed = {
  ...news,
  id: 'broken',
  render() {
    throw new Error('broken feed')
  },
}

/** Starts a hub that responds with the given statuses, and with 204 after that, once it may respond. */
async function startHub(statuses: readonly number[], mayRespond = Promise.resolve()) {
  const left = [...statuses]
  const pings: URLSearchParams[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    pings.push(new URLSearchParams(await text(request)))
    await mayRespond
    response.writeHead(left.shift() ?? 204).end()
  }
  const url = await startHttpServer((request, response) => void answer(request, response))
  return { pings, url: `${url}/hub` }
}

/** Starts publishers for a news feed that the test can change. They share a store. */
async function publishersTo(...hubs: readonly string[]) {
  const clock = createFakeClock()
  const site = { ...testSite, hubs }
  const collectionOf = async (...readings: readonly object[][]) =>
    (await collectionAfter('news', readings, clock.now())) as Collection
  const { source, collections } = oneCollection(await collectionOf([story]))
  const representations = startRepresentations(collections, {
    renderers: createRenderers(site),
    clock,
    log: createLogger('silent'),
  })
  representations.keepReady(plainTargets([news], [], 'public'))
  representations.start()
  /** Waits until all formats show the headline. */
  const shows = (headline: string) =>
    waitFor(() => {
      const shown = representations.kept().pinned.map(({ representation }) => representation)
      const texts = shown.map(({ encodings }) => encodings.identity.bytes.toString())
      expect(texts.filter((text) => text.includes(headline))).toHaveLength(3)
    })
  await shows(story.headline)
  const store = openTestStore(clock.now)
  const shown: { feeds: readonly Feed[] } = { feeds: [broken, news] }
  const { lines, start, until } = outboxService(clock, [], (options) =>
    publishToHubs({ ...options, ...shown, combinedFeeds: [], site, representations }),
  )
  const isKnown = async () =>
    expect((await store.documents.get('websub', 'state'))?.value).toContain(urls[0])
  return {
    clock,
    lines,
    shown,
    state: async (): Promise<{
      readonly published: Readonly<Record<string, string>>
      readonly queues: Readonly<Record<string, DeliveryQueue<string>>>
    }> => JSON.parse((await store.documents.get('websub', 'state'))?.value ?? '{}'),
    /** Starts a replica, and waits until a replica knows the feed. Resolves to a function that stops it. */
    start: async (holder = 'a') => {
      const stop = start(store, holder)
      await waitFor(isKnown)
      return stop
    },
    change: async (headline: string) => {
      source.change(await collectionOf([story], [{ ...story, headline }]))
      await shows(headline)
    },
    until: (expectation: () => void) => until(10_000, expectation),
  }
}

async function publisherTo(...hubs: readonly string[]) {
  const publishers = await publishersTo(...hubs)
  await publishers.start()
  return publishers
}

test('notifies a hub once for each format of a changed feed, and never about unchanged feeds', async () => {
  const hub = await startHub([])
  const { change, clock, until } = await publisherTo(hub.url)
  for (let look = 0; look < 5; look += 1) await clock.advance(30_000)
  expect(hub.pings).toEqual([])
  await change('Fire out')
  await until(() => expect(hub.pings).toHaveLength(1))
  expect(hub.pings[0]?.get('hub.mode')).toBe('publish')
  expect(hub.pings[0]?.getAll('hub.url')).toEqual(urls)
  for (let look = 0; look < 5; look += 1) await clock.advance(30_000)
  expect(hub.pings).toHaveLength(1)
})

test('notifies a hub again of a feed that changes before the hub has responded', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const hub = await startHub([], promise)
  const { change, clock, until } = await publisherTo(hub.url)
  await change('Fire out')
  await waitFor(async () => {
    await clock.advance(10_000)
    expect(hub.pings).toHaveLength(1)
  })
  await change('Fire out again')
  expect(hub.pings).toHaveLength(1)
  resolve()
  await until(() => expect(hub.pings).toHaveLength(2))
  expect(hub.pings[1]?.getAll('hub.url')).toEqual(urls)
})

test('retries a failed hub until it responds, includes later changes, and logs failures', async () => {
  const hub = await startHub([500, 503])
  const { change, lines, until } = await publisherTo(hub.url)
  await change('Fire out')
  const sent = () => lines.filter((line) => line.includes('"channel"'))
  await until(() => expect(sent()).toHaveLength(3))
  expect(hub.pings.map((ping) => ping.getAll('hub.url'))).toEqual([urls, urls, urls])
  expect(lines.join()).toContain('broken feed')
  const [first, second, third] = sent().map((line) => JSON.parse(line))
  const channel = `WebSub hub at ${new URL(hub.url).host}`
  expect(first).toMatchObject({ level: 'warn', channel, reason: 'status 500' })
  expect(second).toMatchObject({ level: 'warn', reason: 'status 503' })
  expect(third).toMatchObject({ level: 'info', msg: 'message sent' })
})

test('logs only once that a feed cannot be rendered, not at each check or for each format', async () => {
  const { clock, lines } = await publisherTo((await startHub([])).url)
  for (let look = 0; look < 5; look += 1) await clock.advance(30_000)
  expect(lines.filter((line) => line.includes('broken feed'))).toHaveLength(1)
})

test('after an outage, a hub is notified once of each feed, however often it changed', async () => {
  const url = `http://127.0.0.1:${await freePort()}/`
  const { change, clock, state } = await publisherTo(url)
  for (const headline of ['Fire out', 'Fire again', 'Fire out again']) {
    const { published } = await state()
    await change(headline)
    await waitFor(async () => {
      await clock.advance(10_000)
      expect((await state()).published[urls[0] ?? '']).not.toBe(published[urls[0] ?? ''])
    })
  }
  // The first ones belong to an attempt, after which the hub may have fetched outdated feeds.
  const [queue] = Object.values((await state()).queues)
  expect(queue?.entries.map(({ item }) => item)).toEqual([...urls, ...urls])
})

test('never notifies a hub of a feed that has become private in the meantime', async () => {
  const hub = await startHub([503])
  const { change, clock, shown, start, state, until } = await publishersTo(hub.url)
  const stop = await start()
  await change('Fire out')
  await until(() => expect(hub.pings).toHaveLength(1))
  await stop()
  shown.feeds = []
  await start()
  await waitFor(async () => {
    await clock.advance(10_000)
    const [queue] = Object.values((await state()).queues)
    expect(queue?.entries).toEqual([])
  })
  await clock.advance(120_000)
  expect(hub.pings).toHaveLength(1)
})

test('a hub that is down does not delay the others', async () => {
  const whole = await startHub([])
  const { change, lines, until } = await publisherTo(
    `http://127.0.0.1:${await freePort()}/`,
    whole.url,
  )
  await change('Fire out')
  await until(() => expect(whole.pings).toHaveLength(1))
  await change('Fire out again')
  await until(() => expect(whole.pings).toHaveLength(2))
  expect(lines.join('')).toContain('the host refuses the connection')
})

test('only one of several replicas notifies a hub', async () => {
  const hub = await startHub([])
  const { change, start, clock, until } = await publishersTo(hub.url)
  await start('a')
  await start('b')
  await change('Fire out')
  await until(() => expect(hub.pings).toHaveLength(1))
  for (let look = 0; look < 5; look += 1) await clock.advance(30_000)
  expect(hub.pings).toHaveLength(1)
})

test('notifies a hub of changes made while the service was stopped', async () => {
  const hub = await startHub([])
  const { change, start, until } = await publishersTo(hub.url)
  const stop = await start()
  await stop()
  await change('Fire out')
  expect(hub.pings).toEqual([])
  await start()
  await until(() => expect(hub.pings).toHaveLength(1))
})
