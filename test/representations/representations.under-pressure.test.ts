import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { RenderingBusy } from '../../src/representations/render-queue.ts'
import { representationsOf, textOf } from './representations.ts'
import { waitFor } from '../support/wait-for.ts'

/* Tests what happens to representations when rendering fails, is overloaded, or is stopped. */

const maxBytes = 640 * 1024

/** Returns text that takes as many bytes when compressed. */
const noise = (bytes: number) => randomBytes(bytes).toString('base64')

test('logs a failed rendering, keeps the last good representation and retries', async () => {
  const { page, clock, lines, representations, get, change, shows } = representationsOf()
  representations.start()
  const first = await get()
  page.failure = new Error('a fault')
  change(2, 'b')
  await waitFor(() => expect(lines.join('')).toContain('a feed could not be rendered'))
  expect(await get()).toBe(first)
  page.failure = undefined
  await clock.advance(50_000)
  expect(page.renderings).toBe(2)
  await clock.advance(15_000)
  await shows('b')
})

test('keeps the last good representation even after it expires', async () => {
  const { page, lines, get, clock } = representationsOf({ validForMs: 60_000 })
  const first = await get()
  page.failure = new Error('a fault')
  await clock.advance(60_000)
  expect(await get()).toBe(first)
  expect(await get()).toBe(first)
  expect(page.renderings).toBe(2)
  expect(lines).toHaveLength(1)
})

test('rejects a request if rendering fails and there is no earlier representation', async () => {
  const { page, get } = representationsOf()
  page.failure = new Error('a fault')
  await expect(get()).rejects.toBe(page.failure)
  page.failure = undefined
  expect(textOf(await get())).toBe('a')
})

test('renders requested feeds before it does background work', async () => {
  const { rendered, get, change, hold, representations, shows } = representationsOf()
  representations.start()
  for (const query of ['a=1', 'a=2', 'a=3']) await get(query)
  rendered.length = 0
  const release = hold()
  change(2, 'b')
  const asked = get('a=4')
  release()
  expect(textOf(await asked)).toBe('b')
  await shows('b', 'a=3')
  // The first feed was already being rendered.
  expect(rendered).toEqual(['a=1', 'a=4', 'a=2', 'a=3'])
})

test('rejects new requests while too many requests are waiting', async () => {
  const { get, hold } = representationsOf()
  const release = hold()
  const waiting = Array.from({ length: 201 }, (_, index) => get(`a=${index}`))
  await expect(get('a=more')).rejects.toBeInstanceOf(RenderingBusy)
  release()
  expect(await Promise.all(waiting)).toHaveLength(201)
})

test('evicts the least recently used variants to stay within the byte limit', async () => {
  const { page, clock, get, representations } = representationsOf({ maxBytes })
  page.text = noise(150 * 1024)
  for (const query of ['a=1', 'a=2', 'a=3', 'a=4', 'a=1', 'a=5']) {
    await get(query)
    await clock.advance(1)
  }
  expect(page.renderings).toBe(5)
  await get('a=1')
  expect(page.renderings).toBe(5)
  await get('a=2')
  expect(page.renderings).toBe(6)
  expect(representations.kept().bytes).toBeLessThan(650 * 1024)
})

test('says which variants it has evicted', async () => {
  const { page, clock, get, representations } = representationsOf({ maxBytes })
  const evicted: string[] = []
  representations.onChange(({ chosen }, { isEvicted }) => {
    if (isEvicted) evicted.push(chosen.query)
  })
  page.text = noise(400 * 1024)
  for (const query of ['a=1', 'a=2', 'a=3']) {
    await get(query)
    await clock.advance(1)
  }
  expect(evicted).toEqual(['a=1', 'a=2'])
})

test('delivers a variant to waiting requests even if it has already been evicted', async () => {
  const { page, clock, get, hold, representations } = representationsOf({ maxBytes })
  page.text = noise(400 * 1024)
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

test('does not make requests wait for background work', async () => {
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

test('serves outdated feeds while overloaded', async () => {
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

test('finishes only the running task when stopped', async () => {
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

test('renders again immediately if the records changed during rendering', async () => {
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

test('never evicts pinned feeds to make room for variants', async () => {
  const { page, clock, get, representations } = representationsOf({ isPinned: true, maxBytes })
  page.text = noise(300 * 1024)
  for (const query of ['', 'a=1', 'a=2', 'a=3']) {
    await get(query)
    await clock.advance(1)
  }
  expect(representations.kept().pinned).toHaveLength(1)
  await get()
  expect(page.renderings).toBe(4)
})
