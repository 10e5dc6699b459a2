import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRedis } from './redis-server.ts'
import { redisCommand, replicates } from './redis-cluster.ts'
import { waitUntil } from './wait-for.ts'

/** Starts a Sentinel that replaces the primary on this port after half a second. */
export async function startSentinel(primaryPort: number) {
  await using starting = new AsyncDisposableStack()
  const directory = starting.adopt(mkdtempSync(join(tmpdir(), 'feedhouse-sentinel-')), (path) =>
    rmSync(path, { recursive: true }),
  )
  const configuration = join(directory, 'sentinel.conf')
  writeFileSync(configuration, '')
  const sentinel = starting.use(await startRedis(configuration, 'sentinel'))
  const commands = [
    ['MONITOR', 'ashton', '127.0.0.1', String(primaryPort), '1'],
    ['SET', 'ashton', 'down-after-milliseconds', '500'],
    ['SET', 'ashton', 'failover-timeout', '3000'],
  ]
  for (const command of commands) await redisCommand(sentinel, 'SENTINEL', ...command)
  const started = starting.move()
  return { ...sentinel, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

/** Starts a primary, a replica, and a Sentinel. */
export async function startRedisWithSentinel() {
  await using starting = new AsyncDisposableStack()
  const primary = starting.use(await startRedis())
  const replica = starting.use(await startRedis())
  await redisCommand(primary, 'CONFIG', 'SET', 'repl-diskless-sync-delay', '0')
  await redisCommand(replica, 'REPLICAOF', '127.0.0.1', String(primary.port))
  await replicates(replica)
  const sentinel = starting.use(await startSentinel(primary.port))
  await waitUntil(async () => {
    const reply = await redisCommand(sentinel, 'SENTINEL', 'REPLICAS', 'ashton')
    return Array.isArray(reply) && reply.length > 0
  })
  const started = starting.move()
  return {
    url: `redis-sentinel://127.0.0.1:${sentinel.port}/ashton`,
    primary,
    replica,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}
