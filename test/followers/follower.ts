import type { FollowChoice, Follower } from '../../src/followers/follower.ts'

export const silent: FollowChoice = { changes: false, tomorrow: false, emergency: false }

/** Creates a follower who confirmed on Sunday, March 1, 2026, at noon in New York. */
export function sampleFollower(changed: Partial<Follower> = {}): Follower {
  const confirmedAt = Date.parse('2026-03-01T17:00:00Z')
  return {
    id: 'a',
    means: 'mail',
    address: 'encrypted',
    choice: silent,
    language: 'en',
    createdAt: confirmedAt,
    confirmedAt,
    sent: {},
    lastSentAt: 0,
    failures: 0,
    nextAt: 0,
    ...changed,
  }
}
