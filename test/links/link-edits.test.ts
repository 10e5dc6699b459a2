import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { editLink, renewLink, revokeLink, type LinkEdit } from '../../src/links/link-edits.ts'
import { createLinkRegistry } from '../../src/links/link-registry.ts'
import { addLink, storedLinkOf, storedLinks, type NewLink } from '../../src/links/stored-links.ts'
import { onEveryStore, storesAt } from '../support/stores.ts'

const dayMs = 24 * 60 * 60 * 1000

const wish = { label: 'Crew', feedIds: undefined, profile: 'full', expiresAt: undefined } as const

const choice = { calendar: 'show=events', news: '' }

onEveryStore((placeOf) => {
  async function linkOnReplica(properties: Partial<NewLink> = {}) {
    const { clock, store, other } = await storesAt(placeOf(), 2)
    const { documents } = store
    const change = () => ({ now: clock.now(), random: randomBytes })
    const added = await addLink(documents, { ...wish, ...properties }, change())
    if (!added.ok) throw new Error(added.reason)
    const { link, key } = added
    const registry = createLinkRegistry(other.documents, clock.now, () => undefined)
    await registry.pull()
    const edit = (changes: LinkEdit, revision?: number) =>
      editLink(documents, link.id, changes, { ...change(), revision })
    const stored = () => storedLinkOf(documents, link.id)
    const renew = async (revision?: number) =>
      renewLink(documents, link.id, {
        ...change(),
        expiresAt: undefined,
        oldEndsAt: clock.now() + 14 * dayMs,
        revision: revision ?? (await stored())?.revision ?? 0,
      })
    return { clock, documents, change, link, key, registry, edit, renew, stored }
  }

  test('gives an edited link a new entry on other replicas, and ends the old one', async () => {
    const { clock, link, key, registry, edit } = await linkOnReplica()
    const before = registry.find(key)
    await clock.advance(1000)
    const changes: LinkEdit = {
      label: 'Crew 2',
      feedIds: ['events'],
      profile: 'members',
      memberId: 7,
    }
    const profileChangedAt = clock.now() + 1_000
    const edited = { ...link, ...changes, editedAt: clock.now(), profileChangedAt }
    expect(await edit(changes)).toEqual({ ok: true, link: edited })
    await registry.pull()
    expect(before?.servesUntil).toBe(-Infinity)
    expect(before?.link.profile).toBe('full')
    expect(registry.find(key)?.link).toEqual(edited)
    expect(registry.find(key)?.servesUntil).toBe(Infinity)
  })

  test('keeps when an edit last changed how entries look, also in a renewed link', async () => {
    const { clock, edit, renew } = await linkOnReplica()
    const timesAfter = async (changes: LinkEdit) => {
      await clock.advance(500)
      const edited = await edit(changes)
      if (!edited.ok) throw new Error(edited.reason)
      const { profileChangedAt, choiceChangedAt } = edited.link
      return [profileChangedAt, choiceChangedAt]
    }
    const start = clock.now()
    const none = [undefined, undefined]
    expect(await timesAfter({ feedIds: ['events'], profile: 'full', memberId: 7 })).toEqual(none)
    expect(await timesAfter({ choice })).toEqual(none)
    const withAlarm = { choice: { ...choice, calendar: 'show=events&alarm=30' } }
    expect(await timesAfter(withAlarm)).toEqual([undefined, start + 3_500])
    const withOther = { choice: { calendar: 'alarm=30', news: 'show=news' }, isPaused: true }
    expect(await timesAfter(withOther)).toEqual([undefined, start + 3_500])
    expect(await timesAfter({ profile: 'members' })).toEqual([start + 5_500, start + 3_500])
    expect(await timesAfter({ profile: 'full' })).toEqual([start + 6_500, start + 3_500])
    const renewed = await renew()
    const times = { profileChangedAt: start + 6_500, choiceChangedAt: start + 3_500 }
    expect(renewed).toMatchObject({ ok: true, link: times })
  })

  test('keeps the entries of links that have not changed', async () => {
    const { documents, change, key, registry } = await linkOnReplica()
    const before = registry.find(key)
    await addLink(documents, { ...wish, label: 'Another' }, change())
    await registry.pull()
    expect(registry.all()).toHaveLength(2)
    expect(registry.find(key)).toBe(before)
  })

  test('stores uses that were noted on an old entry', async () => {
    const { clock, documents, key, registry, edit } = await linkOnReplica()
    const before = registry.find(key)
    await edit({ label: 'Crew 2' })
    await registry.pull()
    before?.noteUse({ at: clock.now(), app: 'Apple' })
    await registry.storeUses()
    expect((await storedLinks(documents))[0]?.lastUse).toEqual({ at: clock.now(), client: 'Apple' })
  })

  test('pauses and resumes a link, and keeps its other properties', async () => {
    const { clock, link, key, registry, edit } = await linkOnReplica()
    const pausedAt = clock.now()
    await edit({ isPaused: true })
    await clock.advance(1000)
    expect(await edit({ isPaused: true })).toMatchObject({ link: { pausedAt } })
    expect(await edit({ label: 'Crew 2' })).toMatchObject({ link: { pausedAt } })
    await registry.pull()
    expect(registry.find(key)?.servesUntil).toBe(-Infinity)
    const resumed = await edit({ isPaused: false })
    await registry.pull()
    expect(registry.find(key)?.servesUntil).toBe(Infinity)
    const editedAt = clock.now() + 1_000
    expect(resumed).toEqual({ ok: true, link: { ...link, label: 'Crew 2', editedAt } })
  })

  test('rejects an edit of an older revision, and then keeps the newer properties', async () => {
    const { edit, stored } = await linkOnReplica()
    const { revision } = (await stored()) ?? {}
    expect(await edit({ label: 'First' }, revision)).toMatchObject({ ok: true })
    const refused = { ok: false, reason: 'changed meanwhile' }
    expect(await edit({ label: 'Second' }, revision)).toEqual(refused)
    expect((await stored())?.link.label).toBe('First')
  })

  test('keeps simultaneous edits of different properties', async () => {
    const { edit, stored } = await linkOnReplica()
    await Promise.all([edit({ label: 'Crew 2' }), edit({ profile: 'members' })])
    expect((await stored())?.link).toMatchObject({ label: 'Crew 2', profile: 'members' })
  })

  test('does not write an edit that changes nothing', async () => {
    const { edit, stored } = await linkOnReplica()
    const before = await stored()
    await edit({ label: 'Crew', isPaused: false })
    expect(await stored()).toEqual(before)
  })

  test('does not edit or renew revoked and unknown links', async () => {
    const { documents, change, link, edit, renew } = await linkOnReplica()
    await revokeLink(documents, link.id, change())
    expect(await edit({ label: 'Again' })).toEqual({ ok: false, reason: 'revoked' })
    expect(await edit({ choice })).toEqual({ ok: false, reason: 'revoked' })
    expect(await renew()).toEqual({ ok: false, reason: 'revoked' })
    const unknown = { ok: false, reason: 'unknown' }
    expect(await editLink(documents, 'aaaaaaaa', {}, change())).toEqual(unknown)
    const renewal = { ...change(), expiresAt: undefined, oldEndsAt: 0, revision: 1 }
    expect(await renewLink(documents, 'aaaaaaaa', renewal)).toEqual(unknown)
  })

  test('reactivates an expired link with a later expiration date', async () => {
    const { clock, key, registry, edit } = await linkOnReplica()
    await edit({ expiresAt: clock.now() + dayMs })
    await clock.leap(2 * dayMs)
    await registry.pull()
    expect(registry.find(key)?.servesUntil).toBeLessThan(clock.now())
    expect(await edit({ expiresAt: undefined })).toMatchObject({ ok: true })
    await registry.pull()
    expect(registry.find(key)?.servesUntil).toBe(Infinity)
  })

  test('keeps an edit if the store reverts to an older state', async () => {
    const { documents, link, key, registry, edit, stored } = await linkOnReplica()
    const { value } = (await documents.get('links', link.id)) ?? {}
    await edit({ profile: 'members', isPaused: true })
    await registry.pull()
    await documents.write([
      { bucket: 'links', id: link.id, value },
      { bucket: 'links-version', id: 'version', value: 'before' },
    ])
    await registry.pull()
    expect(registry.find(key)?.servesUntil).toBe(-Infinity)
    expect((await stored())?.link).toMatchObject({ profile: 'members' })
  })

  test('reads a link that was stored before links could be edited', async () => {
    const { documents, link, stored } = await linkOnReplica()
    const { id, keyHash, label, profile, createdAt } = link
    const value = JSON.stringify({ keyHash, label, profile, createdAt })
    await documents.write([{ bucket: 'links', id, value }])
    expect((await stored())?.link).toEqual(link)
  })

  test('keeps the saved choice when other properties are edited, and counts it as one edit', async () => {
    const { clock, edit, stored } = await linkOnReplica()
    await edit({ choice })
    await clock.advance(1000)
    const again = await edit({ choice: { ...choice } })
    expect(again).toMatchObject({ ok: true, link: { editedAt: clock.now() - 1000 } })
    await edit({ label: 'Robin Reyes' })
    expect((await stored())?.link).toMatchObject({ label: 'Robin Reyes', choice })
  })

  test('ignores an unreadable choice, and the link keeps working', async () => {
    const { documents, link, stored } = await linkOnReplica()
    const { value = '{}' } = (await documents.get('links', link.id)) ?? {}
    const damaged = JSON.stringify({ ...(JSON.parse(value) as object), choice: { calendar: 3 } })
    await documents.write([{ bucket: 'links', id: link.id, value: damaged }])
    expect((await stored())?.link).toEqual(link)
    expect(await storedLinks(documents)).toHaveLength(1)
  })

  test('gives a renewed link a new key, and lets the old one work for a while', async () => {
    const properties = { feedIds: ['events'], memberId: 7 }
    const { clock, link, key, registry, edit, renew, stored } = await linkOnReplica(properties)
    await edit({ choice })
    const renewed = await renew()
    if (!renewed.ok) throw new Error(renewed.reason)
    await registry.pull()
    const [old, added] = [registry.find(key), registry.find(renewed.key)]
    expect(old).toMatchObject({
      link: { id: link.id, replacedById: renewed.link.id },
      servesUntil: clock.now() + 14 * dayMs,
    })
    expect(added).toMatchObject({
      servesUntil: Infinity,
      link: { label: 'Crew', profile: 'full', ...properties, choice },
    })
    expect(added?.link.keyHash).not.toBe(old?.link.keyHash)
    expect((await stored())?.link.replacedById).toBe(renewed.link.id)
  })

  test('renews a link only once for the same revision', async () => {
    const { documents, renew, stored } = await linkOnReplica()
    const { revision } = (await stored()) ?? {}
    expect(await renew(revision)).toMatchObject({ ok: true })
    expect(await renew(revision)).toEqual({ ok: false, reason: 'changed meanwhile' })
    expect(await storedLinks(documents)).toHaveLength(2)
  })

  test('does not let a renewed link work longer than before', async () => {
    const { clock, renew, stored } = await linkOnReplica({ expiresAt: Date.UTC(2100, 0) })
    expect(await renew()).toMatchObject({ old: { expiresAt: clock.now() + 14 * dayMs } })
    const { link } = (await stored()) ?? {}
    await clock.advance(dayMs)
    expect(await renew()).toMatchObject({ old: { expiresAt: link?.expiresAt } })
  })
})
