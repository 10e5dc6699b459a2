import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createLinkRegistry } from '../../src/links/link-registry.ts'
import { addLink, storedLinks } from '../../src/links/stored-links.ts'
import { linkUseBucket, storedUsesOf } from '../../src/links/link-use.ts'
import type { Store } from '../../src/store/store.ts'
import { onEveryStore, storesAt } from '../support/stores.ts'

const hourMs = 60 * 60_000
const dayOf = (at: number) => Math.floor(at / (24 * hourMs))

onEveryStore((placeOf) => {
  async function linkOnTwoReplicas() {
    const { clock, store, other } = await storesAt(placeOf(), 2)
    const { now } = clock
    const shown = { feedIds: undefined, profile: 'full', expiresAt: undefined } as const
    const wish = { label: 'Crew', ...shown }
    const added = await addLink(store.documents, wish, { now: now(), random: randomBytes })
    if (!added.ok) throw new Error(added.reason)
    const { link, key } = added
    const replicaOn = async ({ documents }: Pick<Store, 'documents'>) => {
      const registry = createLinkRegistry(documents, now, () => undefined)
      await registry.pull()
      const entry = registry.find(key)
      if (!entry) throw new Error('the link is missing')
      return { ...registry, entry }
    }
    return { clock, store, other, link, replicaOn }
  }

  test('shows the fetches that any replica has seen, stored or not', async () => {
    const { clock, store, other, link, replicaOn } = await linkOnTwoReplicas()
    const [one, two] = [await replicaOn(store), await replicaOn(other)]
    const start = clock.now()
    one.entry.noteUse({ at: start, app: 'Google' })
    await one.storeUses()
    one.entry.noteUse({ at: start + 9 * hourMs, app: 'Google' })
    await one.storeUses()
    two.entry.noteUse({ at: start + 10 * hourMs, app: 'Android' })
    const fetches = [
      { app: 'Android', at: start + 10 * hourMs, refreshes: [start + 10 * hourMs] },
      { app: 'Google', at: start + 9 * hourMs, refreshes: [start, start + 9 * hourMs] },
    ].map((each) => ({ ...each, days: [...new Set(each.refreshes.map(dayOf))] }))
    expect(await two.entry.fetches()).toEqual(fetches)
    expect(await one.entry.fetches()).toEqual(fetches.slice(1))
    await two.storeUses()
    expect(await one.entry.fetches()).toEqual(fetches)
    const [listed] = await storedLinks(store.documents)
    expect(listed).toMatchObject({ id: link.id, fetches })
    expect(listed?.lastUse).toEqual({ at: start + 10 * hourMs, client: 'other' })
  })

  test('writes once for any number of requests', async () => {
    const { clock, store, link, replicaOn } = await linkOnTwoReplicas()
    const replica = await replicaOn(store)
    for (let at = 0; at < 100; at += 1) {
      replica.entry.noteUse({ at: clock.now() + at, app: at % 2 === 0 ? 'Apple' : 'Outlook' })
    }
    await replica.storeUses()
    await replica.storeUses()
    expect((await store.documents.get(linkUseBucket, link.id))?.revision).toBe(1)
  })

  test('keeps uses for the next attempt if they cannot be stored, and newer ones rather than older', async () => {
    const { clock, store, link, replicaOn } = await linkOnTwoReplicas()
    const [first, second] = [clock.now(), clock.now() + hourMs]
    let isDown = true
    const documents = {
      ...store.documents,
      async write(...args: Parameters<typeof store.documents.write>) {
        if (!isDown) return store.documents.write(...args)
        isDown = false
        replica.entry.noteUse({ at: second, app: 'Apple' })
        throw new Error('down')
      },
    }
    const replica = await replicaOn({ documents })
    replica.entry.noteUse({ at: first, app: 'Apple' })
    replica.entry.noteUse({ at: first, app: 'Google' })
    await expect(replica.storeUses()).rejects.toThrow('down')
    await replica.storeUses()
    const uses = await storedUsesOf(store.documents, link.id)
    expect(uses).toMatchObject({ at: second, client: 'Apple' })
    expect(uses?.fetches.map(({ app, at }) => [app, at])).toEqual([
      ['Apple', second],
      ['Google', first],
    ])
  })

  test('deletes uses 400 days after the latest one', async () => {
    const { clock, store, link, replicaOn } = await linkOnTwoReplicas()
    const replica = await replicaOn(store)
    replica.entry.noteUse({ at: clock.now() - hourMs, app: 'Apple' })
    await replica.storeUses()
    await clock.leap(400 * 24 * hourMs - hourMs - 1)
    expect(await storedUsesOf(store.documents, link.id)).toBeDefined()
    await clock.leap(1)
    expect(await storedUsesOf(store.documents, link.id)).toBeUndefined()
  })

  test.for([
    { name: 'an older version', fetches: undefined, apps: [] },
    { name: 'a damaged document', fetches: [{ app: 'Apple' }], apps: [] },
    {
      name: 'a newer version with other kinds of apps',
      fetches: [
        { app: 'Fridge', at: 7, refreshes: [7] },
        { app: 'Apple', at: 5, refreshes: [5] },
      ],
      apps: ['Apple'],
    },
  ])('reads uses from $name', async ({ fetches, apps }) => {
    const { store, link } = await linkOnTwoReplicas()
    const value = JSON.stringify({ at: 7, client: 'Apple', fetches })
    await store.documents.write([{ bucket: linkUseBucket, id: link.id, value }])
    const uses = await storedUsesOf(store.documents, link.id)
    expect(uses).toMatchObject({ at: 7, client: 'Apple' })
    expect(uses?.fetches.map(({ app }) => app)).toEqual(apps)
  })
})
