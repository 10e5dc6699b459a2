import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import type { Collection } from '../../src/collections/collection.ts'
import { createRenderers } from '../../src/feeds/feed.ts'
import { news } from '../../src/feeds/catalog/news-feeds.ts'
import { createLogger } from '../../src/log.ts'
import { plainTargets } from '../../src/representations/target.ts'
import { publishToHubs } from '../../src/delivery/websub.ts'
import { startRepresentations } from '../representations/representations.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { collectionAfter } from '../support/feed-text.ts'
import { oneCollection } from '../support/one-collection.ts'
import { freePort } from '../support/free-port.ts'
import { startHttpServer } from '../support/http-server.ts'
import { testSite } from '../support/site.ts'
import { waitFor } from '../support/wait-for.ts'

const urls = ['rss', 'atom', 'json'].map(
  (format) => `https://feeds.cedarhollow.example/news.${format}`,
)
const story = { id: 7, date: '2026-03-01 10:00:00', headline: 'Fire', deployed: 1 }

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

/** Starts a publisher for a news feed that the test can change. */
async function publisherTo(...hubs: readonly string[]) {
  const clock = createFakeClock()
  const stopping = new AbortController()
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => lines.push(line) })
  const site = { ...testSite, hubs }
  const collectionOf = async (...readings: readonly object[][]) =>
    (await collectionAfter('news', readings, clock.now())) as Collection
  const { source, collections } = oneCollection(await collectionOf([story]))
  const representations = startRepresentations(collections, {
    renderers: createRenderers(site),
    clock,
    log,
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
  const { signal } = stopping
  const told = publishToHubs({
    feeds: [news],
    combinedFeeds: [],
    site,
    representations,
    clock,
    log,
    signal,
  })
  onTestFinished(async () => {
    stopping.abort()
    await told
  })
  return {
    clock,
    lines,
    change: async (headline: string) => {
      source.change(await collectionOf([story], [{ ...story, headline }]))
      await shows(headline)
    },
    /**
     * Advances the fake clock until the expectation is met. Real time passes as well, because pings
     * use a real connection.
     */
    until: (expectation: () => void) =>
      waitFor(async () => {
        await clock.advance(10_000)
        expectation()
      }),
  }
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
  await until(() => undefined)
  await change('Fire out')
  await until(() => expect(hub.pings).toHaveLength(1))
  await change('Fire out again')
  for (let look = 0; look < 5; look += 1) await clock.advance(30_000)
  expect(hub.pings).toHaveLength(1)
  resolve()
  await until(() => expect(hub.pings).toHaveLength(2))
  expect(hub.pings[1]?.getAll('hub.url')).toEqual(urls)
})

test('retries a failed hub', async () => {
  const hub = await startHub([500, 503])
  const { change, lines, until } = await publisherTo(hub.url)
  await until(() => undefined)
  await change('Fire out')
  await until(() => expect(hub.pings).toHaveLength(3))
  expect(lines).toEqual([])
})

test('gives up on a hub and logs that after three failures, and still notifies other hubs', async () => {
  const [broken, whole] = [await startHub([500, 500, 500]), await startHub([])]
  const { change, lines, until } = await publisherTo(broken.url, whole.url)
  await until(() => undefined)
  await change('Fire out')
  await until(() => expect(lines).toHaveLength(1))
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', failure: '500' })
  expect([broken.pings.length, whole.pings.length]).toEqual([3, 1])
  await change('Fire out again')
  await until(() => expect(whole.pings).toHaveLength(2))
})

test('logs the error of an unreachable hub', async () => {
  const { change, lines, until } = await publisherTo(`http://127.0.0.1:${await freePort()}/`)
  await until(() => undefined)
  await change('Fire out')
  await until(() => expect(lines).toHaveLength(1))
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ feeds: urls, failure: 'ECONNREFUSED' })
})
