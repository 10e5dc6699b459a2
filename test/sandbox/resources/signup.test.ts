import { expect, test } from 'vitest'
import { startSandboxWith } from '../../support/dataset.ts'
import { notFound } from '../../support/sandbox.ts'

const sheet = (id: number, date: string, status: number) => ({ id, title: 't', status, date })
const slots = [{ id: 5, number: 2, position: 'Cook', signedUp: [{ name: 'Ann', note: 'late' }] }]
const signup = [
  { ...sheet(1, '2026-03-04', 2), contact: 'Jo', groups: [{ id: 3, name: 'Kitchen', slots }] },
  sheet(2, '2026-03-05', 0),
  sheet(3, '2027-03-05', 1),
]

test('returns sheets of any status, by default only upcoming ones', async () => {
  const { ids } = await startSandboxWith({ signup })
  expect(await ids('signup/')).toEqual([2, 3])
  expect(await ids('signup/?All=1')).toEqual([1, 2, 3])
})

test('ID returns groups with their slots and sign-ups in `items`, and the sheet in `sheet`', async () => {
  const { bodyOf } = await startSandboxWith({ signup })
  const { sheet, items } = await bodyOf('signup/?ID=1')
  expect(sheet).toMatchObject({ id: 1, title: 't', date: '2026-03-04', contact: 'Jo' })
  expect(sheet).not.toHaveProperty('groups')
  expect(items).toEqual([
    {
      id: 3,
      name: 'Kitchen',
      slots: [
        { id: 5, number: 2, position: 'Cook', signedUp: [{ name: 'Ann', note: 'late', date: '' }] },
      ],
    },
  ])
  expect(await bodyOf('signup/?ID=4')).toEqual(notFound)
})
