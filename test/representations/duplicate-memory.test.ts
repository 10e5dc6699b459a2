import { expect, onTestFinished, test } from 'vitest'
import { feeds } from '../../src/feeds/catalog.ts'
import { createLogger } from '../../src/log.ts'
import {
  createDuplicateMemory,
  duplicateBucket,
} from '../../src/representations/duplicate-memory.ts'
import { StoreError } from '../../src/store/store-error.ts'
import { collectionsOf } from '../support/collections.ts'
import { openHouse } from '../support/combined-calendar.ts'
import { testSite } from '../support/site.ts'

const resources = ['calendar', 'events'] as const
const others = [7, 8, 9].map((id) => ({ ...openHouse, id, title: `Drill ${id}` }))
const calendar = [openHouse, ...others].map((each) => ({
  ...each,
  calendarId: 3,
  calendar: 'Company',
}))

/** Starts replicas that share a store and a website. */
function startMemory() {
  const { collections, store, website, clock, lines, start, stop } = collectionsOf({ resources })
  onTestFinished(stop)
  website.items = { calendar, events: [openHouse] }
  const log = createLogger('info', { write: (line) => lines.push(line) })
  const about = { feeds, site: testSite, clock, log }
  const failing = { failure: undefined as StoreError | undefined }
  const documents: typeof store.documents = {
    ...store.documents,
    async get(bucket, id) {
      if (failing.failure) throw failing.failure
      return store.documents.get(bucket, id)
    },
  }
  return {
    collections,
    documents: store.documents,
    website,
    clock,
    lines,
    failing,
    memory: createDuplicateMemory({ ...about, documents, collections }),
    startReplica: () => {
      const replica = start()
      onTestFinished(replica.stop)
      const parts = { ...about, documents: store.documents, collections: replica.collections }
      return { ...replica, memory: createDuplicateMemory(parts) }
    },
    read: async (replica = collections) => {
      for (const resource of resources) await replica.readDue(resource)
    },
  }
}

const listed = { resource: 'events', id: 1, state: 'listed' }
const removed = { resource: 'calendar', id: 1, subsetId: 3, state: 'removed' }

test('remembers a removed record across replicas and restarts', async () => {
  const { collections, memory, website, clock, read, startReplica } = startMemory()
  await read()
  const groups = await memory.duplicatesFor('public')
  expect(groups).toMatchObject([[{ ...removed, state: 'listed' }, listed]])
  expect(await memory.duplicatesFor('public')).toBe(groups)
  website.items.calendar = calendar.slice(1)
  await clock.advance(3_600_000)
  await read()
  expect(collections.copyOf('calendar')?.records).toHaveLength(3)
  // A replica that has never seen the removed record knows it from the store.
  const replica = startReplica()
  await read(replica.collections)
  const after = await replica.memory.duplicatesFor('public')
  expect(after).toMatchObject([[removed, listed]])
  expect(await memory.duplicatesFor('public')).toEqual(after)
})

test('stores the groups of each profile once', async () => {
  const { documents, memory, read, startReplica } = startMemory()
  await read()
  const replica = startReplica()
  await read(replica.collections)
  await Promise.all([
    memory.duplicatesFor('public'),
    memory.duplicatesFor('full'),
    replica.memory.duplicatesFor('public'),
  ])
  const stored = await documents.all(duplicateBucket)
  expect([...stored].map(([id, { revision }]) => [id, revision])).toEqual([
    ['full', 1],
    ['public', 1],
  ])
})

test('relies on its own history while the store is down', async () => {
  const { memory, website, clock, read, failing } = startMemory()
  await read()
  await memory.duplicatesFor('public')
  website.items.calendar = calendar.slice(1)
  await clock.advance(3_600_000)
  await read()
  failing.failure = new StoreError('unreachable', 'The store is down')
  expect(await memory.duplicatesFor('public')).toMatchObject([[removed, listed]])
  failing.failure = undefined
  expect(await memory.duplicatesFor('public')).toMatchObject([[removed, listed]])
})

test('remembers changes made while the store was down', async () => {
  const { documents, memory, website, clock, read, failing, startReplica } = startMemory()
  website.items.calendar = calendar.slice(1)
  await read()
  await memory.duplicatesFor('public')
  failing.failure = new StoreError('unreachable', 'The store is down')
  for (const items of [calendar, calendar, []]) {
    website.items.events = items === calendar ? [openHouse] : []
    website.items.calendar = calendar
    await clock.advance(3_600_000)
    await read()
    await memory.duplicatesFor('public')
  }
  failing.failure = undefined
  await clock.advance(60_000)
  const groups = await memory.duplicatesFor('public')
  expect(groups).toHaveLength(1)
  const replica = startReplica()
  await read(replica.collections)
  expect(await replica.memory.duplicatesFor('public')).toEqual(groups)
  expect((await documents.get(duplicateBucket, 'public'))?.value).toContain('"state":"')
})

test('does not let a replica with older records revert stored data', async () => {
  const { documents, memory, website, clock, read, startReplica } = startMemory()
  await read()
  await memory.duplicatesFor('public')
  const late = startReplica()
  await read(late.collections)
  const before = (await documents.get(duplicateBucket, 'public'))?.revision
  website.items.calendar = calendar.slice(1)
  await clock.advance(3_600_000)
  await read()
  await memory.duplicatesFor('public')
  const stored = await documents.get(duplicateBucket, 'public')
  expect(stored?.revision).toBeGreaterThan(before ?? 0)
  await late.memory.duplicatesFor('public')
  expect(await documents.get(duplicateBucket, 'public')).toEqual(stored)
})

test('replaces and reports a damaged document', async () => {
  const { documents, memory, lines, read } = startMemory()
  await documents.write([{ bucket: duplicateBucket, id: 'public', value: '[[{"id":"x"}]]' }])
  await read()
  expect(await memory.duplicatesFor('public')).toHaveLength(1)
  expect(lines.join('')).toContain(
    'the stored duplicate entries are invalid and are being replaced',
  )
  expect((await documents.get(duplicateBucket, 'public'))?.value).toContain('"events"')
})
