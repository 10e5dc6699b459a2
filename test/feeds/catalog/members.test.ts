import { expect, test } from 'vitest'
import { includesMembers, membersWarning } from '../../../src/feeds/catalog/members.ts'

test.for([
  [['members'], 'full', true],
  [['calendar', 'members'], 'full', true],
  [['members'], 'members', false],
  [['calendar'], 'full', false],
  [undefined, 'full', false],
] as const)('a link to %j with the profile %s has the members: %s', ([feedIds, profile, has]) => {
  expect(includesMembers({ feedIds, profile })).toBe(has)
})

test('warns of links that name the members', () => {
  expect(membersWarning({ feedIds: ['members'], profile: 'full' })).toMatch(/all members/)
  expect(membersWarning({ feedIds: ['members'], profile: 'members' })).toMatch(/profile full/)
  expect(membersWarning({ feedIds: ['calendar'], profile: 'full' })).toBeUndefined()
})
