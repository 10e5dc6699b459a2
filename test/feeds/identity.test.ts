import { expect, test } from 'vitest'
import { defaultColor } from '../../src/feeds/accent-color.ts'
import { identityFrom } from '../../src/feeds/identity.ts'

test.for([
  ['Cedar Hollow Volunteer Fire Department', 'CH'],
  ['The Town of Ashton', 'TA'],
  ['Ashton', 'A'],
  ['www.example.org', 'E'],
  ['  «Éclair» club', 'ÉC'],
  ['消防団 東', '消東'],
  ['42nd Street Band', '4S'],
  ['of the', 'OT'],
  ['!!!', ''],
])('has initials for %s: %s', ([name = '', initials]) => {
  expect(identityFrom({}, name).initials).toBe(initials)
})

test('uses the chosen color, or one that belongs to the name', () => {
  expect(identityFrom({ color: '#123456' }, 'Ashton').color).toBe('#123456')
  expect(identityFrom({}, 'Ashton').color).toBe(defaultColor('Ashton'))
})
