import { setImmediate } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { assert, expect, test } from 'vitest'
import { wholeSeconds } from '../../src/records/recorded-change.ts'
import { sizeOf } from '../../src/representations/encodings.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { representationsOf, textOf } from './representations.ts'
import { waitFor } from '../support/wait-for.ts'

const hourMs = 3_600_000

test('renders a feed only once for concurrent requests', async () => {
  const { page, get, ready } = representationsOf()
  expect(ready()).toBeUndefined()
  const all = await Promise.all(Array.from({ length: 50 }, () => get()))
  expect(new Set(all).size).toBe(1)
  expect(ready()).toBe(all[0])
  expect(page.renderings).toBe(1)
})

test('has a strong ETag derived from its bytes, and a Last-Modified time derived from its records', async () => {
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

test('is compressed with gzip immediately and with Brotli later, each with its own ETag', async () => {
  const text = Array.from({ length: 500 }, (_, index) => `smaller ${index * 7919} `).join('')
  const { page, get, representations, target } = representationsOf()
  page.text = text
  const { encodings } = await get()
  representations.useBrotli(target())
  assert(encodings.gzip)
  expect(gunzipSync(encodings.gzip.bytes).toString()).toBe(text)
  const better = await waitFor(async () => {
    const { encodings: now } = await get()
    assert(now.br)
    return { ...now, br: now.br }
  })
  expect(better).toMatchObject(encodings)
  expect(brotliDecompressSync(better.br.bytes).toString()).toBe(text)
  expect(better.br.bytes.length).toBeLessThan(encodings.gzip.bytes.length)
  const tags = [better.identity.etag, encodings.gzip.etag, better.br.etag]
  expect(new Set(tags).size).toBe(3)
  // The text is decompressed from gzip when it is needed.
  expect(better.identity).toMatchObject({ isInflated: true, length: text.length })
  const { bytes } = better.identity
  expect(bytes.toString()).toBe(text)
  expect(bytes.buffer.byteLength).toBeLessThanOrEqual(2 * bytes.length)
  expect(sizeOf((await get()).encodings)).toBe(encodings.gzip.length + better.br.length)
})

test('keeps only the compressed form of a calendar of any size', async () => {
  // Calendars have at most about a million bytes.
  const text = Array.from({ length: 100_000 }, (_, index) => String(index * 7919).padStart(10))
  const { page, get } = representationsOf()
  page.text = text.join('')
  const { encodings } = await get()
  expect(page.text).toHaveLength(1_000_000)
  expect(sizeOf(encodings)).toBe(encodings.gzip?.length)
  expect(encodings.identity.bytes.toString()).toBe(page.text)
})

test('is compressed with Brotli only once a client has accepted it', async () => {
  const { page, representations, get, brotliOf, target, change, shows } = representationsOf({
    text: 'a'.repeat(1000),
    isPinned: true,
  })
  await waitFor(() => expect(page.renderings).toBe(1))
  representations.start()
  await get()
  await get('limit=1')
  representations.useBrotli(target('limit=1'))
  // Representations are compressed in order.
  await waitFor(() => expect(brotliOf('limit=1')).toBeDefined())
  expect(brotliOf()).toBeUndefined()
  expect(representations.kept().pinned).toHaveLength(1)
  representations.useBrotli(target())
  await waitFor(() => expect(brotliOf()).toBeDefined())
  change(2, 'b'.repeat(1000))
  await shows('b'.repeat(1000))
  await waitFor(() => expect(brotliOf()).toBeDefined())
})

test('stops while the feeds of other sites are being compressed', async () => {
  const text = Array.from({ length: 20_000 }, (_, index) => `${index * 7919} `).join('')
  const sites = Array.from({ length: 3 }, () => representationsOf({ text }))
  for (const { get, representations, target } of sites) {
    await get()
    representations.useBrotli(target())
  }
  await setImmediate()
  const [first, ...others] = sites
  await Promise.all(others.map(({ representations }) => representations[Symbol.asyncDispose]()))
  await waitFor(() => expect(first?.brotliOf()).toBeDefined())
  expect(others.map(({ brotliOf }) => brotliOf())).toEqual([undefined, undefined])
})

test('discards encodings that are not smaller', async () => {
  const { get, representations } = representationsOf()
  await get()
  await representations[Symbol.asyncDispose]()
  expect(Object.keys((await get()).encodings)).toEqual(['identity'])
})

test('rebuilds an active feed in the background, and serves the old version in the meantime', async () => {
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

test('does not rebuild a feed that has been unused for an hour until it is requested again', async () => {
  const { page, clock, representations, get, ready, change } = representationsOf()
  representations.start()
  await get()
  await clock.advance(hourMs)
  change(2, 'b')
  expect(ready()).toBeUndefined()
  expect(page.renderings).toBe(1)
  expect(textOf(await get())).toBe('b')
})

test('drops a feed when it is turned off', async () => {
  const { representations } = representationsOf({ isPinned: true })
  representations.start()
  await waitFor(() => expect(representations.kept().pinned).toHaveLength(1))
  representations.keepReady([])
  expect(representations.kept().pinned).toEqual([])
})

test('builds pinned feeds in advance and keeps them fresh without requests', async () => {
  const { page, clock, source, representations, change } = representationsOf({ isPinned: true })
  representations.start()
  const texts = () =>
    representations.kept().pinned.map(({ representation }) => textOf(representation))
  await waitFor(() => expect(texts()).toEqual(['a']))
  await clock.advance(5 * hourMs)
  change(2, 'b')
  await waitFor(() => expect(texts()).toEqual(['b']))
  expect(page.renderings).toBe(2)
  // Rendering a feed does not count as a use of its collection, so it does not cause an API call.
  expect(source.readers).toBe(0)
})

test('counts every request as a use of the collection', async () => {
  const { source, get } = representationsOf()
  for (let requests = 1; requests <= 3; requests += 1) {
    await get()
    expect(source.readers).toBe(requests)
  }
})

test('keeps the ETags and Last-Modified if changed records render as the same text', async () => {
  const { page, clock, representations, get, change } = representationsOf()
  representations.start()
  const first = await get()
  await clock.advance(60_000)
  change(2)
  await waitFor(() => expect(page.renderings).toBe(2))
  expect(await get()).toBe(first)
})

test('updates the ETag and Last-Modified when the text changes', async () => {
  const { representations, get, change, changedAt, shows } = representationsOf()
  representations.start()
  const first = await get()
  change(2, 'b')
  await shows('b')
  const second = await get()
  expect(second.encodings.identity.etag).not.toBe(first.encodings.identity.etag)
  expect(second.lastModified).toBe(changedAt + 2000)
})

test('moves Last-Modified on if the text changes again in the same second', async () => {
  const { clock, representations, get, change, changedAt, shows } = representationsOf()
  representations.start()
  expect((await get()).lastModified).toBe(changedAt + 1000)
  change(1.2, 'b')
  await shows('b')
  expect((await get()).lastModified).toBe(clock.now())
})

test('never moves Last-Modified back, even if a clock is ahead', async () => {
  const { representations, get, change, changedAt, shows } = representationsOf()
  representations.start()
  change(1000)
  const { lastModified } = await get()
  expect(lastModified).toBe(changedAt + 1000_000)
  change(3, 'b')
  await shows('b')
  expect((await get()).lastModified).toBe(wholeSeconds(lastModified) + 1000)
})

test('moves Last-Modified on with the text after the clock was set back', async () => {
  const { representations, get, change, shows, setClockBack } = representationsOf()
  representations.start()
  change(1000)
  const before = await get()
  setClockBack(24 * hourMs)
  change(1001, 'b')
  await shows('b')
  expect((await get()).lastModified).toBe(before.lastModified + 1000)
})

test('has a Last-Modified time no earlier than the last change of settings or Feedhouse version', async () => {
  const presentationChangedAt = createFakeClock().now() - 1
  const { get } = representationsOf({ presentationChangedAt })
  expect((await get()).lastModified).toBe(presentationChangedAt)
})

test('sets Last-Modified to the time when the date changed the content, even for the first rendering', async () => {
  const { page, get, clock } = representationsOf({ validForMs: hourMs })
  await get()
  page.text = 'b'
  await clock.advance(24 * hourMs)
  const expected = clock.now() - (clock.now() % hourMs)
  expect(await get()).toMatchObject({ lastModified: expected })
  expect(await get('limit=2')).toMatchObject({ lastModified: expected })
})

test('never serves a feed after it expires', async () => {
  const { page, get, ready, clock } = representationsOf({ validForMs: 60_000 })
  const first = await get()
  page.text = 'b'
  await clock.advance(59_999)
  expect(await get()).toBe(first)
  await clock.advance(1)
  expect(ready()).toBeUndefined()
  expect(textOf(await get())).toBe('b')
})

test('rebuilds expired feeds in the background', async () => {
  const { page, get, ready, clock, representations } = representationsOf({ validForMs: 60_000 })
  representations.start()
  await get()
  page.text = 'b'
  await clock.advance(65_000)
  await waitFor(() => expect(ready()).toBeDefined())
  expect(page.renderings).toBe(2)
})
