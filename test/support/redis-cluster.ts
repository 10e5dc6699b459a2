import { createClient } from 'redis'
import { startRedis, type RedisServer } from './redis-server.ts'
import { waitUntil } from './wait-for.ts'

const slots = 16_384

/** Copied, because `createClient` takes 20 ms of CPU time whenever the options are new. */
const template = createClient()

/** Runs a command on a server, and resolves to its reply. */
export async function redisCommand(
  server: RedisServer,
  ...args: readonly string[]
): Promise<unknown> {
  const socket = { host: '127.0.0.1', port: server.port }
  const client = await template.duplicate({ socket }).connect()
  try {
    return await client.sendCommand([...args])
  } finally {
    client.destroy()
  }
}

/** Waits until a replica is connected to its primary. */
export async function replicates(replica: RedisServer): Promise<void> {
  await waitUntil(async () => {
    const info = String(await redisCommand(replica, 'INFO', 'replication'))
    return info.includes('master_link_status:up')
  })
}

/** Starts a cluster of three primaries, and a replica of the first one if asked for. */
export async function startRedisCluster({ withReplica = false } = {}) {
  await using starting = new AsyncDisposableStack()
  const servers: RedisServer[] = []
  while (servers.length < (withReplica ? 4 : 3)) {
    servers.push(starting.use(await startRedis(undefined, 'cluster')))
  }
  const [first, ...others] = servers as [RedisServer, ...RedisServer[]]
  const primaries = servers.slice(0, 3)
  for (const [index, primary] of primaries.entries()) {
    const range = [index, index + 1].map((part) => Math.floor((part * slots) / 3))
    const [from = 0, end = 0] = range
    await redisCommand(primary, 'CLUSTER', 'ADDSLOTSRANGE', String(from), String(end - 1))
    await redisCommand(primary, 'CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1))
  }
  for (const { port, busPort } of others) {
    await redisCommand(first, 'CLUSTER', 'MEET', '127.0.0.1', String(port), String(busPort))
  }
  const [replica] = servers.slice(3)
  if (replica) {
    const id = String(await redisCommand(first, 'CLUSTER', 'MYID'))
    await waitUntil(async () => {
      const reply = await redisCommand(replica, 'CLUSTER', 'REPLICATE', id).catch(() => undefined)
      return reply !== undefined
    })
  }
  const known = `cluster_known_nodes:${servers.length}`
  await waitUntil(async () => {
    const states = await Promise.all(servers.map((each) => redisCommand(each, 'CLUSTER', 'INFO')))
    return states.every((text) => {
      return String(text).includes('cluster_state:ok') && String(text).includes(known)
    })
  })
  if (replica) await replicates(replica)
  const started = starting.move()
  return {
    url: `redis-cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    servers: servers as [RedisServer, RedisServer, RedisServer, ...RedisServer[]],
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}
