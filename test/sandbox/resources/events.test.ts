import { expect, test } from 'vitest'
import { startSandboxWith } from '../../support/dataset.ts'
import { happening } from '../../support/happening.ts'
import { failure } from '../../support/sandbox.ts'

const notFound = failure(404, 'Not Found', 'not_found')

const events = [
  happening(1, '2026-03-01', '2026-03-04'),
  happening(2, '2026-03-01', '2026-03-05', 1),
  happening(3, '2030-01-01', '2030-01-01', 0),
  { ...happening(4, '2026-03-04', ''), allDay: 0 },
]

test('returns current and upcoming events of any status if no date range is given', async () => {
  const { ids } = await startSandboxWith({ events })
  expect(await ids('events/')).toEqual([2, 3])
})

test('All returns every event, past and future', async () => {
  const { ids } = await startSandboxWith({ events })
  expect(await ids('events/?All=1')).toEqual([1, 2, 3, 4])
  expect(await ids('events/?All=1&StartDate=2030-01-01')).toEqual([1, 2, 3, 4])
})

test('StartDate and EndDate return the events that overlap the range', async () => {
  const { ids } = await startSandboxWith({ events })
  expect(await ids('events/?StartDate=2026-03-04&EndDate=2026-03-04')).toEqual([1, 2, 4])
  expect(await ids('events/?EndDate=2026-03-03')).toEqual([1, 2])
  expect(await ids('events/?StartDate=2026-03-06')).toEqual([3])
})

test('ID returns a single event, regardless of its dates', async () => {
  const { ids, bodyOf } = await startSandboxWith({ events })
  expect(await ids('events/?ID=1')).toEqual([1])
  expect(await bodyOf('events/?ID=5')).toEqual(notFound)
})
