import { expect, test } from 'vitest'
import { startSandboxWith } from '../../support/dataset.ts'
import { happening } from '../../support/happening.ts'
import { failure, idsOf } from '../../support/sandbox.ts'

const notFound = failure(404, 'Not Found', 'not_found')

const calendar = [
  happening(1, '2026-03-01', '2026-03-04'),
  happening(2, '2026-03-01', '2026-03-05', 0),
  happening(3, '2026-04-04', '2026-04-06', 1),
  happening(4, '2026-04-05', '2026-04-05'),
  happening(5, '2026-02-20', '2026-05-20'),
].map((event) => ({ ...event, calendarId: event.id % 2 === 0 ? 2 : 1, calendar: 'c' }))

test('by default, returns events of any status that overlap the period from today to 30 days later', async () => {
  const { bodyOf } = await startSandboxWith({ calendar })
  const body = await bodyOf('calendar/')
  expect(idsOf({ body })).toEqual([2, 3, 5])
  expect(body).toMatchObject({ startDate: '2026-03-05', endDate: '2026-04-04' })
})

test('StartDate and EndDate return the events that overlap the range', async () => {
  const { bodyOf } = await startSandboxWith({ calendar })
  const body = await bodyOf('calendar/?StartDate=2026-03-04&EndDate=2026-03-04')
  expect(idsOf({ body })).toEqual([1, 2, 5])
  expect(body).toMatchObject({ startDate: '2026-03-04', endDate: '2026-03-04' })
})

test('uses the default for a missing date', async () => {
  const { bodyOf } = await startSandboxWith({ calendar })
  const early = await bodyOf('calendar/?StartDate=2026-03-02')
  expect(early).toMatchObject({ startDate: '2026-03-02', endDate: '2026-04-04' })
  const late = await bodyOf('calendar/?EndDate=2026-04-05')
  expect(late).toMatchObject({ startDate: '2026-03-05', endDate: '2026-04-05' })
  expect(idsOf({ body: late })).toEqual([2, 3, 4, 5])
})

test('CalendarID returns the events in one calendar', async () => {
  const { ids } = await startSandboxWith({ calendar })
  expect(await ids('calendar/?CalendarID=1')).toEqual([3, 5])
  expect(await ids('calendar/?CalendarID=9')).toEqual([])
  expect(await ids('calendar/?CalendarID=1&All=1')).toEqual([1, 3, 5])
})

test('All returns every event, regardless of its dates', async () => {
  const { bodyOf } = await startSandboxWith({ calendar })
  const body = await bodyOf('calendar/?All=1&StartDate=2026-03-05')
  expect(idsOf({ body })).toEqual([1, 2, 3, 4, 5])
  expect(body).toMatchObject({ startDate: '', endDate: '' })
})

test('ID returns a single event, regardless of its dates', async () => {
  const { bodyOf } = await startSandboxWith({ calendar })
  const body = await bodyOf('calendar/?ID=1')
  expect(idsOf({ body })).toEqual([1])
  expect(body).toMatchObject({ startDate: '', endDate: '', totalCount: 1 })
  expect(await bodyOf('calendar/?ID=99')).toEqual(notFound)
})
