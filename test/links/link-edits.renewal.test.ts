import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createLinkRegistry } from '../../src/links/link-registry.ts'
import { editLink, revokeLink, renewLink } from '../../src/links/link-edits.ts'
import { addLink, storedLinkOf, storedLinks } from '../../src/links/stored-links.ts'
import { onEveryStore, storesAt } from '../support/stores.ts'

const dayMs = 24 * 60 * 60 * 1000

onEveryStore((placeOf) => {
  async function startedLink(expiresAt?: number) {
    const { clock, store } = await storesAt(placeOf(), 1)
    const { documents } = store
    const change = () => ({ now: clock.now(), random: randomBytes })
    const wish = { label: 'Crew', feedIds: ['events'], profile: 'full', memberId: 7 } as const
    const added = await addLink(documents, { ...wish, expiresAt }, change())
    if (!added.ok) throw new Error(added.reason)
    const { id } = added.link
    const registry = createLinkRegistry(documents, { now: clock.now, onChange: () => undefined })
    const renew = async (revision?: number) =>
      renewLink(documents, id, {
        ...change(),
        expiresAt: undefined,
        oldEndsAt: clock.now() + 14 * dayMs,
        revision: revision ?? (await storedLinkOf(documents, id))?.revision ?? 0,
      })
    return { clock, documents, change, id, key: added.key, registry, renew }
  }

  test('gives a renewed link a new key, and lets the old one work for a while', async () => {
    const { clock, documents, change, id, key, registry, renew } = await startedLink()
    await editLink(documents, id, { choice: { calendar: 'show=events', news: '' } }, change())
    const renewed = await renew()
    if (!renewed.ok) throw new Error(renewed.reason)
    await registry.pull()
    const [old, added] = [registry.find(key), registry.find(renewed.key)]
    expect(old).toMatchObject({
      link: { id, replacedById: renewed.link.id },
      servesUntil: clock.now() + 14 * dayMs,
    })
    expect(added).toMatchObject({
      servesUntil: Infinity,
      link: {
        label: 'Crew',
        feedIds: ['events'],
        profile: 'full',
        memberId: 7,
        choice: { calendar: 'show=events', news: '' },
      },
    })
    expect(added?.link.keyHash).not.toBe(old?.link.keyHash)
    expect((await storedLinkOf(documents, id))?.link.replacedById).toBe(renewed.link.id)
  })

  test('renews a link only once for the same revision', async () => {
    const { documents, id, renew } = await startedLink()
    const { revision } = (await storedLinkOf(documents, id)) ?? {}
    expect(await renew(revision)).toMatchObject({ ok: true })
    expect(await renew(revision)).toEqual({ ok: false, reason: 'changed meanwhile' })
    expect(await storedLinks(documents)).toHaveLength(2)
  })

  test('does not let a renewed link work longer than before', async () => {
    const { clock, id, documents, renew } = await startedLink(Date.UTC(2100, 0))
    expect(await renew()).toMatchObject({ old: { expiresAt: clock.now() + 14 * dayMs } })
    const { link } = (await storedLinkOf(documents, id)) ?? {}
    await clock.advance(dayMs)
    expect(await renew()).toMatchObject({ old: { expiresAt: link?.expiresAt } })
  })

  test('does not renew a revoked or unknown link', async () => {
    const { documents, change, id, renew } = await startedLink()
    await revokeLink(documents, id, change())
    expect(await renew()).toEqual({ ok: false, reason: 'revoked' })
    const renewal = { ...change(), expiresAt: undefined, oldEndsAt: 0, revision: 1 }
    expect(await renewLink(documents, 'aaaaaaaa', renewal)).toEqual({
      ok: false,
      reason: 'unknown',
    })
  })
})
