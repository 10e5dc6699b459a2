import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  closedSettings,
  parseStoredSettings,
  settingsDocument,
  type StoredSettings,
} from '../../src/config/stored-settings.ts'
import { createSessions } from '../../src/web/sessions.ts'
import { editLink, revokeLink } from '../../src/links/link-edits.ts'
import { addLink, linkBucket, storedLinks } from '../../src/links/stored-links.ts'
import { linkUseBucket, storeUses } from '../../src/links/link-use.ts'
import { itemsToBackUp, readCurrentStore, mergeBackup } from '../../src/backup/merge-backup.ts'
import {
  presentationChangedAt,
  presentationDocument,
} from '../../src/representations/presentation-changed-at.ts'
import { entrySettingsBucket } from '../../src/representations/entry-settings.ts'
import { idHostDocument } from '../../src/app/id-host.ts'
import { publicFeedsDocument } from '../../src/app/private-feeds.ts'
import { tokenBucket } from '../../src/app/upstream-client.ts'
import { collectionBuckets } from '../../src/collections/copy/stored-collections.ts'
import { createReplicas } from '../../src/store/replicas.ts'
import type { Store, StoredItem } from '../../src/store/store.ts'
import { hourMs, minuteMs, storeOf } from '../support/merge-backup.ts'
import { testSite } from '../support/site.ts'
import { followerBucket } from '../../src/followers/followers.ts'
import { openTestStore } from '../support/store.ts'
import { asStream, collected } from '../support/stored-items.ts'

const wish = {
  label: 'Crew',
  feedIds: undefined,
  profile: 'members',
  expiresAt: undefined,
} as const

test('restores a document with a revision that no pending write expects', async () => {
  const { store, backUp } = storeOf()
  const note = { bucket: 'notes', id: 'a', value: 'first' }
  await store.documents.write([note])
  const restore = await backUp()
  for (const value of ['x', 'y']) await store.documents.write([{ ...note, value }])
  await restore()
  expect(await store.documents.get('notes', 'a')).toEqual({ value: 'first', revision: 1_000_003 })
  for (const revision of [0, 1, 2, 3]) {
    expect(await store.documents.write([note], { ...note, revision })).toBe(false)
  }
  await restore()
  expect(await store.documents.get('notes', 'a')).toMatchObject({ revision: 2_000_003 })
})

test('drops documents that have expired and documents that were added after the backup', async () => {
  const { store, clock, backUp } = storeOf()
  const expiresAt = clock.now() + minuteMs
  await store.documents.write([{ bucket: 'notes', id: 'a', value: 'x', expiresAt }])
  const restore = await backUp()
  await store.documents.write([{ bucket: 'notes', id: 'b', value: 'x' }])
  await clock.advance(minuteMs)
  await restore()
  expect((await store.documents.all('notes')).size).toBe(0)
})

test('writes no expired document of the backup', async () => {
  const now = Date.parse('2026-03-05T15:00:00Z')
  const note = { bucket: 'notes', id: 'a', value: 'x', revision: 1, expiresAt: now }
  const before = await readCurrentStore(asStream([]))
  const times = { now, takenAt: now - hourMs, publicFeeds: [], lost: [] }
  const kept = { ...note, id: 'b', expiresAt: now + 1 }
  const items = await collected(mergeBackup(asStream([note, kept]), before, times))
  expect(items).toMatchObject([{ id: 'b' }])
})

const settingsIn = async ({ documents }: Store) => {
  const { bucket, id } = settingsDocument
  return parseStoredSettings((await documents.get(bucket, id))?.value)
}
const saved = (settings: StoredSettings) => ({
  ...settingsDocument,
  value: JSON.stringify(settings),
})

describe('stored settings', () => {
  test.for([
    ['listed in the backup', ['events', 'news']],
    ['public by default in the backup', undefined],
  ] as const)('keep feeds private that are private now, and were %s', async ([, publicFeeds]) => {
    const { store, backUp } = storeOf()
    await store.documents.write([saved({ name: 'Ashton', publicFeeds })])
    const restore = await backUp()
    await store.documents.write([saved({ name: 'Other', publicFeeds: ['events', 'minutes'] })])
    await restore()
    const restored = publicFeeds ? ['events'] : ['events', 'minutes']
    expect(await settingsIn(store)).toEqual({ name: 'Ashton', publicFeeds: restored })
  })

  test.for([
    ['saved', [saved({ name: 'Other' })]],
    ['deleted', [{ ...settingsDocument, value: undefined }]],
  ] as const)(
    'keep feeds private that are private by default, which has been %s',
    async ([, writes]) => {
      const { store, backUp } = storeOf()
      await store.documents.write([saved({ publicFeeds: ['events', 'minutes'] })])
      const restore = await backUp()
      await store.documents.write([...writes, { bucket: 'notes', id: 'a', value: 'x' }])
      await restore()
      expect(await settingsIn(store)).toEqual({ publicFeeds: ['events'] })
    },
  )

  test('come from the backup if the store is empty', async () => {
    const { store, backUp } = storeOf()
    await store.documents.write([saved({ publicFeeds: ['events', 'minutes'] })])
    const restore = await backUp()
    const empty = openTestStore(() => 0)
    await restore(empty)
    expect(await settingsIn(empty)).toEqual({ publicFeeds: ['events', 'minutes'] })
  })

  test('stay if the backup has none, with an emergency text', async () => {
    const { store, backUp } = storeOf()
    const restore = await backUp()
    const emergency = { bucket: 'settings', id: 'emergency', value: '{}' }
    await store.documents.write([saved({ publicFeeds: [] }), emergency])
    await restore()
    expect(await settingsIn(store)).toEqual({ publicFeeds: [] })
    expect(await store.documents.get('settings', 'emergency')).toMatchObject({ value: '{}' })
  })

  test.for([undefined, ['events']])(
    'come from the backup if the store has lost them: %s',
    async (publicFeeds) => {
      const { store, backUp } = storeOf()
      if (publicFeeds) await store.documents.write([saved({ publicFeeds })])
      const restore = await backUp()
      await store.documents.write([{ ...settingsDocument, value: closedSettings(undefined) }])
      await restore()
      expect(await settingsIn(store)).toEqual(publicFeeds ? { publicFeeds } : {})
    },
  )
})

test('omits replicas, sessions and messages in progress from backups', async () => {
  const { store, clock, backUp } = storeOf()
  await createReplicas(store.documents, { id: 'one', now: clock.now }).heartbeat()
  await createSessions(store.documents, { password: 'correct horse', clock }).begin()
  expect((await store.documents.all('admin-sessions')).size).toBe(1)
  for (const bucket of [
    'admin-browsers',
    'alerts',
    'change-webhooks',
    'websub',
    'followers-state',
    'bounces',
    'deliveries',
  ]) {
    await store.documents.write([{ bucket, id: 'a', value: '{}' }])
  }
  const restore = await backUp()
  const other = openTestStore(clock.now)
  await restore(other)
  expect(await collected(other.snapshot())).toEqual([])
})

test('keeps links, revocations, edits and last-use times that are newer than the backup', async () => {
  const { store, clock, backUp } = storeOf()
  const { documents } = store
  const making = { now: clock.now(), random: randomBytes }
  const ids = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc']
  for (const id of ids.slice(0, 2)) await addLink(documents, { ...wish, id }, making)
  const use = { at: clock.now(), client: 'Apple' } as const
  await storeUses(documents, new Map([['bbbbbbbb', { ...use, fetches: [] }]]))
  const restore = await backUp()
  await clock.advance(minuteMs)
  const revokedAt = clock.now()
  await revokeLink(documents, 'aaaaaaaa', { ...making, now: revokedAt })
  await editLink(documents, 'bbbbbbbb', { profile: 'full', isPaused: true }, making)
  await addLink(documents, { ...wish, id: 'cccccccc' }, making)
  const later = { ...use, at: use.at + 1 }
  await storeUses(documents, new Map([['bbbbbbbb', { ...later, fetches: [] }]]))
  await restore()
  const links = new Map((await storedLinks(documents)).map((link) => [link.id, link]))
  expect([...links.keys()].toSorted()).toEqual(ids)
  expect(links.get('bbbbbbbb')).toMatchObject({
    lastUse: later,
    profile: 'full',
    pausedAt: making.now,
  })
  expect(ids.map((id) => links.get(id)?.revokedAt)).toEqual([revokedAt, undefined, undefined])
})

test('keeps a revocation made during the restore', async () => {
  const { store, clock, backUp } = storeOf()
  const making = { now: clock.now(), random: randomBytes }
  await addLink(store.documents, { ...wish, id: 'aaaaaaaa' }, making)
  const items = await collected(itemsToBackUp(store.snapshot()))
  await backUp()
  const before = await readCurrentStore(store.snapshot())
  async function* withRevocation(): AsyncGenerator<StoredItem> {
    await revokeLink(store.documents, 'aaaaaaaa', making)
    yield* items
  }
  const brought = await collected(withRevocation())
  const times = { takenAt: clock.now(), now: clock.now(), publicFeeds: [], lost: [] }
  const restored = mergeBackup(asStream(brought), before, times)
  const condition = { emptyBucket: 'none', expected: before.links }
  expect(await store.replace(restored, condition)).toBe(false)
  expect((await storedLinks(store.documents))[0]?.revokedAt).toBe(making.now)
})

test('keeps the current token, and any current pause in token requests', async () => {
  const { store, clock, backUp } = storeOf()
  const token = { bucket: 'tokens', id: 'access', value: 'old' }
  await store.documents.write([token])
  const restore = await backUp()
  await store.documents.write([{ ...token, value: 'new' }])
  await restore()
  expect((await store.documents.get('tokens', 'access'))?.value).toBe('new')
  const empty = openTestStore(clock.now)
  await restore(empty)
  expect((await empty.documents.get('tokens', 'access'))?.value).toBe('old')
})

test('never moves the presentation time back, and counts a restore as a change', async () => {
  const { store, clock, backUp } = storeOf()
  await presentationChangedAt(store.documents, testSite, clock.now())
  const restore = await backUp()
  await presentationChangedAt(store.documents, testSite, clock.now() + hourMs)
  await clock.advance(minuteMs)
  await restore()
  expect(await presentationChangedAt(store.documents, testSite, clock.now() + hourMs)).toBe(
    clock.now(),
  )
  const ahead = clock.now() + 2 * hourMs
  const renamed = { ...testSite, name: 'Another' }
  expect(await presentationChangedAt(store.documents, renamed, ahead)).toBe(ahead)
  await restore()
  expect(await presentationChangedAt(store.documents, testSite, clock.now())).toBe(ahead + 1)
})

test.for(['x', `${'['.repeat(100_000)}${']'.repeat(100_000)}`])(
  'restores the other documents if one in the backup and in the store is unreadable',
  async (value) => {
    const { store, backUp } = storeOf()
    const note = { bucket: 'notes', id: 'a', value: 'first' }
    const names = [
      idHostDocument,
      presentationDocument,
      settingsDocument,
      publicFeedsDocument,
      ...[linkBucket, linkUseBucket, followerBucket, entrySettingsBucket, tokenBucket]
        .concat(Object.values(collectionBuckets))
        .map((bucket) => ({ bucket, id: 'events' })),
    ]
    await store.documents.write([note, ...names.map((name) => ({ ...name, value }))])
    const restore = await backUp()
    await store.documents.write([{ ...note, value: 'second' }])
    expect(await restore()).toBe(true)
    expect(await store.documents.get('notes', 'a')).toMatchObject({ value: 'first' })
  },
)

const ledgerOf = (entries: readonly unknown[]) => ({
  bucket: 'ledgers',
  id: 'news',
  value: JSON.stringify({ contentId: 'c', entries }),
})

const entry = { hash: 'old', revision: 1, firstSeenAt: 1000, changedAt: 5000 }

test('never moves the revision or time of a record back', async () => {
  const { store, backUp } = storeOf()
  await store.documents.write([ledgerOf([[7, entry]])])
  const restore = await backUp()
  const later = { ...entry, hash: 'new', revision: 4, changedAt: 90_000 }
  const made = { ...entry, firstSeenAt: 80_000 }
  const entries = [
    [7, later],
    [8, made],
  ]
  await store.documents.write([
    { ...ledgerOf(entries), value: ledgerOf(entries).value.replace('"c"', '"d"') },
  ])
  await restore()
  const stored = JSON.parse((await store.documents.get('ledgers', 'news'))?.value ?? '')
  expect(stored).toEqual({
    contentId: 'c',
    entries: [
      [7, { ...entry, revision: 5, changedAt: 91_000 }],
      [8, made],
    ],
  })
})

test('keeps a collection that is missing from the backup', async () => {
  const { store, backUp } = storeOf()
  const restore = await backUp()
  const parts = ['collections', 'items', 'ledgers'].map((bucket) => ({
    bucket,
    id: 'news',
    value: '{}',
  }))
  await store.documents.write([...parts, { bucket: 'notes', id: 'a', value: 'x' }])
  await restore()
  for (const { bucket } of parts) expect((await store.documents.all(bucket)).size).toBe(1)
  expect((await store.documents.all('notes')).size).toBe(0)
})

test('keeps call counts from before and after the backup', async () => {
  const { store, clock, backUp } = storeOf()
  const limit = [{ windowMs: 24 * hourMs, max: 10 }]
  for (const _ of [1, 2, 3]) await store.windows.take('calls', limit)
  const restore = await backUp()
  await clock.advance(hourMs)
  for (const _ of [1, 2]) await store.windows.take('calls', limit)
  await restore()
  expect(await store.windows.count('calls', 24 * hourMs)).toBe(5)
})

test('estimates the calls made since the backup from the previous rate', async () => {
  const { store, clock, backUp } = storeOf()
  const takenAt = clock.now()
  const before = [3 * hourMs, 90 * minuteMs, 10 * minuteMs].map((ago) => takenAt - ago)
  await store.windows.add('calls', new Map(before.map((at) => [String(at), at])))
  const restore = await backUp()
  await clock.advance(2 * hourMs)
  const empty = openTestStore(clock.now)
  await restore(empty)
  const counted = (await collected(empty.snapshot())).flatMap((item) =>
    'at' in item ? [item.at] : [],
  )
  const since = before.slice(1).map((at) => at + 2 * hourMs)
  expect(counted).toEqual([...before, ...since].toSorted((a, b) => a - b))

  const checked = openTestStore(clock.now)
  await checked.windows.add('calls', new Map([['check', takenAt + hourMs]]))
  await restore(checked)
  expect(await checked.windows.count('calls', 24 * hourMs)).toBe(before.length + 1 + 1)
})

test('counts the calls from the last day before the backup again if the backup is more than a day old', async () => {
  const { store, clock, backUp } = storeOf()
  const at = clock.now() - hourMs
  await store.windows.add('calls', new Map([['a', at]]))
  const restore = await backUp()
  await clock.advance(30 * hourMs)
  const empty = openTestStore(clock.now)
  await restore(empty)
  const found = await collected(empty.snapshot())
  expect(found).toEqual([{ window: 'calls', id: 'a again', at: at + 24 * hourMs }])
})
