import { expect, test, vi } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../src/clock.ts'
import {
  linkUseBucket,
  maxDays,
  maxRefreshes,
  mergeFetches,
  observedIntervalMs,
  readersPerDay,
  refreshGapMs,
  storedUsesOf,
  type AppFetches,
  type LinkApp,
} from '../../src/links/link-use.ts'
import { randomBytes } from 'node:crypto'
import { createLinkRegistry } from '../../src/links/link-registry.ts'
import { addLink, storedLinks } from '../../src/links/stored-links.ts'
import type { Store } from '../../src/store/store.ts'
import { onEveryStore, storesAt } from '../support/stores.ts'

const dayMinutes = 24 * 60

const fetchesOf = (app: LinkApp, ...minutes: readonly number[]): AppFetches => {
  const times = minutes.map((minute) => minute * minuteMs)
  const days = [...new Set(times.map((at) => Math.floor(at / dayMs)))]
  return { app, at: Math.max(...times), refreshes: times, days }
}

test('counts requests within a few minutes as one refresh', () => {
  const seen = [0, 1, 4, 30, 34, 60].map((minute) => fetchesOf('Apple', minute))
  const merged = seen.reduce<readonly AppFetches[]>(
    (known, fetches) => mergeFetches(known, [fetches]),
    [],
  )
  expect(refreshGapMs).toBe(5 * minuteMs)
  expect(merged).toEqual([fetchesOf('Apple', 0, 30, 60)])
})

test('keeps the exact time of the latest request', () => {
  const merged = mergeFetches([fetchesOf('Apple', 0)], [fetchesOf('Apple', 3)])
  expect(merged).toEqual([{ app: 'Apple', at: 3 * minuteMs, refreshes: [0], days: [0] }])
})

test('merges the observations of two replicas, in either order', () => {
  const one = [fetchesOf('Google', 0, 600), fetchesOf('Apple', 20)]
  const two = [fetchesOf('Google', 300)]
  const merged = [fetchesOf('Google', 0, 300, 600), fetchesOf('Apple', 20)]
  expect(mergeFetches(one, two)).toEqual(merged)
  expect(mergeFetches(two, one)).toEqual(merged)
  expect(mergeFetches(merged, merged)).toEqual(merged)
})

test('keeps only the latest refreshes', () => {
  const minutes = Array.from({ length: 50 }, (_, index) => index * 10)
  const [fetches] = mergeFetches([], [fetchesOf('screen', ...minutes)])
  expect(fetches?.refreshes).toHaveLength(maxRefreshes)
  expect(fetches?.refreshes.at(-1)).toBe(490 * minuteMs)
})

test('keeps the days on which each app made requests, and only the latest', () => {
  const everyDay = Array.from({ length: 40 }, (_, day) => fetchesOf('Apple', day * dayMinutes))
  const [fetches] = everyDay.reduce<readonly AppFetches[]>(
    (known, seen) => mergeFetches(known, [seen, seen]),
    [],
  )
  expect(fetches?.days).toEqual(Array.from({ length: maxDays }, (_, index) => 10 + index))
})

test('counts the apps that read links on each of the last days', () => {
  const links = [
    [fetchesOf('Apple', 35 * dayMinutes, 39 * dayMinutes), fetchesOf('Google', 39 * dayMinutes)],
    [fetchesOf('Apple', 39 * dayMinutes), fetchesOf('screen', 2 * dayMinutes)],
  ]
  const days = readersPerDay(links, 39.5 * dayMs)
  expect(days).toHaveLength(maxDays)
  expect(days.filter(({ apps }) => apps.length > 0)).toEqual([
    { at: 35 * dayMs, apps: ['Apple'] },
    { at: 39 * dayMs, apps: ['Apple', 'Google', 'Apple'] },
  ])
})

test.for([
  { name: 'nothing from one refresh', minutes: [7], interval: undefined },
  { name: 'the time between two refreshes', minutes: [0, 30], interval: 30 },
  {
    name: 'the usual time, although the phone was off once',
    minutes: [0, 30, 60, 5000],
    interval: 30,
  },
])('observes $name', ({ minutes, interval }) => {
  const expected = interval === undefined ? undefined : interval * minuteMs
  expect(observedIntervalMs(fetchesOf('Apple', ...minutes))).toBe(expected)
})

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
    const replica = await replicaOn(store)
    vi.spyOn(store.documents, 'write').mockImplementationOnce(async () => {
      replica.entry.noteUse({ at: second, app: 'Apple' })
      throw new Error('down')
    })
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
    { name: 'a damaged document', fetches: [{ app: 'Apple' }], apps: [] },
    {
      name: 'a newer version with other kinds of apps',
      fetches: [
        { app: 'Fridge', at: 7, refreshes: [7], days: [0] },
        { app: 'Apple', at: 5, refreshes: [5], days: [0] },
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
