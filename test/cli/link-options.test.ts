import { expect, test } from 'vitest'
import { newLinkFrom, readLinkOptions } from '../../src/cli/link-options.ts'

test('creates links to all feeds for the profile members by default', () => {
  expect(newLinkFrom({ label: 'Hall' })).toEqual({
    label: 'Hall',
    feedIds: undefined,
    profile: 'members',
    expiresAt: undefined,
  })
})

test('accepts the members only with the profile full', () => {
  const { feedIds } = readLinkOptions({ feeds: 'calendar,members' }, { site: undefined })
  expect(newLinkFrom({ label: 'Chief', feedIds, profile: 'full' })).toMatchObject({ feedIds })
  expect(() => newLinkFrom({ label: 'Chief', feedIds })).toThrow(/only .* with the profile full/)
})
