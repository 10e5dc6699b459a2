import { expect, test } from 'vitest'
import { feeds } from '../../../src/feeds/catalog.ts'
import { dutyCalendars, dutyItems, withDutyOnce } from '../../../src/http/board/board-duty.ts'
import { boardItem, type BoardItem } from '../../../src/signage/board-item.ts'
import { startTestService } from '../../support/service.ts'
import { sharedService } from '../../support/shared-service.ts'

const service = sharedService({ publicFeedIds: ['events', 'calendar'] })

async function itemsOf(query: string): Promise<readonly BoardItem[]> {
  const response = await fetch(`${service().url}/board.json${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as readonly BoardItem[]
}

const about = { id: 'calendar-1', kind: 'calendar', role: 'agenda', title: '', when: '' } as const

test.for([
  ['an all-day entry', '2026-03-05', '2026-03-06', true],
  ['a night', '2026-03-05T22:00:00', '2026-03-06T06:00:00', true],
  ['a day shift', '2026-03-05T07:00:00', '2026-03-05T15:00:00', true],
  ['a meeting', '2026-03-05T19:00:00', '2026-03-05T21:00:00', false],
  ['an evening until midnight', '2026-03-05T20:00:00', '2026-03-06T00:00:00', false],
  ['an entry without an end', '2026-03-05T19:00:00', null, false],
] as const)('decides for %s whether it is duty', ([, start, end, isDuty]) => {
  const item = boardItem({ ...about, start, end, allDay: start.length === 10 })
  const expected = isDuty ? [{ ...item, role: 'duty' }] : []
  expect(dutyItems([item])).toEqual(expected)
})

test('finds duty only in calendars', () => {
  expect(dutyCalendars(feeds, [3])).toMatchObject({
    feed: { id: 'calendar' },
    chosen: { query: 'calendar=3' },
  })
  expect(dutyCalendars(feeds, [])).toBeUndefined()
  expect(dutyCalendars([], [3])).toBeUndefined()
})

test('shows the entries of duty calendars apart from the agenda, and only once', async () => {
  const items = await itemsOf('?duty=3')
  const duty = items.filter(({ role }) => role === 'duty')
  expect(new Set(duty.map(({ category }) => category))).toEqual(new Set(['Duty Crews']))
  expect(duty[0]?.title).toMatch(/^Duty weekend: Crew/)
  expect(duty[1]?.title).toMatch(/^Night standby: Crew/)
  const ids = items.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(items.some(({ role }) => role === 'agenda')).toBe(true)
  expect((await itemsOf('')).filter(({ role }) => role === 'duty')).toEqual([])
})

test('keeps duty that public events have as well, and shows it only once', () => {
  const crew = {
    ...about,
    title: 'Standby crew',
    start: '2026-03-07',
    end: '2026-03-08',
    allDay: true,
  }
  const duty = boardItem({ ...crew, role: 'duty' })
  const same = boardItem({ ...crew, id: 'events-1', kind: 'events', title: 'Standby Crew' })
  const other = boardItem({ ...crew, id: 'calendar-2' })
  const story = boardItem({ ...crew, id: 'news-1', kind: 'news', role: 'story' })
  expect(withDutyOnce([duty, boardItem(crew), other, same, story], feeds)).toEqual([
    duty,
    other,
    story,
  ])
})

test('shows duty on boards that show other calendars or only events', async () => {
  for (const query of ['?duty=3&calendar=1', '?duty=3&show=events']) {
    const items = await itemsOf(query)
    const categories = items.map(({ role, category }) => `${role} ${category}`)
    expect(categories).toContain('duty Duty Crews')
    expect(categories).not.toContain('agenda Duty Crews')
  }
})

test('rejects the duty of a calendar that the viewer may not read', async () => {
  await using station = await startTestService({ publicFeedIds: ['events'] })
  await fetch(`${station.url}/events.ics`)
  expect((await fetch(`${station.url}/board.json?duty=3`)).status).toBe(403)
})

test('gives each calendar a color, and times with the UTC offset', async () => {
  const items = await itemsOf('?duty=3')
  const colors = Map.groupBy(items, ({ kind, category }) => (kind === 'calendar' ? category : kind))
  const all = [...colors.values()].map((each) => new Set(each.map(({ color }) => color)))
  expect(all.every(({ size }) => size === 1)).toBe(true)
  expect(new Set(all.flatMap((each) => [...each])).size).toBe(all.length)
  const timed = items.filter(({ startAt }) => startAt !== null)
  expect(timed.length).toBeGreaterThan(5)
  for (const { start, startAt } of timed) expect(startAt).toMatch(RegExp(`^${start}-0[45]:00$`))
  // Clocks change on the night of March 8.
  const night = items.find(({ start }) => start === '2026-03-07T22:00:00')
  expect([night?.startAt, night?.endAt]).toEqual([
    '2026-03-07T22:00:00-05:00',
    '2026-03-08T06:00:00-04:00',
  ])
  expect(items.filter(({ allDay, startAt }) => allDay && startAt !== null)).toEqual([])
})
