import { expect, test } from 'vitest'
import { confirmedLinks } from '../../src/app/confirmed-changes.ts'
import { createLinkService } from '../../src/links/link-service.ts'
import { createLogger } from '../../src/log.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'

const wish = { label: 'Crew', feedIds: undefined, profile: 'full', expiresAt: undefined } as const

/** Returns links in a store that another replica shares, which never confirms a change. */
function unconfirmedLinks() {
  const clock = createFakeClock()
  const store = openTestStore(clock.now)
  const shared = { ...store, confirmed: async () => ({ services: 1, confirming: 0 }) }
  return confirmedLinks(createLinkService(shared, clock, createLogger('silent')), shared)
}

test('reports changes of links that another replica has not confirmed', async () => {
  const links = unconfirmedLinks()
  const added = await links.add(wish)
  if (!added.ok) throw new Error(added.reason)
  const { id } = added.link
  const message = 'The change is saved, but'
  await expect(links.edit(id, { label: 'Officers' })).rejects.toThrow(message)
  await expect(links.revoke(id)).rejects.toThrow(message)
})

test('waits for no replica if nothing has changed', async () => {
  const links = unconfirmedLinks()
  expect(await links.edit('unknown', { label: 'x' })).toEqual({ ok: false, reason: 'unknown' })
  expect(await links.revoke('unknown')).toBeUndefined()
})
