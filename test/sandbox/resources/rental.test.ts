import { expect, test } from 'vitest'
import { startSandboxWith } from '../../support/dataset.ts'
import { allDayRecord } from '../../support/all-day-record.ts'
import { idsOf, notFound } from '../../support/sandbox.ts'

const rental = [
  allDayRecord(1, '2026-03-01', '2026-03-04'),
  allDayRecord(2, '2026-03-04', '2026-03-05'),
  allDayRecord(3, '2026-06-03', '2026-06-04'),
  allDayRecord(4, '2026-06-04', '2026-06-04'),
].map(({ title: _title, status: _status, ...booking }) => ({
  ...booking,
  typeId: booking.id === 1 ? 7 : 3,
  type: booking.id === 1 ? 'Hall' : 'Pavilion',
}))
const rentalTypes = [
  { id: 3, type: 'Pavilion' },
  { id: 7, type: 'Hall' },
]

test('by default, returns bookings that overlap the period from today to 90 days later', async () => {
  const { bodyOf } = await startSandboxWith({ rental })
  const body = await bodyOf('rental/')
  expect(idsOf({ body })).toEqual([2, 3])
  expect(body).toMatchObject({ startDate: '2026-03-05', endDate: '2026-06-03', rentalTypes })
})

test('filters by TypeID, and returns the types', async () => {
  const { bodyOf } = await startSandboxWith({ rental })
  const body = await bodyOf('rental/?TypeID=3')
  expect(idsOf({ body })).toEqual([2, 3])
  expect(body.rentalTypes).toEqual(rentalTypes)
})

test('filters by StartDate and EndDate, All and ID', async () => {
  const { ids, bodyOf } = await startSandboxWith({ rental })
  expect(await ids('rental/?StartDate=2026-03-04&EndDate=2026-03-04')).toEqual([1, 2])
  expect(await ids('rental/?All=1')).toEqual([1, 2, 3, 4])
  expect(await ids('rental/?All=1&TypeID=7')).toEqual([1])
  expect(await bodyOf('rental/?ID=1')).toMatchObject({ startDate: '', endDate: '', rentalTypes })
  expect(await ids('rental/?ID=1')).toEqual([1])
  expect(await bodyOf('rental/?ID=9')).toEqual(notFound)
})

test('a booking without a type adds nothing to the list of types', async () => {
  const { bodyOf } = await startSandboxWith({ rental: [{ id: 1, startDate: '2026-03-05' }] })
  expect(await bodyOf('rental/')).toMatchObject({ totalCount: 1, rentalTypes: [] })
})
