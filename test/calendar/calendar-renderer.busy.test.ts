import { describe, expect, test } from 'vitest'
import type { FeedResource } from '../../src/records/resources.ts'
import { lintCalendar } from '../support/calendar-lint.ts'
import { collectionAfter, renderFeed } from '../support/feed-text.ts'

const now = Date.parse('2026-03-05T15:00:00Z')

const day = {
  id: 1,
  status: 2,
  title: 'Day',
  type: 'Hall',
  calendarId: 1,
  startDate: '2026-03-10',
  allDay: 1,
}
const timed = { ...day, id: 2, allDay: 0, startTime: '19:00:00', endTime: '21:00:00' }
const sheets = [
  { id: 1, status: 2, title: 'Day', date: '2026-03-10', eventDate: '' },
  { id: 2, status: 2, title: 'Timed', date: '2026-03-10', eventDate: '7 PM' },
]

async function busyOf(resource: FeedResource, query = '', readings?: readonly object[][]) {
  const items = resource === 'signup' ? sheets : [day, timed]
  const collection = await collectionAfter(resource, readings ?? [items], now - 3_600_000)
  const { text } = renderFeed(resource, collection, { now, query })
  expect(lintCalendar(Buffer.from(text))).toEqual([])
  return [
    ...text.matchAll(/UID:\w+-(\d+)[\s\S]*?TRANSP:(\w+)\r\nX-MICROSOFT-CDO-BUSYSTATUS:(\w+)/g),
  ]
    .map(([, id, transparency, status]) => [Number(id), transparency, status])
    .sort(([a], [b]) => Number(a) - Number(b))
}

const free = (id: number) => [id, 'TRANSPARENT', 'FREE']
const busy = (id: number) => [id, 'OPAQUE', 'BUSY']

describe('by default', () => {
  test.for([
    ['events', [free(1), free(2)]],
    ['calendar', [free(1), busy(2)]],
    ['signup', [free(1), busy(2)]],
    ['rental', [busy(1), busy(2)]],
  ] as const)('%s', async ([resource, expected]) => {
    expect(await busyOf(resource)).toEqual(expected)
  })
})

test.for(['calendar', 'events', 'rental', 'signup'] as const)(
  'marks every entry in %s as busy or free on request',
  async (resource) => {
    expect(await busyOf(resource, 'busy=1')).toEqual([busy(1), busy(2)])
    expect(await busyOf(resource, 'busy=0')).toEqual([free(1), free(2)])
  },
)

test('shows canceled entries as free', async () => {
  expect(await busyOf('calendar', 'busy=1&cancelled=mark', [[day, timed], [day]])).toEqual([
    busy(1),
    free(2),
  ])
})
