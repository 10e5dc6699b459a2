import { expect, test } from 'vitest'
import type { Clock } from '../../src/clock.ts'
import { createFollowKeys } from '../../src/followers/follow-keys.ts'
import { createFollowers } from '../../src/followers/followers.ts'
import type { Store } from '../../src/store/store.ts'
import { minuteMs, storeOf } from '../support/merge-backup.ts'
import { openTestStore } from '../support/store.ts'

const choice = { changes: true, tomorrow: false, emergency: false }

/** Returns functions that change and list the followers in a store. */
function followersIn({ documents }: Store, clock: Clock) {
  const followers = createFollowers(documents, { keys: createFollowKeys('secret'), clock })
  return {
    follow: (address: string, language = 'en') =>
      followers.addDevice({ choice, language, address }),
    async stop(address: string) {
      const all = await followers.all()
      const stopped = all.find((each) => followers.addressOf(each) === address)
      await followers.remove({ id: stopped?.id ?? '' })
    },
    async listed() {
      const all = await followers.all()
      return new Set(all.map((each) => `${followers.addressOf(each)} ${each.language}`))
    },
  }
}

test('keeps current followers, and does not restore those who have unsubscribed', async () => {
  const { store, clock, backUp } = storeOf()
  const current = followersIn(store, clock)
  for (const address of ['stays', 'stops']) await current.follow(address)
  const restore = await backUp()
  await clock.advance(minuteMs)
  await current.follow('new')
  await current.follow('stays', 'es')
  await current.stop('stops')
  await restore()
  expect(await current.listed()).toEqual(new Set(['stays es', 'new en']))
})

test('restores all followers to an empty store', async () => {
  const { store, clock, backUp } = storeOf()
  for (const address of ['one', 'two']) await followersIn(store, clock).follow(address)
  const restore = await backUp()
  const empty = openTestStore(clock.now)
  await restore(empty)
  expect(await followersIn(empty, clock).listed()).toEqual(new Set(['one en', 'two en']))
})

test('restores followers from a backup that is newer than the store', async () => {
  const { store, clock, backUp } = storeOf()
  const older = openTestStore(clock.now)
  for (const address of ['stays', 'stops']) {
    for (const each of [store, older]) await followersIn(each, clock).follow(address)
  }
  await clock.advance(minuteMs)
  const newer = followersIn(store, clock)
  await newer.follow('new')
  await newer.follow('stays', 'es')
  await newer.stop('stops')
  const restore = await backUp()
  await restore(older)
  expect(await followersIn(older, clock).listed()).toEqual(new Set(['stays es', 'new en']))
})

test('restores followers that the store has lost, even if others have followed since', async () => {
  const { store, clock, backUp } = storeOf()
  await followersIn(store, clock).follow('before')
  const restore = await backUp()
  const emptied = openTestStore(clock.now)
  await clock.advance(minuteMs)
  await followersIn(emptied, clock).follow('since')
  await restore(emptied, ['followers'])
  expect(await followersIn(emptied, clock).listed()).toEqual(new Set(['before en', 'since en']))
})
