import { expect, test } from 'vitest'
import { startSandboxWith } from '../../support/dataset.ts'
import { notFound } from '../../support/sandbox.ts'

const members = [1, 2].map((id) => ({
  id,
  firstName: 'f',
  lastName: 'l',
  rankId: 1,
  rank: 'r',
  memberTypeId: 1,
  memberType: 'm',
}))

test('returns the roster of active members, or a single member by ID', async () => {
  const { ids, bodyOf } = await startSandboxWith({ members })
  expect(await ids('members/')).toEqual([1, 2])
  expect(await ids('members/?ID=2')).toEqual([2])
  expect(await bodyOf('members/?ID=3')).toEqual(notFound)
})
