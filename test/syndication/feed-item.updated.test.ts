import { parseAtomFeed } from 'feedsmith'
import { expect, test } from 'vitest'
import { collectionAfter, renderFeed } from '../support/feed-text.ts'

const start = Date.parse('2026-03-05T15:00:00Z')
const hourMs = 3_600_000
const story = {
  id: 7,
  date: '2026-03-01 10:00:00',
  headline: 'Fire',
  deployed: 1,
  created: '2026-03-01 10:00:00',
  modified: '',
}

async function atomAfter(...readings: readonly object[]) {
  const collection = await collectionAfter(
    'news',
    readings.map((item) => [item]),
    start,
  )
  return renderFeed('news', collection, { now: start + readings.length * hourMs, format: 'atom' })
    .text
}

async function updatedAfter(...readings: readonly object[]) {
  return parseAtomFeed(await atomAfter(...readings)).entries?.[0]?.updated
}

test('does not update a feed when a change is not visible in it', async () => {
  const touched = { ...story, modified: '2026-03-05 10:30:00', modifiedBy: 'Robin Vale' }
  expect(await atomAfter(story, touched)).toBe(await atomAfter(story))
  expect(await updatedAfter(story, touched)).toBe('2026-03-01T15:00:00.000Z')
})

test('updates a feed when a visible change is observed', async () => {
  const changed = { ...story, headline: 'Fire out' }
  expect(await updatedAfter(story, changed)).toBe('2026-03-05T16:00:00.000Z')
  expect(await updatedAfter(story, changed, changed)).toBe('2026-03-05T16:00:00.000Z')
})
