import { expect, test } from 'vitest'
import { startSandboxWith } from '../../support/dataset.ts'
import { idsOf, invalidParameter, notFound } from '../../support/sandbox.ts'

const course = (type: string, id: number, restrictedTo: number[] = []) => ({
  type,
  id,
  title: `${type} ${id}`,
  status: id % 2,
  restrictedTo,
})
const cert = (id: number, memberId: number) => ({
  type: 'membercerts',
  id,
  status: id % 4,
  memberId,
  member: 'm',
  certId: 1,
  certName: 'c',
})
const training = [
  course('presentations', 1),
  course('presentations', 2),
  course('presentations', 3, [8]),
  course('quizzes', 1),
  course('quizzes', 2, [8]),
  { type: 'certifications', id: 1, name: 'n', status: 1 },
  { type: 'certifications', id: 2, name: 'n', status: 0, restrictedTo: [8, 9] },
  cert(1, 8),
  cert(2, 9),
  cert(3, 8),
]

test.for([
  { query: '', type: 'presentations', ids: [1, 2] },
  { query: '?Type=presentations', type: 'presentations', ids: [1, 2] },
  { query: '?Type=quizzes', type: 'quizzes', ids: [1] },
  { query: '?Type=certifications', type: 'certifications', ids: [1] },
  { query: '?Type=membercerts', type: 'membercerts', ids: [1, 2, 3] },
  { query: '?Type=membercerts&MemberID=8', type: 'membercerts', ids: [1, 3] },
  { query: '?Type=quizzes&MemberID=8', type: 'quizzes', ids: [1] },
  { query: '?Type=membercerts&ID=2', type: 'membercerts', ids: [2] },
  { query: '?ID=2', type: 'presentations', ids: [2] },
])('$query returns $type of any status, here $ids', async ({ query, type, ids }) => {
  const { bodyOf } = await startSandboxWith({ training })
  const body = await bodyOf(`training/${query}`)
  expect(body.type).toBe(type)
  expect(idsOf({ body })).toEqual(ids)
  for (const item of body.items) expect(item).not.toHaveProperty('restrictedTo')
})

test('excludes items that are restricted to specific members, even if they are requested by ID', async () => {
  const { bodyOf } = await startSandboxWith({ training })
  for (const query of ['ID=3', 'Type=quizzes&ID=2', 'Type=certifications&ID=2']) {
    expect(await bodyOf(`training/?${query}`)).toEqual(notFound)
  }
})

test('rejects an unknown Type with invalid_parameter', async () => {
  const { bodyOf } = await startSandboxWith({ training })
  for (const type of ['exams', 'Quizzes', '', 'constructor']) {
    expect(await bodyOf(`training/?Type=${type}`)).toEqual(invalidParameter)
  }
})
