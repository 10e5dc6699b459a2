import { expect, test } from 'vitest'
import { events } from '../../src/feeds/catalog/calendar-feeds.ts'
import { createRenderers, type Feed } from '../../src/feeds/feed.ts'
import { createLogger } from '../../src/log.ts'
import { createFeedDiagnostics, feedSentences } from '../../src/representations/feed-diagnostics.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { collectionAfter } from '../support/feed-text.ts'
import { testSite } from '../support/site.ts'

async function reviewsOf(items: readonly object[], faults: readonly Error[] = []) {
  const clock = createFakeClock()
  const collection = await collectionAfter('events', [items], clock.now())
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => lines.push(line) })
  const left = [...faults]
  const feed: Feed = {
    ...(events as Feed),
    *diagnose(...args) {
      const fault = left.shift()
      if (fault) throw fault
      const diagnosis = (events as Feed).diagnose?.(...args)
      return diagnosis ? yield* diagnosis : { repaired: [], omitted: 0 }
    },
  }
  const collections = { copyOf: () => collection as never }
  const diagnostics = createFeedDiagnostics([feed], collections, {
    renderers: createRenderers(testSite),
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
  await diagnostics.report(events, collection)
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
  for (const feed of [events, events]) await diagnostics.report(feed, collection)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', feed: 'events', repairedCount: 30 },
    { level: 'warn', feed: 'events', omittedCount: 12 },
  ])
  await diagnostics.report(events, { ...collection, version: 'another' })
  expect(lines).toHaveLength(4)
})

test('reports descriptions that are shortened, so that Google accepts the calendar', async () => {
  const long = Array.from({ length: 120 }, (_, index) =>
    event(index + 1, { text: 'word '.repeat(2_000) }),
  )
  const { lines, diagnostics } = await reviewsOf(long)
  const [sentence, ...others] = feedSentences(await diagnostics.states())
  expect(sentence).toBe(
    'events would be larger than 1 MB, which Google Calendar refuses. Descriptions are shortened to 4000 characters. Shorten them on the website.',
  )
  expect(others).toEqual([])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', feed: 'events', shortenedTo: 4_000 },
  ])
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

test('diagnoses each version of a collection once', async () => {
  const { diagnostics } = await reviewsOf([event(1)], [])
  expect((await diagnostics.states())[0]).toBe((await diagnostics.states())[0])
})

test('names the day of a record whose id the website repeats', async () => {
  const days = ['2026-03-06', '2026-03-13'].map((startDate) =>
    event(7, { startDate, allDay: 0, startTime: 'late' }),
  )
  const { diagnostics } = await reviewsOf(days)
  expect(feedSentences(await diagnostics.states())[0]).toMatch(
    /: 7 on 2026-03-06 has an invalid start time; 7 on 2026-03-13 has an invalid start time\.$/,
  )
})
