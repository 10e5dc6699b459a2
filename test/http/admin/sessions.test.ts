import { expect, test } from 'vitest'
import { createSessions, sessionMs } from '../../../src/http/admin/sessions.ts'
import { diskFullError } from '../../../src/store/data-directory.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { openTestStore } from '../../support/store.ts'

const write = () => Promise.reject(diskFullError('/data'))

test('admins can sign in while the disk is full, for twelve hours or until they sign out', async () => {
  const clock = createFakeClock()
  const { documents } = openTestStore(clock.now)
  const sessions = createSessions({ ...documents, write }, { password: 'correct', clock })
  expect(['wrong', 'correct'].map(sessions.isPassword)).toEqual([false, true])
  const [first, second] = [await sessions.begin(), await sessions.begin()]
  expect(await sessions.isSignedIn(first)).toBe(true)
  expect(await sessions.isSignedIn('unknown')).toBe(false)
  await sessions.end(first)
  expect([await sessions.isSignedIn(first), await sessions.isSignedIn(second)]).toEqual([
    false,
    true,
  ])
  await clock.leap(sessionMs)
  expect(await sessions.isSignedIn(second)).toBe(false)
})
