import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { editLink, revokeLink, type LinkEdit } from '../../src/links/link-edits.ts'
import { createLinkRegistry } from '../../src/links/link-registry.ts'
import { addLink, storedLinkOf, storedLinks } from '../../src/links/stored-links.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'

const choice = { calendar: 'show=events', news: '' }
const wish = {
  label: 'Robin',
  feedIds: undefined,
  profile: 'members',
  expiresAt: undefined,
} as const

async function startLink() {
  const clock = createFakeClock()
  const { documents } = openTestStore(clock.now)
  const change = () => ({ now: clock.now(), random: randomBytes })
  const added = await addLink(documents, wish, change())
  if (!added.ok) throw new Error(added.reason)
  const { id } = added.link
  const edit = (changes: LinkEdit) => editLink(documents, id, changes, change())
  const stored = async () => (await storedLinkOf(documents, id))?.link
  return { clock, documents, change, id, key: added.key, edit, stored }
}

test('keeps the saved choice when other properties are edited', async () => {
  const { edit, stored } = await startLink()
  await edit({ choice })
  await edit({ label: 'Robin Reyes' })
  expect(await stored()).toMatchObject({ label: 'Robin Reyes', choice })
})

test('does not count saving the same choice again as an edit', async () => {
  const { clock, edit } = await startLink()
  await edit({ choice })
  await clock.advance(1000)
  const again = await edit({ choice: { ...choice } })
  expect(again).toMatchObject({ ok: true, link: { editedAt: clock.now() - 1000 } })
})

test('gives other replicas a new choice when they poll', async () => {
  const { documents, key, edit, clock } = await startLink()
  const registry = createLinkRegistry(documents, { now: clock.now, onChange: () => undefined })
  await registry.pull()
  await edit({ choice })
  expect(registry.find(key)?.link.choice).toBeUndefined()
  await registry.pull()
  expect(registry.find(key)?.link.choice).toEqual(choice)
})

test('saves no choice for a revoked link', async () => {
  const { documents, id, change, edit } = await startLink()
  await revokeLink(documents, id, change())
  expect(await edit({ choice })).toEqual({ ok: false, reason: 'revoked' })
})

test('ignores an unreadable choice, and the link keeps working', async () => {
  const { documents, id, stored } = await startLink()
  const { value = '{}' } = (await documents.get('links', id)) ?? {}
  const damaged = JSON.stringify({ ...(JSON.parse(value) as object), choice: { calendar: 3 } })
  await documents.write([{ bucket: 'links', id, value: damaged }])
  expect(await stored()).toMatchObject({ label: 'Robin' })
  expect((await stored())?.choice).toBeUndefined()
  expect(await storedLinks(documents)).toHaveLength(1)
})
