import { expect, test } from 'vitest'
import { startSandboxWith } from '../../support/dataset.ts'

const announcement = (id: number, created: string, expires: string, status = 2) => ({
  id,
  headline: 'h',
  status,
  expires,
  created: `${created} 09:00:00`,
})
const announce = [
  announcement(1, '2026-03-01', '2026-03-05 09:59:59'),
  announcement(2, '2026-03-02', '2026-03-05 10:00:00'),
  announcement(3, '2026-03-03', '2026-03-05 10:00:01', 0),
  announcement(4, '2026-03-04', '', 1),
]

test('returns announcements of any status, by default without expired ones', async () => {
  const { ids } = await startSandboxWith({ announce })
  expect(await ids('announce/')).toEqual([3, 4])
})

test('All=1 includes expired announcements', async () => {
  const { ids } = await startSandboxWith({ announce })
  expect(await ids('announce/?All=1')).toEqual([1, 2, 3, 4])
  expect(await ids('announce/?All=0')).toEqual([3, 4])
})

test('ID returns a single announcement, even if it has expired', async () => {
  const { ids } = await startSandboxWith({ announce })
  expect(await ids('announce/?ID=1')).toEqual([1])
})

test('StartDate and EndDate filter by creation date, inclusive', async () => {
  const { ids } = await startSandboxWith({ announce })
  expect(await ids('announce/?All=1&StartDate=2026-03-02&EndDate=2026-03-03')).toEqual([2, 3])
  expect(await ids('announce/?All=1&StartDate=2026-03-03')).toEqual([3, 4])
  expect(await ids('announce/?All=1&EndDate=2026-03-02')).toEqual([1, 2])
})

test('excludes an announcement without a creation date from every period', async () => {
  const undated = { id: 9, headline: 'h', status: 2 }
  const { ids } = await startSandboxWith({ announce: [undated] })
  expect(await ids('announce/')).toEqual([9])
  expect(await ids('announce/?EndDate=2026-03-02')).toEqual([])
  expect(await ids('announce/?StartDate=2026-03-02')).toEqual([])
})
