import { expect, test } from 'vitest'
import { feedSentences, feedStatus } from '../../src/representations/feed-status.ts'

test('nothing is said of a feed that shows everything as it is', () => {
  expect(feedSentences([feedStatus('events', { repaired: [], omitted: 0 })])).toEqual([])
})

test('what is repaired and what is left out is said, with the first records by name', () => {
  const repaired = Array.from({ length: 30 }, (_, index) => ({
    id: index + 1,
    reason: 'ends before it starts',
  }))
  const status = feedStatus('events', { repaired, omitted: 12 })
  expect(status).toMatchObject({ repairedCount: 30, omittedCount: 12 })
  expect(status.repaired).toHaveLength(20)
  const [first = '', second] = feedSentences([status])
  expect(first).toMatch(/^events has 30 records with times that make no sense.*: 1 ends before/)
  expect(first.match(/ends before/g)).toHaveLength(5)
  expect(second).toMatch(/^events has 12 entries more/)
})
