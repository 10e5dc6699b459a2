import { parseFeed } from 'feedsmith'
import { describe, expect, test } from 'vitest'
import { databaseFeed } from '../../src/feeds/database-feed.ts'
import type { FeedFormat } from '../../src/feeds/formats.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { lintCalendar } from '../support/calendar-lint.ts'
import { databaseFrom, gearSetting } from '../support/database-settings.ts'
import { collectionAfter, itemsOf, renderAnyFeed } from '../support/feed-text.ts'
import { expectGolden } from '../support/golden.ts'
import { readCalendar } from '../support/read-calendar.ts'
import { assertWellFormed } from '../support/well-formed.ts'

const now = Date.parse('2026-03-05T15:00:00Z')
const resource = 'databases/2'
const sample = itemsOf(sampleDatasetOn('2026-03-05'), resource)

/** An item as stored. */
const itemWith = (id: number, values: Readonly<Record<string, string>>, more: object = {}) => ({
  id,
  archived: 0,
  created: '2026-03-01 10:00:00',
  modified: '',
  ...more,
  fields: Object.entries(values).map(([name, value]) => ({ name, title: `The ${name}`, value })),
})

async function render(
  items: readonly unknown[],
  { setting = gearSetting, format = 'ics' }: { setting?: string; format?: FeedFormat } = {},
): Promise<string> {
  const collection = await collectionAfter(resource, [items], now - 86_400_000)
  const feed = databaseFeed(databaseFrom(setting))
  return renderAnyFeed(feed, collection, { now, format, profile: 'members' }).text
}

const eventsIn = async (...given: Parameters<typeof render>) =>
  readCalendar(await render(...given)).events

describe('turnout gear from the sample', () => {
  const some = sample.slice(5, 25)

  test('is the same calendar as before', async () => {
    const text = await render(some)
    expectGolden('gear.ics', text)
    expect(lintCalendar(Buffer.from(text))).toEqual([])
  })

  test.for(['rss', 'atom', 'json'] as const)('is the same %s feed as before', async (format) => {
    const text = await render(some, { format })
    expectGolden(`gear.${format}`, text)
    expect(JSON.stringify(parseFeed(text))).toContain('CHV-2008 Coat')
    if (format !== 'json') assertWellFormed(text)
  })

  test('leaves out archived records', async () => {
    const events = await eventsIn(some)
    expect(events.map(({ summary }) => summary)).not.toContain('CHV-2007 Boots')
    expect(events.map(({ summary }) => summary)).toContain('CHV-2008 Coat')
    expect(events).toHaveLength(17)
  })
})

test('shows a date as a day, and a date with a time as a time', async () => {
  const events = await eventsIn([
    itemWith(1, { serial: 'A', retire: '2026-04-01' }),
    itemWith(2, { serial: 'B', retire: '2026-04-02 19:30:00' }),
  ])
  expect(events).toMatchObject([
    { summary: 'A', isDate: true, start: '2026-04-01' },
    { summary: 'B', isDate: false, start: '2026-04-02T19:30:00' },
  ])
})

test('lists records without a valid date only in feeds for feed readers', async () => {
  const items = [
    itemWith(1, { serial: 'A', retire: '' }),
    itemWith(2, { serial: 'B', retire: 'soon' }),
  ]
  expect(await eventsIn(items)).toEqual([])
  const { items: listed } = JSON.parse(await render(items, { format: 'json' }))
  expect(listed).toHaveLength(2)
})

test('lists the record that changed last first', async () => {
  const items = [
    itemWith(1, { serial: 'A' }, { modified: '2026-03-04 10:00:00' }),
    itemWith(2, { serial: 'B' }, { created: '2026-03-02 10:00:00' }),
  ]
  const { items: listed } = JSON.parse(await render(items, { format: 'json' }))
  expect(listed).toMatchObject([
    { title: 'A', date_modified: expect.stringContaining('2026-03-04') },
    { title: 'B' },
  ])
})

test('never changes the ids of records, even if the feed is renamed', async () => {
  const items = [itemWith(7, { serial: 'A', retire: '2026-04-01' })]
  const setting = 'boots=2 title:Boots {serial} date:retire'
  for (const options of [{}, { setting }]) {
    expect(await render(items, options)).toContain('UID:database-2-7@cedarhollow.example\r\n')
    const json = await render(items, { ...options, format: 'json' })
    expect(json).toContain('"id":"tag:cedarhollow.example,2026:database-2-7"')
  }
})

test('shows fields in the order of the setting, with the titles that the website has', async () => {
  const values = {
    kind: 'Coat',
    size: '',
    notes: 'Torn\nsleeve',
    serial: 'A',
    retire: '2026-04-01',
  }
  const setting = 'gear=2 title:{serial} date:retire fields:notes,kind,size'
  const [event] = await eventsIn([itemWith(1, values)], { setting })
  expect(event?.description).toBe('The notes: Torn\nsleeve\nThe kind: Coat')
})

test('calls a record without a title untitled', async () => {
  const [event] = await eventsIn([itemWith(1, { serial: ' ', retire: '2026-04-01' })])
  expect(event?.summary).toBe('Untitled')
})
