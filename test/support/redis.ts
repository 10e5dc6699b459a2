import { createClient } from 'redis'
import { inject } from 'vitest'

const url = inject('redisUrl')

/** Condition for `skipIf`. */
export const redisIsMissing = url === undefined

/** Returns the URL of an empty database on the Redis server of the test run. */
export async function emptyRedisDatabase(): Promise<string> {
  if (url === undefined) throw new TypeError('there is no Redis server')
  const client = await createClient({ url }).connect()
  const database = await client.incr('databases')
  client.destroy()
  return `${url}/${database}`
}
