import { expect, test, vi } from 'vitest'
import { UpstreamError } from '../../../src/upstream/upstream-error.ts'
import { requestRetry } from '../../../src/store/service-signals.ts'
import { StoreError } from '../../../src/store/store-error.ts'
import { collectionsOf, minuteMs } from '../../support/collections.ts'

const notAllowed = new UpstreamError('endpoint_not_allowed', 'events: 403 endpoint_not_allowed')
const resources = ['news', 'events'] as const

function refusing() {
  const parts = collectionsOf({ resources })
  parts.website.items.events = []
  parts.website.failure = notAllowed
  parts.website.failing = 'events'
  return parts
}

const switchedOff = { name: 'CollectionUnavailable', kind: 'not allowed' }

test('stops reading a refused endpoint immediately, and keeps reading the others', async () => {
  const { collections, readingsOf, lines, run } = refusing()
  await run()
  expect(resources.map(collections.isSwitchedOff)).toEqual([false, true])
  await expect(collections.read('events')).rejects.toMatchObject(switchedOff)
  expect((await collections.read('news')).records.length).toBeGreaterThan(0)
  expect(readingsOf('events')).toHaveLength(1)
  expect(lines.join('')).toMatch(
    /is not allowed to read events, so the feed events is turned off\. Ask a web/,
  )
})

test('retries a refused endpoint every 15 minutes, and resumes reading it once it is allowed', async () => {
  const { collections, clock, readingsOf, website, run } = refusing()
  await run(14 * minuteMs)
  expect(readingsOf('events')).toHaveLength(1)
  await clock.advance(2 * minuteMs)
  expect(readingsOf('events')).toHaveLength(2)
  website.failure = undefined
  await clock.advance(15 * minuteMs)
  expect(collections.isSwitchedOff('events')).toBe(false)
  expect((await collections.read('events')).records).toEqual([])
  const [, events] = collections.states()
  expect(events).toMatchObject({ refusal: undefined, failure: undefined })
})

test('keeps serving the copy that was read before the refusal', async () => {
  const { collections, clock, website, run } = refusing()
  website.failure = undefined
  await run(minuteMs)
  const before = await collections.read('events')
  website.failure = notAllowed
  await clock.advance(20 * minuteMs)
  expect(collections.states()[1]?.refusal).toBeDefined()
  expect(collections.isSwitchedOff('events')).toBe(false)
  expect(await collections.read('events')).toBe(before)
})

test('shares refusals and restored permissions with other replicas', async () => {
  const parts = refusing()
  const { clock, readingsOf, website } = parts
  const second = await parts.startLoaded()
  await parts.run()
  expect(second.collections.isSwitchedOff('events')).toBe(false)
  second.collections.start()
  await clock.advance(10 * minuteMs)
  expect(second.collections.isSwitchedOff('events')).toBe(true)
  expect(readingsOf('events').length).toBeLessThanOrEqual(2)
  website.failure = undefined
  await clock.advance(16 * minuteMs)
  expect(second.collections.isSwitchedOff('events')).toBe(false)
  expect(second.collections.copyOf('events')).toBeDefined()
})

test('retries once when an operator reports a fix', async () => {
  const { collections, clock, website, store, readingsOf, run } = refusing()
  await run(minuteMs)
  website.failure = undefined
  await requestRetry(store.documents)
  await collections.load()
  await collections.load()
  await clock.advance(5_000)
  expect(readingsOf('events')).toHaveLength(2)
  expect(collections.isSwitchedOff('events')).toBe(false)
})

test('remembers a refusal after a restart, retries immediately, and does not make requests wait', async () => {
  const parts = refusing()
  const { clock, website, readingsOf } = parts
  await parts.run(minuteMs)
  await parts.stop()
  const next = await parts.startLoaded()
  await expect(next.collections.read('events')).rejects.toMatchObject(switchedOff)
  expect(readingsOf('events')).toHaveLength(1)
  website.failure = undefined
  next.collections.start()
  await clock.advance(0)
  expect(next.collections.isSwitchedOff('events')).toBe(false)
})

test('keeps a refusal in memory while the store is down, and stores it once the store is back', async () => {
  const { collections, clock, store, run, startLoaded, stop } = refusing()
  const full = new StoreError('full', 'The disk is full.')
  const write = vi.spyOn(store.documents, 'write').mockRejectedValue(full)
  await run(minuteMs)
  expect(collections.isSwitchedOff('events')).toBe(true)
  write.mockRestore()
  await clock.advance(minuteMs)
  await stop()
  const next = await startLoaded()
  expect(next.collections.isSwitchedOff('events')).toBe(true)
})

test('ignores stored data that is invalid', async () => {
  const { collections, store } = refusing()
  await store.documents.write([{ bucket: 'refused-endpoints', id: 'news', value: '{"since":' }])
  await collections.load()
  expect(collections.isSwitchedOff('news')).toBe(false)
})
