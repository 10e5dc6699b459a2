import type { Follower } from './follower.ts'

/** Stored numbers above this are times in milliseconds since the epoch. */
const firstTime = 1e11

/** Returns everything that is stored about a follower as JSON, with times in UTC. */
export function storedAbout(follower: Follower, address: string | undefined): string {
  return `${JSON.stringify({ ...follower, address }, withReadableTime, 2)}\n`
}

function withReadableTime(_name: string, value: unknown): unknown {
  return typeof value === 'number' && value > firstTime ? new Date(value).toISOString() : value
}
