import { describe, expect, test } from 'vitest'
import { startSandboxWith } from '../../support/dataset.ts'
import { notFound } from '../../support/sandbox.ts'

describe.for(['minutes', 'documents'] as const)('%s', (name) => {
  const record = (id: number, date: string, categoryId: number, isPublic: number) => ({
    id,
    title: 't',
    status: id % 3,
    public: isPublic,
    categoryId,
    category: 'c',
    ...(name === 'minutes' ? { meetingDate: date } : { created: `${date} 23:00:00` }),
  })
  const records = [
    record(1, '2026-01-01', 1, 0),
    record(2, '2026-01-02', 2, 1),
    record(3, '2026-01-03', 1, 1),
  ]

  test('returns records of any status with their categories and files', async () => {
    const { ids, bodyOf } = await startSandboxWith({ [name]: records })
    expect(await ids(`${name}/`)).toEqual([1, 2, 3])
    expect((await bodyOf(`${name}/`)).items[0]).toMatchObject({ category: 'c', files: [] })
  })

  test('filters by ID, CategoryID, Public (1 = only public), StartDate and EndDate, inclusive', async () => {
    const { ids, bodyOf } = await startSandboxWith({ [name]: records })
    expect(await ids(`${name}/?ID=1`)).toEqual([1])
    expect(await bodyOf(`${name}/?ID=4`)).toEqual(notFound)
    expect(await ids(`${name}/?CategoryID=1`)).toEqual([1, 3])
    expect(await ids(`${name}/?Public=1`)).toEqual([2, 3])
    expect(await ids(`${name}/?Public=0`)).toEqual([1, 2, 3])
    expect(await ids(`${name}/?StartDate=2026-01-02`)).toEqual([2, 3])
    expect(await ids(`${name}/?EndDate=2026-01-02`)).toEqual([1, 2])
    expect(await ids(`${name}/?CategoryID=1&Public=1&StartDate=2026-01-01`)).toEqual([3])
  })
})
