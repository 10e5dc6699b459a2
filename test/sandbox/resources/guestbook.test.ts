import { expect, test } from 'vitest'
import { startSandboxWith } from '../../support/dataset.ts'
import { notFound } from '../../support/sandbox.ts'

const guestbook = [1, 2, 3].map((id) => ({
  id,
  created: `2026-01-0${id} 08:00:00`,
  status: id % 3,
  name: 'n',
}))

test('returns entries with any status, and filters them by ID or an inclusive date range', async () => {
  const { ids, bodyOf } = await startSandboxWith({ guestbook })
  expect(await ids('guestbook/')).toEqual([1, 2, 3])
  expect(await ids('guestbook/?ID=2')).toEqual([2])
  expect(await bodyOf('guestbook/?ID=4')).toEqual(notFound)
  expect(await ids('guestbook/?StartDate=2026-01-02&EndDate=2026-01-03')).toEqual([2, 3])
  expect(await ids('guestbook/?EndDate=2026-01-01')).toEqual([1])
})
