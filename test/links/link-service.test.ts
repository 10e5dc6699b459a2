import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { createLinkService } from '../../src/links/link-service.ts'
import { storedUsesOf } from '../../src/links/link-use.ts'
import { addLink } from '../../src/links/stored-links.ts'
import { createLogger } from '../../src/log.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'

const wish = { label: 'Crew', feedIds: undefined, profile: 'full', expiresAt: undefined } as const

function newService() {
  const clock = createFakeClock()
  const { documents, version } = openTestStore(clock.now)
  const links = createLinkService({ documents, version }, clock, createLogger('silent'))
  const notifications = { count: 0 }
  links.onChange(() => (notifications.count += 1))
  return { clock, documents, links, notifications }
}

test('notifies listeners when a link expires', async () => {
  const { clock, links, notifications } = newService()
  await links.add({ ...wish, expiresAt: clock.now() + 60_000 })
  const before = notifications.count
  const stopping = new AbortController()
  const polling = links.poll(stopping.signal)
  const state = () => [notifications.count - before, links.open().length]
  await clock.advance(50_000)
  expect(state()).toEqual([0, 1])
  await clock.advance(12_000)
  expect(state()).toEqual([1, 0])
  stopping.abort()
  await clock.advance(2_000)
  await polling
})

test('reads the stored links again only after something was stored', async () => {
  const { clock, documents, links } = newService()
  const reading = vi.spyOn(documents, 'get')
  const stopping = new AbortController()
  const polling = links.poll(stopping.signal)
  await clock.advance(1_000)
  reading.mockClear()
  await clock.advance(60_000)
  expect(reading).not.toHaveBeenCalled()
  await addLink(documents, wish, { now: clock.now(), random: randomBytes })
  await clock.advance(2_000)
  expect(links.open()).toHaveLength(1)
  stopping.abort()
  await polling
})

test('stores the latest uses when it stops', async () => {
  const { clock, documents, links } = newService()
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
  const { clock, documents, links, notifications } = newService()
  await links.add(wish)
  const before = notifications.count
  await addLink(documents, wish, { now: clock.now(), random: randomBytes })
  vi.spyOn(documents, 'all').mockResolvedValue(new Map())
  vi.spyOn(documents, 'write').mockRejectedValue(new Error('the disk is full'))
  await expect(links.pull()).rejects.toThrow('the disk is full')
  expect(notifications.count).toBe(before + 1)
})
