import { ErrorReply } from 'redis'
import { withFallback } from '../store-error.ts'
import type { RedisConnection } from './redis-connection.ts'
import { readServerInfo } from './redis-scripts.ts'

/** In a cluster, the key decides which server is asked. No website's store can have this name. */
const anyKey = 'feedhouse:{_stores}:since'

/**
 * Describes settings of a Redis server with which it can lose data. Hosted services may not allow
 * reading them. Rejects with a `StoreError` if Redis is unreachable.
 */
export async function faultsOfRedis({
  evaluate,
  address,
}: RedisConnection): Promise<readonly string[]> {
  const info = await withFallback(
    async () => String(await evaluate(readServerInfo, [anyKey], [])),
    (error) => {
      if (error.cause instanceof ErrorReply) return ''
      throw error
    },
  )
  const valueOf = (name: string) => new RegExp(`^${name}:(\\S*)`, 'm').exec(info)?.[1]
  const where = `Redis at ${address} (REDIS_URL)`
  const policy = valueOf('maxmemory_policy')
  const evicts = policy !== undefined && policy !== 'noeviction'
  const lost = 'settings, feed links and followers can be lost'
  return [
    evicts &&
      `${where} deletes data when its memory is full (maxmemory-policy ${policy}), so ${lost}. Set maxmemory-policy to noeviction.`,
    valueOf('aof_enabled') === '0' &&
      `${where} does not save every change to disk (appendonly no), so ${lost} when it restarts. Set appendonly to yes.`,
  ].filter((fault) => fault !== false)
}
