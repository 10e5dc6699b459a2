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
  { id: 9, headline: 'h', status: 2 },
]

test.for([
  ['', 'of any status that have not expired', [3, 4, 9]],
  ['?All=0', 'that have not expired', [3, 4, 9]],
  ['?All=1', 'including expired ones', [1, 2, 3, 4, 9]],
  ['?ID=1', 'with an id, even if it has expired', [1]],
  ['?All=1&StartDate=2026-03-02&EndDate=2026-03-03', 'created in an inclusive period', [2, 3]],
  ['?All=1&StartDate=2026-03-03', 'with a creation date since a day', [3, 4]],
  ['?All=1&EndDate=2026-03-02', 'with a creation date until a day', [1, 2]],
] as const)('%s returns announcements %s', async ([query, , expected]) => {
  const { ids } = await startSandboxWith({ announce })
  expect(await ids(`announce/${query}`)).toEqual(expected)
})
