import { expect, test } from 'vitest'
import { feeds } from '../../src/feeds/catalog.ts'
import { createRenderers } from '../../src/feeds/feed.ts'
import { renderingHere, type Rendering } from '../../src/representations/rendering.ts'
import { createLogger } from '../../src/log.ts'
import { createFeedDiagnostics, feedSentences } from '../../src/representations/feed-diagnostics.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { collectionAfter } from '../support/feed-text.ts'
import { testSite } from '../support/site.ts'

const events = feeds.filter(({ id }) => id === 'events')

async function reviewsOf(items: readonly object[], faults: readonly Error[] = []) {
  const clock = createFakeClock()
  const collection = await collectionAfter('events', [items], clock.now())
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => lines.push(line) })
  const here = renderingHere(createRenderers(testSite))
  const left = [...faults]
  const diagnose: Rendering['diagnose'] = (...order) => {
    const fault = left.shift()
    return fault ? Promise.reject(fault) : here.diagnose(...order)
  }
  const collections = { copyOf: () => collection as never }
  const diagnostics = createFeedDiagnostics(events, collections, {
    rendering: { diagnose },
    clock,
    log,
  })
  return { collection, lines, diagnostics }
}

const event = (id: number, change: object = {}) => ({
  id,
  title: 'Drill',
  status: 2,
  startDate: '2026-03-06',
  allDay: 1,
  ...change,
})

test('reports nothing for a feed without problems', async () => {
  const { collection, lines, diagnostics } = await reviewsOf([event(1)])
  for (const feed of events) await diagnostics.report(feed, collection)
  expect(lines).toEqual([])
  expect(feedSentences(await diagnostics.states())).toEqual([])
})

test('reports repaired and omitted records, and names the first few', async () => {
  const spoilt = Array.from({ length: 30 }, (_, index) =>
    event(index + 1, { endDate: '2026-03-01' }),
  )
  const many = Array.from({ length: 1_982 }, (_, index) => event(index + 31))
  const { collection, lines, diagnostics } = await reviewsOf([...spoilt, ...many])
  const [state] = await diagnostics.states()
  expect(state).toMatchObject({ name: 'events', repairedCount: 30, omittedCount: 12 })
  expect(state?.repaired).toHaveLength(20)
  const [first = '', second] = feedSentences(await diagnostics.states())
  expect(first).toMatch(/^events has 30 records with invalid times.*: 1 ends before/)
  expect(first.match(/ends before/g)).toHaveLength(5)
  expect(second).toMatch(/^events has 12 more entries/)
  for (const feed of [...events, ...events]) await diagnostics.report(feed, collection)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', feed: 'events', repairedCount: 30 },
    { level: 'warn', feed: 'events', omittedCount: 12 },
  ])
  for (const feed of events) await diagnostics.report(feed, { ...collection, version: 'another' })
  expect(lines).toHaveLength(4)
})

test('logs a failed diagnosis, keeps running, and retries it', async () => {
  const { lines, diagnostics } = await reviewsOf(
    [event(1, { endDate: '2026-03-01' })],
    [new Error('x')],
  )
  expect(await diagnostics.states()).toEqual([])
  expect(lines.join('')).toContain('a feed could not be checked for problems')
  expect(await diagnostics.states()).toMatchObject([{ name: 'events', repairedCount: 1 }])
})

test('shares one diagnosis between concurrent callers', async () => {
  const { diagnostics } = await reviewsOf([event(1)], [])
  const [first, second] = await Promise.all([diagnostics.states(), diagnostics.states()])
  expect(first[0]).toBe(second[0])
})
