import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../../src/clock.ts'
import type { CollectionState } from '../../../src/collections/collection-state.ts'
import { problemsFrom } from '../../../src/collections/status/problems.ts'
import { statusFrom } from '../../../src/collections/status/status.ts'
import type { StatusOptions } from '../../../src/collections/status/status-sentences.ts'
import { diskFullError } from '../../../src/store/data-directory.ts'
import { StoreError } from '../../../src/store/store-error.ts'
import { siteDateTime } from '../../../src/sandbox/site-dates.ts'
import {
  UpstreamError,
  type UpstreamErrorKind,
  upstreamErrorKinds,
} from '../../../src/upstream/upstream-error.ts'
import type { ZoneData } from '../../../src/zone-data/zone-data.ts'
import { collectionsOf } from '../../support/collections.ts'
import { healthy, keysOf, now, observed } from './healthy-status.ts'

const oldZoneData: ZoneData = {
  release: '2026c',
  systemRelease: '2026f',
  newer: undefined,
  isUnreadable: false,
  difference: { at: now + dayMs, minutes: 60 },
}

const aboutFollowers = [
  'follow-mail-failing',
  'follow-mail-refused',
  'follow-bounces-failing',
  'followers-unreadable',
  'follow-push-refused',
]

/** A collection that was read at a time, and has failed since another time. */
function stateOf(
  resource: CollectionState['resource'],
  readAt: number,
  failed?: { readonly kind: UpstreamErrorKind; readonly since: number },
): CollectionState {
  return {
    resource,
    feeds: { ids: [resource], areNamed: true },
    refusal: undefined,
    kept: {
      collection: { fetchedAt: readAt, records: [] },
      clock: { generated: siteDateTime(readAt, healthy.timeZone), at: readAt },
    } as unknown as CollectionState['kept'],
    failure: failed && {
      error: new UpstreamError(failed.kind, 'a message with SECRET'),
      consecutiveFailures: 3,
      since: failed.since,
      lastAt: now,
      retryAt: now,
    },
    isStarting: false,
    detailFailures: [],
    intervalMs: 5 * minuteMs,
  }
}

test('reports nothing while everything works', () => {
  const collections = [stateOf('events', now - 5 * minuteMs), stateOf('news', now)]
  const { open, unknown } = problemsFrom({ ...healthy, collections }, observed)
  expect(open).toEqual([])
  expect([...unknown]).toEqual([])
})

test.for<[UpstreamErrorKind, string]>([
  ['refresh_expired', 'token-refused'],
  ['token_invalid', 'token-refused'],
  ['ip_not_allowed', 'address-refused'],
  ['project_disabled', 'project-disabled'],
])('reports %s as %s, and nothing that it causes', ([kind, key]) => {
  const since = now - 3 * hourMs
  const collections = [stateOf('events', since, { kind, since }), stateOf('news', since)]
  const { open, unknown } = problemsFrom({ ...healthy, collections }, observed)
  expect(open).toMatchObject([{ key, since }])
  expect([...unknown]).toEqual([
    'endpoint-refused',
    'records-held',
    'records-stale',
    'nothing-read',
    'calls-used-up',
  ])
})

test('reports an outage after ten minutes, and hides unknown values in the meantime', () => {
  const { open, unknown } = outageSince(now - 11 * minuteMs)
  expect(open).toMatchObject([{ key: 'website-unreachable', since: now - 11 * minuteMs }])
  const early = outageSince(now - 9 * minuteMs)
  expect(early.open).toEqual([])
  for (const { unknown: keys } of [{ unknown }, early]) {
    expect([...keys]).toEqual(
      expect.arrayContaining(['token-refused', 'records-stale', 'records-held', 'nothing-read']),
    )
  }
})

test.for<UpstreamErrorKind>([
  'unreachable',
  'tls',
  'interrupted',
  'timeout',
  'unavailable',
  'server_error',
  'unexpected_answer',
])('reports an outage if every read ends with %s', (kind) => {
  expect(outageSince(now - 11 * minuteMs, kind).open).toMatchObject([
    { key: 'website-unreachable' },
  ])
})

test.for([
  ['unreachable', undefined, /^The website is down, or cannot be reached from this machine;/],
  ['unreachable', 'refused', /^The website is down: its server refuses the connection;/],
  ['unreachable', 'name unknown', /^The website is down: its host name no longer exists;/],
  ['unreachable', 'no answer', /^The website is down, or a firewall in between drops /],
  ['unexpected_answer', 'web page', /^The website is down, or its API is no longer enabled:/],
  ['timeout', undefined, /^The website is slow or down;/],
] as const)(
  'after a success, an outage (%s, %s) is the fault of the website, not of SITE_URL',
  ([kind, reason, text]) => {
    const since = now - 11 * minuteMs
    const error = new UpstreamError(kind, 'a message', reason ? { reason } : {})
    const failing = (state: CollectionState): CollectionState => ({
      ...state,
      failure: state.failure && { ...state.failure, error },
    })
    const state = failing(stateOf('events', since - 1, { kind, since }))
    const sentence = outageSentence(state)
    expect(sentence).toMatch(text)
    expect(sentence).toMatch(
      / The website has not been read since Thu, Mar 5, 9:49 AM\. Subscribers keep the last good copy\.$/,
    )
    expect(sentence).not.toContain('SITE_URL')
    const before = outageSentence({ ...state, kept: undefined })
    expect(before === sentence).toBe(kind === 'timeout')
  },
)

function outageSentence(state: CollectionState): string | undefined {
  return problemsFrom({ ...healthy, collections: [state] }, observed).open[0]?.sentence
}

function outageSince(since: number, kind: UpstreamErrorKind = 'unavailable') {
  const failed = { kind, since }
  const collections = [stateOf('events', since - 1, failed), stateOf('news', since - 2, failed)]
  return problemsFrom({ ...healthy, collections }, observed)
}

test('reports one failing collection after an hour, while the others are read', () => {
  const read = stateOf('news', now - minuteMs)
  const statusAt = (since: number) => ({
    collections: [stateOf('events', since, { kind: 'timeout', since }), read],
  })
  expect(keysOf(statusAt(now - 59 * minuteMs))).toEqual([])
  expect(keysOf(statusAt(now - 61 * minuteMs))).toEqual(['records-stale'])
})

test('reports that nothing was read for an hour, or for twice a longer interval', () => {
  const collections = [stateOf('events', now - 61 * minuteMs)]
  expect(keysOf({ collections })).toEqual(['nothing-read'])
  const slow = collections.map((state) => ({ ...state, intervalMs: hourMs }))
  expect(keysOf({ collections: slow })).toEqual([])
})

test.for<[string, Partial<StatusOptions>]>([
  ['calls-used-up', { budget: { ...healthy.budget, day: { used: 4500, max: 5000 } } }],
  ['zone-rules-old', { zoneData: oldZoneData }],
  ['store-failing', { storeFailure: new StoreError('unusable', 'a message with SECRET') }],
  [
    'endpoint-refused',
    { collections: [{ ...stateOf('events', now), refusal: { since: now, at: now } }] },
  ],
])('reports %s', ([key, status]) => {
  expect(keysOf(status)).toEqual([key])
})

test('says from when on the time zone rules are wrong, and by which releases', () => {
  const status = { ...healthy, zoneData: oldZoneData }
  const sentence =
    "Feedhouse's time zone rules are from release 2026c, but this machine's rules (2026f) differ by 60 minutes for America/New_York from 2026-03-06 on, so times in feeds are wrong. Restart Feedhouse to use this machine's rules."
  expect(problemsFrom(status, observed).open).toMatchObject([{ sentence, urgency: 'normal' }])
  expect(statusFrom(status)).toMatchObject({
    ok: false,
    sentences: [sentence],
    zoneRules: { release: '2026c', systemRelease: '2026f' },
  })
})

test('leaves out an endpoint that nobody has asked for', () => {
  const refused = { ...stateOf('events', now), refusal: { since: now, at: now }, kept: undefined }
  const feeds = { ids: ['events'], areNamed: false }
  expect(keysOf({ collections: [{ ...refused, feeds }] })).toEqual([])
})

test('reports a full disk as one problem, which hides that it was nearly full', () => {
  const storeFailure = diskFullError('/data')
  const disk = { freeBytes: 0, totalBytes: 1e11 }
  const { open, unknown } = problemsFrom({ ...healthy, storeFailure }, { ...observed, disk })
  expect(open).toMatchObject([{ key: 'store-failing', title: 'The disk is full' }])
  expect(unknown).toContain('disk-nearly-full')
})

test('does not assess causes whose observation is missing', () => {
  const { open, unknown } = problemsFrom(healthy, {})
  expect(open).toEqual([])
  const observable = ['clock-wrong', 'disk-nearly-full', 'certificate-ending']
  const others = ['refresh-token-ending', 'links-unused', 'links-shared', ...aboutFollowers]
  expect(unknown).toEqual(new Set([...observable, ...others]))
})

test('reports the problems of a real schedule', async () => {
  const { collections, clock, website } = collectionsOf({ resources: ['events', 'news'] })
  const problems = () =>
    problemsFrom({ ...healthy, collections: collections.states(), now: clock.now() }, observed)
  collections.start()
  await clock.advance(minuteMs)
  website.failure = new UpstreamError('unavailable', 'a message with SECRET')
  await clock.advance(20 * minuteMs)
  const { open } = problems()
  expect(open).toMatchObject([{ key: 'website-unreachable' }])
  expect(JSON.stringify(open)).not.toContain('SECRET')
  website.failure = undefined
  await clock.advance(2 * minuteMs)
  expect(problems().open).toEqual([])
})

test('reports a wrong time zone on every replica, without extra calls, until it is right', async () => {
  const first = collectionsOf({ resources: ['events', 'news'] })
  const { clock, website, readingsOf } = first
  const second = first.start()
  const foundBy = ({ collections }: Pick<typeof first, 'collections'>) => {
    const status = { ...healthy, collections: collections.states(), now: clock.now() }
    const { open, unknown } = problemsFrom(status, observed)
    const problems = open.map(({ key, sentence }) => `${key}: ${sentence}`)
    return { problems, unknown: [...unknown], ok: statusFrom(status).ok }
  }
  expect(foundBy(first)).toMatchObject({ problems: [], unknown: ['clock-wrong'] })
  website.timeZone = 'America/Denver'
  for (const { collections } of [first, second]) collections.start()
  await clock.advance(minuteMs)
  const wrong =
    /^clock-wrong: .* 120 minutes behind America\/New_York: .* Set SITE_TIME_ZONE .* America\/Denver/
  for (const replica of [first, second]) {
    const problems = [expect.stringMatching(wrong)]
    expect(foundBy(replica)).toEqual({ problems, unknown: [], ok: false })
  }
  expect(readingsOf('news')).toHaveLength(1)
  website.timeZone = 'America/New_York'
  await clock.advance(6 * minuteMs)
  for (const replica of [first, second]) {
    expect(foundBy(replica)).toEqual({ problems: [], unknown: [], ok: true })
  }
})

test('quotes neither error messages nor paths', () => {
  const since = now - 2 * hourMs
  const failing = stateOf('events', since, { kind: 'body_too_large', since })
  const collections = [failing, stateOf('news', now)]
  const all = [
    problemsFrom({ ...healthy, storeFailure: new StoreError('unusable', 'SECRET') }, observed),
    problemsFrom({ ...healthy, storeFailure: diskFullError('/home/SECRET') }, observed),
    outageSince(since),
    problemsFrom({ ...healthy, collections }, observed),
  ]
  expect(all.map(({ open }) => open.length)).toEqual([1, 1, 1, 1])
  expect(JSON.stringify(all)).not.toContain('SECRET')
})

/** The problem that each lasting failure of the token request is reported as. */
const refusals: Readonly<Partial<Record<UpstreamErrorKind, string>>> = {
  token_missing: 'token-refused',
  token_invalid: 'token-refused',
  token_expired: 'token-refused',
  refresh_token_supplied: 'token-refused',
  refresh_expired: 'token-refused',
  too_many_failures: 'token-refused',
  token_requests_paused: 'token-refused',
  ip_not_allowed: 'address-refused',
  project_disabled: 'project-disabled',
  api_disabled: 'project-disabled',
  https_required: 'project-disabled',
}

test.for(upstreamErrorKinds)(
  'knows whether a token request that fails with %s is refused',
  (kind) => {
    const token = { expiresAt: undefined, failure: { kind, retryAt: now } }
    const keys = problemsFrom({ ...healthy, token }, {}).open.map(({ key }) => key)
    const refusal = refusals[kind]
    expect(keys).toEqual(refusal === undefined ? [] : [refusal])
  },
)
