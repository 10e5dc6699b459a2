import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSyncLogs, maxRemoved } from '../../src/representations/sync-log.ts'
import { openTestStore } from '../support/store.ts'
import { onEveryStore, storesAt } from '../support/stores.ts'

const itemsOf = (tags: Readonly<Record<string, string>>) =>
  Object.entries(tags).map(([name, etag]) => ({ name, etag }))

const first = itemsOf({ a: '1', b: '1' })

onEveryStore((placeOf) => {
  test('returns all items at first, and then only changed and removed ones', async () => {
    const { clock, store } = await storesAt(placeOf(), 1)
    const logs = createSyncLogs(store.documents, clock)
    const all = await logs.changes('events', first, '')
    expect(all).toMatchObject({ changed: ['a', 'b'], removed: [] })
    const token = all?.token ?? ''
    expect(token).toMatch(/^urn:feedhouse:sync:events\.[\w-]+\/1$/)
    expect(await logs.changes('events', first, token)).toEqual({ token, changed: [], removed: [] })
    const changes = await logs.changes('events', itemsOf({ a: '2', c: '1' }), token)
    expect(changes).toMatchObject({ changed: ['a', 'c'], removed: ['b'] })
    expect(await logs.token('events', itemsOf({ a: '2', c: '1' }))).toBe(changes?.token)
  })

  test('keeps tokens valid after a restart, and the same on all replicas', async () => {
    const { store, other, open, clock } = await storesAt(placeOf(), 2)
    const token = await createSyncLogs(store.documents, clock).token('events', first)
    expect(await createSyncLogs(other.documents, clock).token('events', first)).toBe(token)
    const later = await open(clock.now)
    const changes = await createSyncLogs(later.documents, clock).changes('events', first, token)
    expect(changes).toEqual({ token, changed: [], removed: [] })
  })

  test('accepts a token that another replica has just created', async () => {
    const { clock, store, other } = await storesAt(placeOf(), 2)
    const [one, two] = [
      createSyncLogs(store.documents, clock),
      createSyncLogs(other.documents, clock),
    ]
    await one.token('events', first)
    const changed = itemsOf({ a: '2', b: '1' })
    const token = await two.token('events', changed)
    // The first replica still has the old records.
    expect(await one.changes('events', first, token)).toMatchObject({ changed: ['a'] })
  })
})

test('reads the logs of collections without changes only once, however many there are', async () => {
  const { documents } = openTestStore(Date.now)
  let reads = 0
  const counted = {
    ...documents,
    get: (bucket: string, id: string) => {
      reads += 1
      return documents.get(bucket, id)
    },
  }
  const logs = createSyncLogs(counted, { now: Date.now })
  const collections = Array.from({ length: 60 }, (_, index) => itemsOf({ a: `${index}` }))
  for (const repetition of ['first', 'second']) {
    for (const [index, items] of collections.entries()) await logs.token(`${index}`, items)
    expect([repetition, reads]).toEqual([repetition, 60])
  }
})

test.each(['', 'x', 'urn:feedhouse:sync:', 'urn:feedhouse:sync:other/1'])(
  'rejects the token %j',
  async (token) => {
    const logs = createSyncLogs(openTestStore(Date.now).documents, { now: Date.now })
    const changes = await logs.changes('events', first, token)
    expect(changes === undefined).toBe(token !== '')
  },
)

test('returns the differences from the collection that a client had before its link was edited', async () => {
  const logs = createSyncLogs(openTestStore(Date.now).documents, { now: Date.now })
  const full = itemsOf({ a: '1', b: '1', c: '1' })
  const before = await logs.token('full', full)
  const members = itemsOf({ b: '2', c: '1', d: '1' })
  const changes = await logs.changes('members', members, before)
  expect(changes).toMatchObject({ changed: ['b', 'd'], removed: ['a'] })
  expect(changes?.token).toBe(await logs.token('members', members))
  expect(await logs.changes('none', [], before)).toMatchObject({ removed: ['a', 'b', 'c'] })
  // The client must not learn what has been added to the other collection since then.
  await logs.token('full', itemsOf({ a: '1', secret: '1' }))
  expect(await logs.changes('members', members, before)).toBeUndefined()
})

test('does not accept tokens of lost logs, from the future, or without a number', async () => {
  const logs = createSyncLogs(openTestStore(Date.now).documents, { now: Date.now })
  const token = await logs.token('events', first)
  for (const lost of ['rental', 'events']) {
    const other = token.replace(/events\../, `${lost}.${token.includes('events.x') ? 'y' : 'x'}`)
    expect(await logs.changes('events', first, other)).toBeUndefined()
  }
  for (const end of ['/2', '/-1', '/1.5', '/1e0', '/', '']) {
    const changed = token.replace('/1', end)
    expect([end, await logs.changes('events', first, changed)]).toEqual([end, undefined])
  }
})

test('rejects tokens of clients that have missed more removed items than it stores', async () => {
  const logs = createSyncLogs(openTestStore(Date.now).documents, { now: Date.now })
  const many = Array.from({ length: maxRemoved }, (_, index) => ({ name: `${index}`, etag: '1' }))
  const one = [{ name: 'one', etag: '1' }]
  const all = await logs.token('events', [...many, ...one])
  const withoutOne = await logs.token('events', many)
  const { removed } = (await logs.changes('events', [], withoutOne)) ?? {}
  expect(removed).toHaveLength(maxRemoved)
  expect(await logs.changes('events', [], all)).toBeUndefined()
})

test('replaces a damaged log', async () => {
  const clock = { now: Date.now }
  const { documents } = openTestStore(clock.now)
  const token = await createSyncLogs(documents, clock).token('events', first)
  await documents.write([{ bucket: 'sync-logs', id: 'events', value: '{"id":' }])
  expect(await createSyncLogs(documents, clock).changes('events', first, token)).toBeUndefined()
})

test('after any sequence of changes and syncs, a client has exactly the current items', async () => {
  const steps = fc.array(
    fc.record({
      tags: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2', '3')),
      isSynced: fc.boolean(),
      profile: fc.constantFrom('full', 'members'),
    }),
    { maxLength: 12 },
  )
  const clock = { now: Date.now }
  const { documents } = openTestStore(clock.now)
  let run = 0
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const logs = createSyncLogs(documents, clock)
      run += 1
      const client = new Map<string, string>()
      let token = ''
      const last = { tags: { a: '9' }, isSynced: true, profile: 'full' }
      for (const { tags, isSynced, profile } of [...sequence, last]) {
        const items = itemsOf(tags)
        const collection = `${profile}${run}`
        await logs.token(collection, items)
        if (!isSynced) continue
        const known = await logs.changes(collection, items, token)
        if (!known) client.clear()
        const changes = known ?? (await logs.changes(collection, items, ''))
        for (const name of changes?.removed ?? []) client.delete(name)
        for (const name of changes?.changed ?? []) {
          client.set(name, items.find((item) => item.name === name)?.etag ?? 'missing')
        }
        token = changes?.token ?? ''
        expect(Object.fromEntries(client)).toEqual(tags)
      }
    }),
    { numRuns: 40 },
  )
})
