import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { assert, expect, onTestFinished, test, vi } from 'vitest'
import type { Collection } from '../../src/collections/collection.ts'
import { createRenderers, type Feed, type Variant } from '../../src/feeds/feed.ts'
import { createLogger } from '../../src/log.ts'
import { RenderingBusy } from '../../src/representations/render-queue.ts'
import { renderingHere, type Rendering } from '../../src/representations/rendering.ts'
import { sizeOf } from '../../src/representations/representation.ts'
import { createRepresentations } from '../../src/representations/representations.ts'
import { plainTargets, targetOf } from '../../src/representations/target.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { oneCollection } from '../support/one-collection.ts'
import { testSite } from '../support/site.ts'

const hourMs = 3_600_000

/** A feed that counts its renderings and shows what the test says. */
function representationsOf({
  validForMs = Infinity,
  isPinned = false,
  shownSince = 0,
}: {
  readonly validForMs?: number
  readonly isPinned?: boolean
  readonly shownSince?: number
} = {}) {
  const clock = createFakeClock()
  const changedAt = clock.now() - 60_000
  const page = { text: 'a', renderings: 0, failure: undefined as Error | undefined }
  const render: Variant['render'] = (_source, { now }) => {
    page.renderings += 1
    if (page.failure) throw page.failure
    const validFrom = now - (now % validForMs)
    return { body: Buffer.from(page.text), title: 'News', validFrom, validUntil: now + validForMs }
  }
  const feed: Feed = {
    id: 'news',
    title: 'News',
    summary: '',
    resource: 'news',
    formats: ['rss'],
    variant: (query) => ({ ok: true, variant: { query: query.toString(), render } }),
    parts: () => [],
    page: () => undefined,
  }
  const version = (number: number): Collection => ({
    resource: 'news',
    records: [],
    rejected: [],
    rejectedCount: 0,
    omittedCount: 0,
    ledger: new Map(),
    fetchedAt: changedAt,
    changedAt: changedAt + number * 1000,
    version: String(number),
  })
  const { source, collections } = oneCollection(version(1))
  const told: string[] = []
  const lines: string[] = []
  const here = renderingHere(createRenderers(testSite))
  let gate: Promise<void> | undefined
  const rendering: Rendering = {
    ...here,
    async render(order, collection) {
      await gate
      return here.render(order, collection)
    },
  }
  const representations = createRepresentations(collections, {
    pinned: isPinned ? plainTargets([feed]) : [],
    rendering,
    reviews: { tell: async ({ id }, collection) => void told.push(`${id} ${collection.version}`) },
    ...{ shownSince, clock, log: createLogger('info', { write: (line) => lines.push(line) }) },
  })
  onTestFinished(() => representations[Symbol.asyncDispose]())

  function target(query = '') {
    const reading = feed.variant(new URLSearchParams(query), 'rss')
    if (!reading.ok) throw new TypeError(reading.reason)
    return targetOf(feed, reading.variant, 'rss')
  }
  const get = async (query = '') => representations.get(target(query))
  return {
    ...{ clock, page, source, changedAt, told, lines, representations, get },
    ready: (query = '') => representations.ready(target(query)),
    change: (number: number, text?: string) => {
      if (text !== undefined) page.text = text
      source.change(version(number))
    },
    /** Until it is called again, nothing more is rendered. */
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return () => {
        gate = undefined
        resolve()
      }
    },
    /** Until what is shown is this text. */
    shows: (text: string, query = '') =>
      vi.waitFor(async () => expect(textOf(await get(query))).toBe(text)),
  }
}

const textOf = ({ encodings }: { encodings: { identity: { bytes: Buffer } } }) =>
  encodings.identity.bytes.toString()

test('is made once, also when many ask for it at the same time', async () => {
  const { page, get, ready } = representationsOf()
  expect(ready()).toBeUndefined()
  const all = await Promise.all(Array.from({ length: 50 }, () => get()))
  expect(new Set(all).size).toBe(1)
  expect(ready()).toBe(all[0])
  expect(page.renderings).toBe(1)
})

test('carries a strong tag of its bytes and the time its records changed', async () => {
  const { get, changedAt } = representationsOf()
  expect(await get()).toMatchObject({
    contentType: 'application/rss+xml; charset=utf-8',
    title: 'News',
    lastModified: changedAt + 1000,
    encodings: {
      identity: {
        bytes: Buffer.from('a'),
        etag: '"ypeBEsobvcr6wjGzmiPcTaeG7_gUfE5yuYB3ha_uSLs"',
      },
    },
  })
})

test('is compressed with gzip at once and with brotli later, each with a tag of its own', async () => {
  const text = Array.from({ length: 500 }, (_, index) => `smaller ${index * 7919} `).join('')
  const { page, get } = representationsOf()
  page.text = text
  const { encodings } = await get()
  assert(encodings.gzip)
  expect(gunzipSync(encodings.gzip.bytes).toString()).toBe(text)
  const better = await vi.waitFor(async () => {
    const { encodings: now } = await get()
    assert(now.br)
    return { ...now, br: now.br }
  })
  expect(better).toMatchObject(encodings)
  expect(brotliDecompressSync(better.br.bytes).toString()).toBe(text)
  expect(better.br.bytes.length).toBeLessThan(encodings.gzip.bytes.length)
  const tags = [better.identity.etag, encodings.gzip.etag, better.br.etag]
  expect(new Set(tags).size).toBe(3)
  expect(sizeOf(await get())).toBe(
    text.length + encodings.gzip.bytes.length + better.br.bytes.length,
  )
})

test('no encoding is kept that is not smaller', async () => {
  const { get, representations } = representationsOf()
  await get()
  await representations[Symbol.asyncDispose]()
  expect(Object.keys((await get()).encodings)).toEqual(['identity'])
})

test('what changes while somebody uses it is made in the background; until then the last one is shown', async () => {
  const { page, representations, get, ready, change, hold, shows } = representationsOf()
  representations.start()
  const first = await get()
  const release = hold()
  change(2, 'b')
  expect(ready()).toBe(first)
  expect(await get()).toBe(first)
  release()
  await shows('b')
  expect(page.renderings).toBe(2)
})

test('what nobody has used for an hour is made when somebody asks, and not before', async () => {
  const { page, clock, representations, get, ready, change } = representationsOf()
  representations.start()
  await get()
  await clock.advance(hourMs)
  change(2, 'b')
  expect(ready()).toBeUndefined()
  expect(page.renderings).toBe(1)
  expect(textOf(await get())).toBe('b')
})

test('what is pinned is made before anybody asks, and kept up when nobody does', async () => {
  const { page, clock, source, representations, change } = representationsOf({ isPinned: true })
  representations.start()
  const texts = () =>
    representations.kept().pinned.map(({ representation }) => textOf(representation))
  await vi.waitFor(() => expect(texts()).toEqual(['a']))
  await clock.advance(5 * hourMs)
  change(2, 'b')
  await vi.waitFor(() => expect(texts()).toEqual(['b']))
  expect(page.renderings).toBe(2)
  // That is no reader: nobody reads the website for it.
  expect(source.readers).toBe(0)
})

test('every answer counts as a reader of the collection', async () => {
  const { source, clock, get, ready } = representationsOf()
  await get()
  const before = source.readers
  for (let answers = 0; answers < 3; answers += 1) {
    await clock.advance(1)
    ready()
  }
  expect(source.readers).toBe(before + 3)
})

test('a new version with the same text leaves tags and time as they are', async () => {
  const { page, clock, representations, get, change } = representationsOf()
  representations.start()
  const first = await get()
  await clock.advance(60_000)
  change(2)
  await vi.waitFor(() => expect(page.renderings).toBe(2))
  expect(await get()).toBe(first)
})

test('another text has another tag and the time that its records changed', async () => {
  const { representations, get, change, changedAt, shows } = representationsOf()
  representations.start()
  const first = await get()
  change(2, 'b')
  await shows('b')
  const second = await get()
  expect(second.encodings.identity.etag).not.toBe(first.encodings.identity.etag)
  expect(second.lastModified).toBe(changedAt + 2000)
})

test('its time never goes back, and is never later than now', async () => {
  const { clock, representations, get, change, shows } = representationsOf()
  representations.start()
  change(1000)
  expect((await get()).lastModified).toBe(clock.now())
  change(3, 'b')
  await shows('b')
  expect((await get()).lastModified).toBe(clock.now())
})

test('its time is no earlier than when settings or Feedhouse last changed it', async () => {
  const shownSince = createFakeClock().now() - 1
  const { get } = representationsOf({ shownSince })
  expect((await get()).lastModified).toBe(shownSince)
})

test('what the clock has made another has the time of that, also when made for the first time', async () => {
  const { page, get, clock } = representationsOf({ validForMs: hourMs })
  await get()
  page.text = 'b'
  await clock.advance(24 * hourMs)
  const expected = clock.now() - (clock.now() % hourMs)
  expect(await get()).toMatchObject({ lastModified: expected })
  expect(await get('limit=2')).toMatchObject({ lastModified: expected })
})

test('nobody gets what the clock has made another, not for a moment', async () => {
  const { page, get, ready, clock } = representationsOf({ validForMs: 60_000 })
  const first = await get()
  page.text = 'b'
  await clock.advance(59_999)
  expect(await get()).toBe(first)
  await clock.advance(1)
  expect(ready()).toBeUndefined()
  expect(textOf(await get())).toBe('b')
})

test('what the clock makes another is made in the background too', async () => {
  const { page, get, ready, clock, representations } = representationsOf({ validForMs: 60_000 })
  representations.start()
  await get()
  page.text = 'b'
  await clock.advance(65_000)
  await vi.waitFor(() => expect(ready()).toBeDefined())
  expect(page.renderings).toBe(2)
})

test('what cannot be made is told; the last good one stays, and it is tried again', async () => {
  const { page, clock, lines, representations, get, change, shows } = representationsOf()
  representations.start()
  const first = await get()
  page.failure = new Error('a fault')
  change(2, 'b')
  await vi.waitFor(() => expect(lines.join('')).toContain('a feed could not be made'))
  expect(await get()).toBe(first)
  page.failure = undefined
  await clock.advance(50_000)
  expect(page.renderings).toBe(2)
  await clock.advance(15_000)
  await shows('b')
})

test('also where the clock has made it another', async () => {
  const { page, lines, get, clock } = representationsOf({ validForMs: 60_000 })
  const first = await get()
  page.failure = new Error('a fault')
  await clock.advance(60_000)
  expect(await get()).toBe(first)
  expect(await get()).toBe(first)
  expect(page.renderings).toBe(2)
  expect(lines).toHaveLength(1)
})

test('where there is no last good one, the fault is who asks’', async () => {
  const { page, get } = representationsOf()
  page.failure = new Error('a fault')
  await expect(get()).rejects.toBe(page.failure)
  page.failure = undefined
  expect(textOf(await get())).toBe('a')
})

test('what somebody waits for is made before what nobody waits for', async () => {
  const { page, told, get, change, hold, representations, shows } = representationsOf()
  representations.start()
  for (const query of ['a=1', 'a=2', 'a=3']) await get(query)
  const release = hold()
  change(2, 'b')
  const asked = get('a=4')
  told.length = 0
  release()
  expect(textOf(await asked)).toBe('b')
  // One was being made already.
  expect(told.length).toBeLessThanOrEqual(2)
  await shows('b', 'a=3')
  expect(page.renderings).toBe(7)
})

test('when too much is waited for, who comes then is told', async () => {
  const { get, hold } = representationsOf()
  const release = hold()
  const waiting = Array.from({ length: 201 }, (_, index) => get(`a=${index}`))
  await expect(get('a=more')).rejects.toBeInstanceOf(RenderingBusy)
  release()
  expect(await Promise.all(waiting)).toHaveLength(201)
})

test('of variants only so many bytes are kept, those used last', async () => {
  const { page, clock, get, representations } = representationsOf()
  page.text = 'x'.repeat(15 * 1024 * 1024)
  for (const query of ['a=1', 'a=2', 'a=3', 'a=4', 'a=1', 'a=5']) {
    await get(query)
    await clock.advance(1)
  }
  expect(page.renderings).toBe(5)
  await get('a=1')
  expect(page.renderings).toBe(5)
  await get('a=2')
  expect(page.renderings).toBe(6)
  expect(representations.kept().bytes).toBeLessThan(65 * 1024 * 1024)
})

test('who waits for a variant gets it, also when its place is needed meanwhile', async () => {
  const { page, clock, get, hold, representations } = representationsOf()
  page.text = 'x'.repeat(40 * 1024 * 1024)
  const release = hold()
  const first = get('a=1')
  await clock.advance(1)
  const others = [get('a=2'), get('a=3')]
  release()
  for (const asked of [first, ...others]) {
    expect(textOf(await asked)).toHaveLength(page.text.length)
  }
  expect(representations.kept()).toMatchObject({ count: 1 })
})

test('what changes in the background makes nobody wait, however much it is', async () => {
  const { clock, get, change, hold, representations } = representationsOf()
  representations.start()
  for (let index = 0; index < 250; index += 1) await get(`a=${index}`)
  await clock.advance(1)
  const release = hold()
  change(2, 'b')
  const asked = get('cold=1')
  release()
  expect(textOf(await asked)).toBe('b')
})

test('while too much is waited for, what was shown before goes on being shown', async () => {
  const { page, clock, get, hold, ready } = representationsOf({ validForMs: 60_000 })
  const first = await get()
  const release = hold()
  const waiting = Array.from({ length: 201 }, (_, index) => get(`a=${index}`))
  await clock.advance(60_000)
  await expect(get()).rejects.toBeInstanceOf(RenderingBusy)
  release()
  await Promise.all(waiting)
  page.text = 'b'
  expect(textOf(await get())).toBe('b')
  expect(ready()).not.toBe(first)
})

test('when it stops, what is being made is made, and nothing else', async () => {
  const { page, get, change, hold, representations } = representationsOf()
  representations.start()
  for (const query of ['a=1', 'a=2', 'a=3']) await get(query)
  const release = hold()
  change(2, 'b')
  const stopped = representations[Symbol.asyncDispose]()
  release()
  await stopped
  change(3, 'c')
  expect(page.renderings).toBe(4)
})

test('what changes while it is made is made again at once', async () => {
  const { page, get, change, hold, representations, shows } = representationsOf()
  representations.start()
  await get()
  const release = hold()
  change(2, 'b')
  change(3, 'c')
  release()
  await shows('c')
  expect(page.renderings).toBe(3)
})

test('what is pinned is never given up for variants', async () => {
  const { page, clock, get, representations } = representationsOf({ isPinned: true })
  page.text = 'x'.repeat(30 * 1024 * 1024)
  for (const query of ['', 'a=1', 'a=2', 'a=3']) {
    await get(query)
    await clock.advance(1)
  }
  expect(representations.kept().pinned).toHaveLength(1)
  await get()
  expect(page.renderings).toBe(4)
})
