import { expect, onTestFinished, test, vi } from 'vitest'
import { createSessions, sessionMs } from '../../src/web/sessions.ts'
import { diskFullError } from '../../src/store/data-directory.ts'
import { StoreError } from '../../src/store/store-error.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'

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
  const areSignedIn = [first, second].map((id) => sessions.isSignedIn(id))
  expect(await Promise.all(areSignedIn)).toEqual([false, true])
  await clock.leap(sessionMs)
  expect(await sessions.isSignedIn(second)).toBe(false)
})

test('a session survives a store outage until its twelve hours have passed', async () => {
  const clock = createFakeClock()
  // A replica caches its known sessions, and the cache has its own clock.
  vi.useFakeTimers({ now: clock.now(), toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { documents } = openTestStore(clock.now)
  let isDown = false
  const get: typeof documents.get = async (...key) => {
    if (isDown) throw new StoreError('unreachable', 'The store is down.')
    return documents.get(...key)
  }
  const sessions = createSessions({ ...documents, get }, { password: 'correct', clock })
  const id = await sessions.begin()
  isDown = true
  const isSignedInAfter = async (ms: number) => {
    await clock.leap(ms)
    vi.setSystemTime(clock.now())
    return sessions.isSignedIn(id)
  }
  expect(await isSignedInAfter(sessionMs - 1)).toBe(true)
  expect(await isSignedInAfter(1)).toBe(false)
})
