import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createLinkService } from '../../src/links/link-service.ts'
import { storedUsesOf } from '../../src/links/link-use.ts'
import { addLink } from '../../src/links/stored-links.ts'
import { createLogger } from '../../src/log.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'

test('notifies listeners when a link expires', async () => {
  const clock = createFakeClock()
  const { documents } = openTestStore(clock.now)
  const links = createLinkService(documents, { clock, log: createLogger('silent') })
  const expiresAt = clock.now() + 60_000
  const wish = { label: 'Crew', feedIds: undefined, profile: 'members', expiresAt } as const
  await links.add(wish)
  let notifications = 0
  links.onChange(() => (notifications += 1))
  const stopping = new AbortController()
  const polling = links.poll(stopping.signal)
  await clock.advance(50_000)
  expect({ notifications, open: links.open().length }).toEqual({ notifications: 0, open: 1 })
  await clock.advance(12_000)
  expect({ notifications, open: links.open().length }).toEqual({ notifications: 1, open: 0 })
  stopping.abort()
  await clock.advance(2_000)
  await polling
})

test('stores the latest uses when it stops', async () => {
  const clock = createFakeClock()
  const { documents } = openTestStore(clock.now)
  const links = createLinkService(documents, { clock, log: createLogger('silent') })
  const wish = { label: 'Crew', feedIds: undefined, profile: 'full', expiresAt: undefined } as const
  const added = await links.add(wish)
  if (!added.ok) throw new Error(added.reason)
  const stopping = new AbortController()
  const polling = links.poll(stopping.signal)
  await clock.advance(1_000)
  links.find(added.key)?.noteUse({ at: clock.now(), app: 'Apple' })
  stopping.abort()
  await polling
  expect(await storedUsesOf(documents, added.link.id)).toMatchObject({ at: clock.now() })
})

test('notifies listeners of a change, even if a link that the store has lost cannot be stored', async () => {
  const clock = createFakeClock()
  const { documents } = openTestStore(clock.now)
  const failing = { isLost: false }
  const links = createLinkService(
    {
      ...documents,
      all: async (bucket) => (failing.isLost ? new Map() : documents.all(bucket)),
      write: (writes, expected) =>
        failing.isLost
          ? Promise.reject(new Error('the disk is full'))
          : documents.write(writes, expected),
    },
    { clock, log: createLogger('silent') },
  )
  const wish = { label: 'Crew', feedIds: undefined, profile: 'full', expiresAt: undefined } as const
  await links.add(wish)
  let notifications = 0
  links.onChange(() => (notifications += 1))
  await addLink(documents, wish, { now: clock.now(), random: randomBytes })
  failing.isLost = true
  await expect(links.pull()).rejects.toThrow('the disk is full')
  expect(notifications).toBe(1)
})
