import { expect, test } from 'vitest'
import { createFollowKeys } from '../../src/followers/follow-keys.ts'
import { sampleFollower } from './follower.ts'

const keys = createFollowKeys('a secret with enough letters')
const others = createFollowKeys('another secret with enough letters')

test('decrypts what it has encrypted, and nothing else', () => {
  const encrypted = keys.encrypt('neighbor@example.org')
  expect(keys.decrypt(encrypted)).toBe('neighbor@example.org')
  expect(encrypted).not.toBe(keys.encrypt('neighbor@example.org'))
  expect(others.decrypt(encrypted)).toBeUndefined()
  for (const damaged of [
    '',
    'AAAA',
    `${encrypted}AAAA`,
    `${encrypted.startsWith('B') ? 'C' : 'B'}${encrypted.slice(1)}`,
    encrypted.slice(4),
  ]) {
    expect(keys.decrypt(damaged)).toBeUndefined()
  }
})

test('an address has one id, which depends on the secret, the means and the link', () => {
  const id = keys.idOf('mail', 'neighbor@example.org')
  expect(id).toMatch(/^[a-z2-7]{32}$/)
  expect(keys.idOf('mail', ' Neighbor@Example.org ')).toBe(id)
  const others = [
    keys.idOf('push', 'neighbor@example.org'),
    keys.idOf('mail', 'neighbor@example.org', 'link'),
    createFollowKeys('another secret with enough letters').idOf('mail', 'neighbor@example.org'),
  ]
  expect(new Set([id, ...others]).size).toBe(4)
  expect(keys.idOf('push', 'https://push.example/A')).not.toBe(
    keys.idOf('push', 'https://push.example/a'),
  )
})

test('a token works only for its purpose and its follower', () => {
  const follower = sampleFollower({ id: keys.idOf('mail', 'neighbor@example.org') })
  const token = keys.tokenFor('manage', follower)
  expect(token).toMatch(/^[a-z2-7]{64}$/)
  expect(keys.idIn(token)).toBe(follower.id)
  expect(keys.isValid(token, 'manage', follower)).toBe(true)
  expect(keys.isValid(token, 'end', follower)).toBe(false)
  expect(keys.isValid(token, 'manage', { ...follower, createdAt: 1 })).toBe(false)
  expect(others.isValid(token, 'manage', follower)).toBe(false)
  for (const wrong of ['', follower.id, `${token}a`, token.toUpperCase()]) {
    expect(keys.isValid(wrong, 'manage', follower)).toBe(false)
  }
})
