import { createClient } from 'redis'
import { inject } from 'vitest'

const url = inject('redisUrl')

/** True if there is no Redis server. Used with `skipIf`. */
export const redisIsMissing = url === undefined

/** Returns the URL of an empty database on the test run's Redis server. */
export async function emptyRedisDatabase(): Promise<string> {
  if (url === undefined) throw new TypeError('there is no Redis server')
  const client = await createClient({ url }).connect()
  const database = await client.incr('databases')
  client.destroy()
  return `${url}/${database}`
}
