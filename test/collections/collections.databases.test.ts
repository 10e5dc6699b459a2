import { expect, test } from 'vitest'
import { isOnline } from '../../src/records/fields.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { UpstreamError } from '../../src/upstream/upstream-error.ts'
import { collectionsOf, minuteMs } from '../support/collections.ts'
import { itemsOf } from '../support/feed-text.ts'

const gear = 'databases/2'
const items = itemsOf(sampleDatasetOn('2026-03-05'), gear)

function withGear() {
  const parts = collectionsOf({ resources: [gear, 'news'] })
  parts.website.items[gear] = items
  return parts
}

test('keeps the records of a custom database, which survive a restart', async () => {
  const { collections, clock, website, start, stop } = withGear()
  collections.start()
  await clock.advance(0)
  await stop()
  expect(website.readings.find(({ endpoint }) => endpoint === 'databases')?.query).toEqual({
    DatabaseID: '2',
  })
  const restarted = start()
  await restarted.collections.load()
  const records = restarted.collections.copyOf(gear)?.records ?? []
  expect(records).toHaveLength(120)
  const offline = records.filter((record) => !isOnline(record)).map(({ id }) => id)
  expect(offline).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  const serial = { name: 'serial', title: 'Serial number', value: 'CHV-2008' }
  expect(records[8]?.fields[0]).toEqual(serial)
})

test('reads databases every hour while it reads other records every five minutes', async () => {
  const { collections, clock, website } = withGear()
  collections.start()
  for (let minute = 0; minute < 122; minute += 1) {
    collections.recordRead(gear)
    collections.recordRead('news')
    await clock.advance(minuteMs)
  }
  const count = (name: string) =>
    website.readings.filter(({ endpoint }) => endpoint === name).length
  expect({ databases: count('databases'), news: count('news') }).toEqual({ databases: 3, news: 25 })
})

test('names the endpoint that the API Project has to allow', async () => {
  const { collections, clock, website, lines } = withGear()
  website.failing = 'databases' as typeof gear
  website.failure = new UpstreamError('endpoint_not_allowed', 'databases: 403')
  collections.start()
  await clock.advance(0)
  expect(collections.isSwitchedOff(gear)).toBe(true)
  expect(lines.join('')).toContain('allow the endpoint databases on the API Project')
})
