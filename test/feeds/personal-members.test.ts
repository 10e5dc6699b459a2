import { expect, test } from 'vitest'
import { memberSentences } from '../../src/feeds/personal-members.ts'

test.for([
  [10, /^Feed links and member IDs a1 \(1\), .*, a10 \(10\): the member is not/],
  [11, /^Feed links and member IDs a1 \(1\), .*, a10 \(10\), 1 more: the member is not/],
] as const)('lists at most ten of %i links whose members cannot be shown', ([count, expected]) => {
  const links = Array.from({ length: count }, (_, index) => ({
    id: `a${index + 1}`,
    keyHash: '',
    label: '',
    profile: 'members' as const,
    createdAt: 0,
    memberId: index + 1,
  }))
  expect(memberSentences(links, [])).toEqual([expect.stringMatching(expected)])
})
