import { expect, test } from 'vitest'
import { createDailyReaders } from '../../src/front/daily-readers.ts'
import { createUseCounts } from '../../src/front/use-counts.ts'

const dayMs = 24 * 60 * 60_000

test('recognizes each text once a day, and forgets all at midnight UTC', () => {
  let now = Date.parse('2026-03-05T23:00:00Z')
  const isFirst = createDailyReaders({ now: () => now })
  expect(['a', 'b', 'a', '', 'b'].map(isFirst)).toEqual([true, true, false, true, false])
  now += dayMs / 24
  expect(isFirst('a')).toBe(true)
})

test('distinguishes thousands of similar clients, but counts a limited number', () => {
  const isFirst = createDailyReaders({ now: () => 0 })
  const clients = Array.from({ length: 60_000 }, (_, at) => `events 198.51.100.${at} Mozilla/5.0`)
  expect(clients.filter(isFirst)).toHaveLength(50_000)
})

test('a report says which uses are the first ones of a client on this day', () => {
  const counts = createUseCounts(createDailyReaders({ now: () => 0 }))
  const use = { site: 'main', use: 'events', method: 'GET', status: 200, userAgent: 'iOS' }
  for (const address of ['198.51.100.1', '198.51.100.2', '198.51.100.1']) counts.add(use, address)
  counts.add({ ...use, use: 'news' }, '198.51.100.1')
  counts.add({ ...use, method: 'HEAD' }, '198.51.100.3')
  const taken = counts.take().map((each) => [each.use.use, each.use.isReader, each.count])
  expect(taken).toEqual([
    ['events', true, 2],
    ['events', undefined, 1],
    ['events', undefined, 1],
    ['news', true, 1],
  ])
  expect(JSON.stringify(counts.take())).not.toContain('198')
})
