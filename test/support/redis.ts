import { createClient } from 'redis'
import { inject } from 'vitest'

const url = inject('redisUrl')

/** True if there is no Redis server. Used with `skipIf`. */
export const redisIsMissing = url === undefined

/** Marks a database as used, so that Feedhouse does not wait for other processes to fill it. */
export async function markAsUsed(url: string): Promise<void> {
  const client = await createClient({ url }).connect()
  await client.set('feedhouse:{_stores}:since', '0')
  client.destroy()
}

/** Returns the URL of an empty database on the test run's Redis server. */
export async function emptyRedisDatabase(): Promise<string> {
  if (url === undefined) throw new TypeError('there is no Redis server')
  const client = await createClient({ url }).connect()
  const database = await client.incr('databases')
  client.destroy()
  await markAsUsed(`${url}/${database}`)
  return `${url}/${database}`
}
