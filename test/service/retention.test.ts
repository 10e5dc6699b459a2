import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { collectionBuckets } from '../../src/collections/copy/stored-collections.ts'
import { createFollowKeys } from '../../src/followers/follow-keys.ts'
import { followSecretDocument } from '../../src/followers/follow-secret.ts'
import { createFollowers } from '../../src/followers/followers.ts'
import { createAdminAccess, createSessions } from '../../src/web/sessions.ts'
import { createPublicReaders } from '../../src/web/public-readers.ts'
import { createEmergencyStore } from '../../src/site/emergency-text.ts'
import { addLink } from '../../src/links/stored-links.ts'
import { storeUses } from '../../src/links/link-use.ts'
import { createLogger } from '../../src/log.ts'
import { createSyncLogs } from '../../src/representations/sync-log.ts'
import { restoredWrite } from '../../src/store/losses.ts'
import { createReplicas } from '../../src/store/replicas.ts'
import { openProbe } from '../../src/store/service-signals.ts'
import type { Documents } from '../../src/store/store.ts'
import { documentOf } from '../support/documentation.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How long the documents in each bucket are kept, according to the documentation. */
const documented = new Map<string, string>()
for (const [, kept = '', cell = ''] of documentOf('docs/privacy.md').matchAll(
  /^\|[^|]*\| ([^|]*?) *\| (`[^|]*?`) *\|$/gm,
)) {
  for (const [, bucket = ''] of cell.matchAll(/`([^`]+)`/g)) {
    documented.set(bucket, [documented.get(bucket) ?? [], kept].flat().join('; '))
  }
}

function bucketsInSource(): readonly string[] {
  const src = resolve(import.meta.dirname, '../../src')
  const files = globSync('!(sandbox)/**/*.ts', { cwd: src })
  const code = files.map((file) => readFileSync(resolve(src, file), 'utf8'))
  const named = code.flatMap((text) => [...text.matchAll(/bucket(?:: | = )'([^']+)'/gi)])
  return [...named.map(([, bucket = '']) => bucket), ...Object.values(collectionBuckets)]
}

/** Documents that are only in backups, where the documentation lists them separately. */
const onlyInBackups = [followSecretDocument.bucket]

test('docs/privacy.md lists every bucket of the store', () => {
  const stored = new Set(bucketsInSource().filter((bucket) => !onlyInBackups.includes(bucket)))
  expect([...documented.keys()].toSorted()).toEqual([...stored].toSorted())
})

const wish = { label: 'Crew', feedIds: undefined, profile: 'full' } as const

type Write = (documents: Documents, clock: FakeClock) => Promise<unknown>

/** Buckets whose documents the store deletes, how long they are kept, and code that writes one. */
const expiring: readonly (readonly [bucket: string, kept: string, ms: number, write: Write])[] = [
  [
    'replicas',
    'until a minute after they end',
    minuteMs,
    (documents, { now }) => createReplicas(documents, { id: 'a', now }).heartbeat(),
  ],
  ['probes', 'two minutes', 2 * minuteMs, (documents, { now }) => openProbe(documents, now())],
  [
    'admin-sessions',
    '12 hours',
    12 * hourMs,
    (documents, clock) => createSessions(documents, { password: 'x', clock }).begin(),
  ],
  [
    'settings',
    'until it ends',
    3 * hourMs,
    (documents, clock) => {
      const store = { documents, version: () => undefined }
      const emergency = createEmergencyStore(store, { clock, log: createLogger('silent') })
      const since = clock.now()
      return emergency.show({
        title: 'Road closed',
        text: '',
        since,
        until: since + 3 * hourMs,
        places: [],
      })
    },
  ],
  [
    'losses',
    'a day if it was written back',
    dayMs,
    (documents, { now }) => documents.write([restoredWrite({ at: now(), buckets: ['links'] })]),
  ],
  [
    'links',
    'until 400 days after the link ends',
    401 * dayMs,
    (documents, { now }) => {
      const link = { ...wish, expiresAt: now() + dayMs }
      return addLink(documents, link, { now: now(), random: randomBytes })
    },
  ],
  [
    'followers',
    '3 days if that fails',
    3 * dayMs,
    (documents, clock) => requestFollowing(documents, clock),
  ],
  [
    'followers',
    'an invitation, 30 days',
    30 * dayMs,
    (documents, clock) => {
      const followers = createFollowers(documents, { keys: createFollowKeys('secret'), clock })
      const wish = { address: 'a@example.org', language: 'en', linkId: 'link' }
      return followers.invite(wish, 'key')
    },
  ],
  [
    'followers',
    '90 days',
    90 * dayMs,
    async (documents, clock) => {
      const followers = await requestFollowing(documents, clock)
      const [follower] = await followers.all()
      const rejectedAt = clock.now()
      return followers.change(follower?.id ?? '', (known) => known && { ...known, rejectedAt })
    },
  ],
  [
    'sync-logs',
    '400 days',
    400 * dayMs,
    (documents, clock) => createSyncLogs(documents, clock).token('a', []),
  ],
  [
    'public-readers',
    '30 days',
    30 * dayMs,
    (documents, clock) => {
      const readers = createPublicReaders(documents, clock)
      readers.note('events', 'iOS', 1)
      return readers.days()
    },
  ],
  [
    'link-uses',
    '400 days',
    400 * dayMs,
    (documents, { now }) =>
      storeUses(documents, new Map([['a', { at: now(), client: 'Apple', fetches: [] }]])),
  ],
]

async function requestFollowing(documents: Documents, clock: FakeClock) {
  const followers = createFollowers(documents, { keys: createFollowKeys('secret'), clock })
  const choice = { changes: true, tomorrow: false, emergency: false }
  await followers.request({ address: 'neighbor@example.org', choice, language: 'en' })
  return followers
}

test.for(expiring)(
  'the store deletes a document in %s when its documented period ends: %s',
  async ([bucket, kept, periodMs, write]) => {
    expect(documented.get(bucket)).toContain(kept)
    const clock = createFakeClock()
    const { documents } = openTestStore(clock.now)
    await write(documents, clock)
    await clock.leap(periodMs - 1)
    expect((await documents.all(bucket)).size).toBe(1)
    await clock.leap(1)
    expect((await documents.all(bucket)).size).toBe(0)
  },
)

test('every bucket with a documented period expires, or its owner deletes old entries within it', () => {
  const owners = [
    ...expiring.map(([bucket]) => bucket),
    'items',
    'ledgers',
    'alerts',
    'change-webhooks',
    'websub',
    'followers-state',
  ]
  const withPeriod = [...documented].filter(([, kept]) =>
    /\b(?:minutes?|hours|days?|week)\b/.test(kept),
  )
  const names = new Set(withPeriod.map(([bucket]) => bucket))
  expect([...names].filter((name) => !owners.includes(name))).toEqual([])
})

test('the cookies of the admin page last as long as documented', () => {
  const { now } = createFakeClock()
  const { cookie, browserCookie } = createAdminAccess({
    site: { publicUrl: 'https://feeds.example.org' },
    documents: openTestStore(now).documents,
    password: 'x',
    clock: { now },
  })
  expect(documented.get('admin-sessions')).toContain('12 hours')
  expect(cookie.options.maxAge).toBe(12 * hourMs)
  expect(documentOf('docs/privacy.md')).toContain('one that lasts 400 days')
  expect(browserCookie.options.maxAge).toBe(400 * dayMs)
})
