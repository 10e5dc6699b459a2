import { expect, test } from 'vitest'
import { isSignUpOf, namedMember } from '../../src/records/member-name.ts'
import { readRecords } from '../../src/records/read-records.ts'

const roster = (...names: readonly (readonly [first: string, last: string, middle?: string])[]) =>
  readRecords(
    'members',
    names.map(([firstName, lastName, middleInitial = ''], index) => ({
      id: index + 1,
      firstName,
      middleInitial,
      lastName,
    })),
  ).records

test.for([
  { case: 'one of several', members: roster(['Ann', 'Cole'], ['Bo', 'Cole']), name: 'Ann Cole' },
  { case: 'white space', members: roster([' Ann  Lee ', 'de\tCole']), name: 'Ann Lee de Cole' },
  { case: 'decomposed letters', members: roster(['Zoe\u0308', 'Cole']), name: 'Zo\u00EB Cole' },
  { case: 'letters from elsewhere', members: roster(['李', '娜']), name: '李 娜' },
])('finds the name of a member: $case', ({ members, name }) => {
  expect(namedMember(members, 1)).toEqual({ ok: true, name })
})

test.for([
  { case: 'nobody', members: roster(), reason: 'not listed' },
  { case: 'no last name', members: roster(['Ann', '']), reason: 'incomplete name' },
  { case: 'no first name', members: roster(['', 'Cole']), reason: 'incomplete name' },
  { case: 'the same name', members: roster(['Ann', 'Cole'], ['Ann', 'Cole']) },
  { case: 'only the middle initial', members: roster(['Ann', 'Cole', 'B'], ['Ann', 'Cole', 'C']) },
  { case: 'only the case', members: roster(['Ann', 'Cole'], ['ANN', 'cole']) },
  { case: 'only the split', members: roster(['Ann Lee', 'Cole'], ['Ann', 'Lee Cole']) },
])('does not name a member who is not unique: $case', ({ members, reason = 'shared name' }) => {
  expect(namedMember(members, 1)).toEqual({ ok: false, reason })
})

test.for([
  { signUp: 'Ann Cole', isOwn: true },
  { signUp: '  Ann\u00A0 Cole ', isOwn: true },
  { signUp: 'ann cole', isOwn: false },
  { signUp: 'Ann B. Cole', isOwn: false },
  { signUp: 'Cole, Ann', isOwn: false },
  { signUp: 'Ann Colemann', isOwn: false },
  { signUp: 'Ann Cole and Bo Dietz', isOwn: false },
  { signUp: '', isOwn: false },
])('compares "$signUp" exactly', ({ signUp, isOwn }) => {
  expect(isSignUpOf('Ann Cole', { name: signUp })).toBe(isOwn)
})
