import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { Collection } from '../../src/collections/collection.ts'
import { feeds } from '../../src/feeds/catalog.ts'
import { createRenderers, type Feed } from '../../src/feeds/feed.ts'
import { createLogger } from '../../src/log.ts'
import { renderingHere, type RenderJob } from '../../src/representations/rendering.ts'
import { createRenderingThread } from '../../src/representations/rendering-thread.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { chosenForList, chosenOptions } from '../support/chosen-options.ts'
import { collectionAfter, itemsOf } from '../support/feed-text.ts'
import { testSite } from '../support/site.ts'

const now = Date.parse('2026-03-05T15:00:00Z')
const sample = sampleDatasetOn('2026-03-05')
const here = renderingHere(createRenderers(testSite))
const lines: string[] = []
const log = createLogger('info', { write: (line) => lines.push(line) })
const shared = createRenderingThread(log)
const thread = shared.renderingFor(testSite)

afterAll(() => shared[Symbol.asyncDispose]())

const collectionOf = async (feed: Feed) =>
  (await collectionAfter(feed.resource, [itemsOf(sample, feed.resource)], now)) as Collection

function orderOf(feed: Feed, format = feed.formats[0], query = ''): RenderJob {
  if (!format) throw new TypeError(`${feed.id} has no format`)
  return { feed, chosen: chosenOptions(feed, format, query), format, profile: 'public', now }
}

const story = (id: number, headline: string) => ({
  id,
  headline,
  date: '2026-03-01 10:00:00',
  deployed: 1,
})

const endedEarly = 'the rendering thread exited before the task finished'

const feedOf = (id: string) => {
  const feed = feeds.find((each) => each.id === id)
  if (!feed) throw new TypeError(`no feed ${id}`)
  return feed
}

test.for(feeds.flatMap((feed) => feed.formats.map((format) => ({ feed, format }))))(
  'renders the same bytes for $feed.id.$format as the main thread',
  async ({ feed, format }) => {
    const collection = await collectionOf(feed)
    const order = orderOf(feed, format)
    expect(await thread.render(order, collection)).toEqual(await here.render(order, collection))
  },
)

test.for([
  ['calendar', 'calendar=2&alarm=30&cancelled=mark'],
  ['news', 'category=2&limit=3&content=summary'],
])('renders the same bytes for %s?%s as the main thread', async ([id = '', query = '']) => {
  const feed = feedOf(id)
  const collection = await collectionOf(feed)
  const order = { ...orderOf(feed, feed.formats[0], query), profile: 'full' as const }
  expect(await thread.render(order, collection)).toEqual(await here.render(order, collection))
})

test.for([
  ['calendar', 'calendar=2&past=3&future=30'],
  ['events', 'future=30'],
  ['news', 'category=2,3'],
] as const)('renders the same overview for %s?%s as the main thread', async ([id, filters]) => {
  const feed = feedOf(id)
  const collection = await collectionOf(feed)
  const chosen = chosenForList(feed, filters)
  const order = { feed, profile: 'public', now, chosen } as const
  const overview = await thread.overview(order, collection)
  expect(overview).toEqual(await here.overview(order, collection))
  const whole = await thread.overview({ ...order, chosen: chosenForList(feed) }, collection)
  expect(overview.board).not.toEqual(whole.board)
})

test('diagnoses calendars', async () => {
  const events = feedOf('events')
  const spoilt = [{ id: 1, title: 'A', status: 2, startDate: '2026-03-06', endDate: '2026-03-01' }]
  const collection = (await collectionAfter('events', [spoilt], now)) as Collection
  const diagnose = await thread.diagnose(events, collection, now)
  expect(diagnose).toEqual(await here.diagnose(events, collection, now))
  expect(diagnose?.repaired).toHaveLength(1)
  const news = feedOf('news')
  expect(await thread.diagnose(news, await collectionOf(news), now)).toBeUndefined()
})

test('uses the right version of a changing collection for each concurrent job', async () => {
  const feed = feedOf('news')
  const versions = await Promise.all(
    Array.from({ length: 8 }, async (_, version) => {
      const stories = Array.from({ length: 600 }, (_, id) => story(id + 1, `Version ${version}`))
      return collectionAfter('news', [stories], now)
    }),
  )
  const texts = await Promise.all(
    versions.map(async (collection) => {
      const { body } = await thread.render(orderOf(feed, 'json', 'limit=200'), collection)
      return body.toString()
    }),
  )
  for (const [version, text] of texts.entries()) {
    expect(text.match(/Version \d/g)?.length).toBeGreaterThanOrEqual(200)
    expect(new Set(text.match(/Version \d/g))).toEqual(new Set([`Version ${version}`]))
  }
})

test('rejects with the renderer’s error, and then renders the next job', async () => {
  const feed = feedOf('news')
  const collection = await collectionOf(feed)
  const spoilt = { ...collection, records: [null] as never, ledger: new Map() }
  await expect(thread.render(orderOf(feed), spoilt)).rejects.toThrow(TypeError)
  expect((await thread.render(orderOf(feed), collection)).body.length).toBeGreaterThan(1000)
})

test('rejects waiting jobs if the thread exits, and starts a new thread for the next job', async () => {
  const thread = createRenderingThread(log)
  onTestFinished(() => thread[Symbol.asyncDispose]())
  const own = thread.renderingFor(testSite)
  const feed = feedOf('events')
  const collection = await collectionOf(feed)
  const before = await own.render(orderOf(feed), collection)
  // This error is unexpected, so the thread does not catch it.
  const spoilt = { ...collection, ledger: [null] as never }
  await expect(own.render(orderOf(feed), spoilt)).rejects.toThrow(endedEarly)
  expect(lines.join('')).toContain('the rendering thread failed')
  expect(await own.render(orderOf(feed), collection)).toEqual(before)
  const waiting = own.render(orderOf(feed), collection).catch(String)
  await thread[Symbol.asyncDispose]()
  expect(await waiting).toBe(`EndedEarly: ${endedEarly}`)
  await expect(own.render(orderOf(feed), collection)).rejects.toThrow(endedEarly)
})

test('serves several sites, even after one of them crashes the thread', async () => {
  const thread = createRenderingThread(log)
  onTestFinished(() => thread[Symbol.asyncDispose]())
  const feed = feedOf('news')
  const names = ['Milbrook', 'Cedar Hollow', 'Ashton']
  const orders = names.map(async (name, index) => {
    const stories = Array.from({ length: 600 }, (_, id) => story(id + 1, `Of ${name}`))
    const collection = await collectionAfter('news', [stories], now)
    const spoilt = { ...collection, ledger: [null] as never }
    const rendering = thread.renderingFor({ ...testSite, name })
    return rendering.render(orderOf(feed, 'json'), index === 1 ? spoilt : collection)
  })
  const [first, spoilt, last] = await Promise.allSettled(orders)
  expect(spoilt).toMatchObject({ status: 'rejected', reason: { message: endedEarly } })
  for (const [made, name] of [[first, 'Milbrook'] as const, [last, 'Ashton'] as const]) {
    const text = made?.status === 'fulfilled' ? made.value.body.toString() : ''
    expect(text).toContain(`"title":"${name}: News"`)
    expect(new Set(text.match(/Of \w+/g))).toEqual(new Set([`Of ${name}`]))
  }
})
