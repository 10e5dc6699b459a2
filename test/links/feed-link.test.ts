import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  base32From,
  endOf,
  hashOfKey,
  keyBytes,
  readExpiry,
  readLabel,
  stateOf,
  type FeedLink,
} from '../../src/links/feed-link.ts'

const dayMs = 24 * 60 * 60 * 1000
const now = Date.parse('2026-03-05T15:00:00Z')
const timeZone = 'America/New_York'

const link: FeedLink = {
  id: 'a',
  keyHash: '',
  label: 'Crew',
  profile: 'members',
  createdAt: now,
}

test('encodes 160 bits as 32 base32 characters', () => {
  expect(keyBytes * 8).toBe(160)
  expect(base32From(randomBytes(keyBytes))).toMatch(/^[a-z2-7]{32}$/)
  expect(base32From(Buffer.from('foobar!!!!'))).toBe('mzxw6ytboiqscijb')
})

test('hashes a key with SHA-256', () => {
  expect(hashOfKey('mzxw6ytb')).toBe('52oBnq5kWZd9O42EMjCPLhNf0DMADPGF-TMwI6-36PI')
  expect(hashOfKey('mzxw6ytb')).not.toBe(hashOfKey('mzxw6ytc'))
})

const ended = ['ended', 'ended', 'gone']

test.for<[name: string, change: Partial<FeedLink>, states: readonly string[]]>([
  ['that never ends', {}, ['open', 'open', 'open']],
  ['that has been revoked', { revokedAt: now }, ended],
  ['that has expired', { expiresAt: now }, ended],
  ['revoked before it expires', { revokedAt: now, expiresAt: now + 100 * dayMs }, ended],
  ['that is paused', { pausedAt: now }, ['paused', 'paused', 'paused']],
  [
    'that is paused and expires a day later',
    { pausedAt: now, expiresAt: now + dayMs },
    ['paused', 'ended', 'ended'],
  ],
  ['that expires a day later', { expiresAt: now + dayMs }, ['open', 'ended', 'ended']],
])('returns the successive states of a link %s', ([, change, states]) => {
  const changed = { ...link, ...change }
  const instants = [now, now + 14 * dayMs - 1, now + 14 * dayMs]
  expect(instants.map((instant) => stateOf(changed, instant))).toEqual(states)
})

test('ends a revoked link regardless of the clock', () => {
  expect(stateOf({ ...link, revokedAt: now + 1 }, now)).toBe('ended')
  expect(endOf(link)).toBe(Infinity)
})

test.for([
  ['Capt. Reyes', 'Capt. Reyes'],
  ['  Hall \t screen\n', 'Hall screen'],
  ['a\u0000b\u202Ec', 'a b c'],
  ['x'.repeat(100), 'x'.repeat(100)],
  ['x'.repeat(101), undefined],
  [' \u200B ', undefined],
  ['', undefined],
] as const)('normalizes the label %j to %j', ([text, label]) => {
  expect(readLabel(text)).toBe(label)
})

test.for([
  ['2026-03-05', '2026-03-06T04:59:59.999Z'],
  ['2026-06-30', '2026-07-01T03:59:59.999Z'],
  ['2026-03-04', undefined],
  ['2026-02-30', undefined],
  ['2026-3-6', undefined],
  ['tomorrow', undefined],
  ['', undefined],
] as const)('a link whose last day is %s expires at %s', ([day, end]) => {
  const expiresAt = readExpiry(day, { timeZone, now })
  expect(expiresAt === undefined ? undefined : new Date(expiresAt).toISOString()).toBe(end)
})
