import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { stateOf } from '../../src/links/feed-link.ts'
import { createLinkRegistry } from '../../src/links/link-registry.ts'
import { revokeLink } from '../../src/links/link-edits.ts'
import {
  addLink,
  addLinks,
  isLinkId,
  newLinkId,
  storedLinks,
} from '../../src/links/stored-links.ts'
import type { Documents } from '../../src/store/store.ts'
import { onEveryStore, storesAt } from '../support/stores.ts'

const dayMs = 24 * 60 * 60 * 1000

const open = { feedIds: undefined, profile: 'members', expiresAt: undefined } as const
const wish = { label: 'Crew', ...open }

onEveryStore((placeOf) => {
  async function twoReplicas() {
    const { clock, store, other, open } = await storesAt(placeOf(), 2)
    const { now } = clock
    const registryOn = ({ documents }: { readonly documents: Documents }) => {
      const changes = { count: 0 }
      const onChange = () => void (changes.count += 1)
      return { ...createLinkRegistry(documents, now, onChange), changes }
    }
    const context = () => ({ now: now(), random: randomBytes })
    const add = async (change = {}) => {
      const added = await addLink(store.documents, { ...wish, ...change }, context())
      if (!added.ok) throw new Error(added.reason)
      return added
    }
    return {
      clock,
      store,
      other,
      open,
      registryOn,
      context,
      add,
      revoke: (id: string) => revokeLink(store.documents, id, context()),
      list: () => storedLinks(store.documents),
    }
  }

  test('shows links from one list in its order, after the links from a newer list', async () => {
    const { clock, store, context, list } = await twoReplicas()
    for (const labels of [
      ['Zoë', 'Ann', 'Max', 'Bea', 'Kim'],
      ['Uma', 'Abe', 'Lou'],
    ]) {
      await clock.advance(1000)
      const wishes = labels.map((label) => ({ ...wish, label }))
      await addLinks(store.documents, wishes, { ...context(), id: newLinkId(randomBytes) })
    }
    const labels = (await list()).map(({ label }) => label)
    expect(labels).toEqual(['Uma', 'Abe', 'Lou', 'Zoë', 'Ann', 'Max', 'Bea', 'Kim'])
  })

  test('finds a link only by its key, which is never stored', async () => {
    const { add, list, store, other, registryOn } = await twoReplicas()
    const registry = registryOn(other)
    await registry.pull()
    const { link, key } = await add()
    expect(registry.find(key)).toBeUndefined()
    await registry.pull()
    expect(registry.find(key)?.link).toEqual(link)
    expect(registry.find(link.id)).toBeUndefined()
    expect(registry.find(link.keyHash)).toBeUndefined()
    expect(registry.find('')).toBeUndefined()
    const stored = [...(await store.documents.all('links')).values()].map(({ value }) => value)
    expect(stored).toHaveLength(1)
    expect(stored.join()).not.toContain(key)
    expect(await list()).toEqual([{ ...link, lastUse: undefined }])
  })

  test('ends a revoked link on other replicas at their next poll', async () => {
    const { add, revoke, clock, other, registryOn } = await twoReplicas()
    const registry = registryOn(other)
    const { link, key } = await add({ feedIds: ['events'], profile: 'full' })
    await registry.pull()
    const known = registry.find(key)
    expect(known?.servesUntil).toBe(Infinity)
    await clock.advance(1000)
    const revoked = await revoke(link.id)
    expect(revoked).toEqual({ ...link, revokedAt: clock.now() })
    await registry.pull()
    expect(known?.servesUntil).toBeLessThan(clock.now())
    expect(registry.find(key)?.servesUntil).toBeLessThan(clock.now())
    await clock.advance(1000)
    expect(await revoke(link.id)).toEqual(revoked)
    expect(await revoke('nobody')).toBeUndefined()
  })

  test('does not reload unchanged links', async () => {
    const { add, other, registryOn } = await twoReplicas()
    const registry = registryOn(other)
    await add()
    await registry.pull()
    await registry.pull()
    expect(registry.changes.count).toBe(1)
  })

  test('lists the newest link first, and shows when any replica last used each link', async () => {
    const { add, list, clock, store, other, registryOn } = await twoReplicas()
    const first = await add({ label: 'First' })
    await clock.advance(1000)
    const second = await add({ label: 'Second' })
    const registries = [store, other].map(registryOn)
    for (const registry of registries) await registry.pull()
    for (const [index, registry] of registries.entries()) {
      const known = registry.find(first.key)
      // The replica that writes last has seen the earlier use.
      known?.noteUse({ at: clock.now() + 5 - index, app: 'Apple' })
      await registry.storeUses()
    }
    expect((await list()).map(({ id, lastUse }) => [id, lastUse])).toEqual([
      [second.link.id, undefined],
      [first.link.id, { at: clock.now() + 5, client: 'Apple' }],
    ])
  })

  test('restores links that the store has lost, and keeps new links', async () => {
    const { add, revoke, list, clock, store, other, registryOn } = await twoReplicas()
    const kept = await add({ label: 'Kept' })
    const gone = await add({ label: 'Gone' })
    await revoke(gone.link.id)
    const registry = registryOn(other)
    await registry.pull()
    const { documents } = store
    for (const bucket of ['links', 'links-version']) {
      const ids = [...(await documents.all(bucket)).keys()]
      await documents.write(ids.map((id) => ({ bucket, id, value: undefined })))
    }
    const fresh = registryOn(store)
    await clock.advance(1)
    await add({ label: 'Since' })
    await fresh.pull()
    await registry.pull()
    await fresh.pull()
    expect((await list()).map(({ label }) => label).toSorted()).toEqual(['Gone', 'Kept', 'Since'])
    expect(fresh.find(kept.key)?.servesUntil).toBe(Infinity)
    expect(fresh.find(gone.key)?.servesUntil).toBeLessThan(clock.now())
    await registry.pull()
    expect(registry.all()).toHaveLength(3)
  })

  test('keeps a link revoked if the store reverts to an older state', async () => {
    const { add, revoke, list, store, other, registryOn } = await twoReplicas()
    const { link, key } = await add()
    const { documents } = store
    const { value } = (await documents.get('links', link.id)) ?? {}
    const registry = registryOn(other)
    await registry.pull()
    await revoke(link.id)
    await registry.pull()
    await documents.write([
      { bucket: 'links', id: link.id, value },
      { bucket: 'links-version', id: 'version', value: 'before' },
    ])
    await registry.pull()
    expect(registry.find(key)?.servesUntil).toBe(-Infinity)
    expect((await list())[0]?.revokedAt).toBeDefined()
  })

  test('ends a revoked link on a replica whose clock is behind', async () => {
    const { add, clock, store, other, registryOn } = await twoReplicas()
    const { link, key } = await add()
    const ahead = { now: clock.now() + 60_000, random: randomBytes }
    await revokeLink(store.documents, link.id, ahead)
    const registry = registryOn(other)
    await registry.pull()
    expect(registry.find(key)?.servesUntil).toBeLessThan(clock.now())
    expect(stateOf((await storedLinks(store.documents))[0] ?? link, clock.now())).toBe('ended')
  })

  test('skips an unreadable link', async () => {
    const { add, list, store, other, registryOn } = await twoReplicas()
    const { documents } = store
    const bad = ['{', '1', '{"keyHash":1}']
    await documents.write(
      bad.map((value, index) => ({ bucket: 'links', id: `bad${index}`, value })),
    )
    const { link, key } = await add()
    await documents.write([{ bucket: 'link-uses', id: link.id, value: '[]' }])
    const registry = registryOn(other)
    await registry.pull()
    expect(registry.find(key)?.link).toEqual(link)
    expect(await list()).toEqual([{ ...link, lastUse: undefined }])
    expect(await revokeLink(documents, 'bad0', { now: 0, random: randomBytes })).toBeUndefined()
  })

  test('forgets a link that ended long ago', async () => {
    const { add, revoke, list, clock, other, registryOn } = await twoReplicas()
    const { link, key } = await add()
    await revoke(link.id)
    const registry = registryOn(other)
    await registry.pull()
    await clock.leap(400 * dayMs)
    expect(await list()).toEqual([])
    await add({ label: 'Another' })
    await registry.pull()
    expect(registry.find(key)).toBeUndefined()
    expect((await list()).map(({ label }) => label)).toEqual(['Another'])
  })

  test('creates only one link for each id', async () => {
    const { add, list } = await twoReplicas()
    const id = newLinkId(randomBytes)
    expect(isLinkId(id)).toBe(true)
    const { key } = await add({ id })
    expect(key).toHaveLength(32)
    await expect(add({ id, label: 'Another' })).rejects.toThrow('made already')
    expect((await list()).map(({ label }) => label)).toEqual(['Crew'])
  })

  test('limits the number of links, and does not count links that have ended', async () => {
    const { add, revoke, list, store } = await twoReplicas()
    const { link } = await add()
    const { value = '' } = (await store.documents.get('links', link.id)) ?? {}
    const ids = Array.from({ length: 999 }, (_, index) => `n${index}`)
    await store.documents.write(ids.map((id) => ({ bucket: 'links', id, value })))
    await expect(add()).rejects.toThrow('too many')
    await revoke(link.id)
    await add()
    expect(await list()).toHaveLength(1001)
  })
})
