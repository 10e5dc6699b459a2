import { inject } from 'vitest'
import { connectToRedis } from '../../src/store/redis/redis-connection.ts'

const url = inject('redisUrl')

/** True if there is no Redis server. Used with `skipIf`. */
export const redisIsMissing = url === undefined

const sinceKey = 'feedhouse:{_stores}:since'

/** Marks a database as used, so that Feedhouse does not wait for other processes to fill it. */
export async function markAsUsed(url: string): Promise<void> {
  await evaluate(url, "redis.call('SET', KEYS[1], '0')", sinceKey)
}

/** Chooses the next database and marks it as used, in a single request. */
const nextDatabase = `
local database = redis.call('INCR', KEYS[1])
redis.call('SELECT', database)
redis.call('SET', '${sinceKey}', '0')
return database`

/** Returns the URL of an empty database on the test run's Redis server. */
export async function emptyRedisDatabase(): Promise<string> {
  if (url === undefined) throw new TypeError('there is no Redis server')
  const database = Number(await evaluate(url, nextDatabase, 'databases'))
  return `${url}/${database}`
}

/** Connects like Feedhouse, because `createClient` takes 20 ms of CPU time whenever the options are new. */
async function evaluate(server: string, script: string, key: string): Promise<unknown> {
  await using connection = await connectToRedis({ url: server })
  return await connection.evaluate(script, [key], [])
}
