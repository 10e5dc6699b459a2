import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'redis'
import { startRedis } from '../support/redis-server.ts'

const pollMs = 20
/** Real time in which replication and connections are established. */
const timeoutMs = 30_000

/** Below the ports that systems choose for connections and for servers on port 0. */
const lastingPorts = { from: 10_000, to: 30_000 }

export type RedisPair = Awaited<ReturnType<typeof startRedisPair>>

/** Starts two Redis servers. The primary always has the same address, and the other server replicates it. */
export async function startRedisPair() {
  await using starting = new AsyncDisposableStack()
  let primary = starting.use(await startRedis())
  const [port, hiddenPort] = [await lastingPort(), await lastingPort()]
  await moveTo(portOf(primary), port)
  let replica = starting.use(await startRedis())
  await replicate(portOf(replica), port)
  const running = starting.move()
  return {
    url: `redis://127.0.0.1:${port}`,
    /** Makes the primary unreachable. It keeps its data. */
    async disconnect() {
      await moveTo(port, hiddenPort)
      await command(hiddenPort, ['CLIENT', 'KILL', 'TYPE', 'normal'])
    },
    reconnect: () => moveTo(hiddenPort, port),
    kill: () => primary.kill(),
    /** Deletes everything, as an operator may do by mistake. */
    empty: () => command(port, ['FLUSHALL']),
    /** Deletes the buckets with these names, as Redis does when its memory is full. */
    async evict(...buckets: readonly string[]) {
      for (const bucket of buckets) {
        const keys = await command<readonly string[]>(port, ['KEYS', `*:documents:${bucket}`])
        for (const key of keys) await command(port, ['DEL', key])
      }
    },
    /** Replaces the killed primary with its replica, which gets a new replica. */
    async promote() {
      primary = replica
      await command(portOf(primary), ['REPLICAOF', 'NO', 'ONE'])
      await moveTo(portOf(primary), port)
      replica = running.use(await startRedis())
      await replicate(portOf(replica), port)
    },
    /** Replaces the killed primary with an empty server. */
    async restartEmpty() {
      primary = running.use(await startRedis())
      await moveTo(portOf(primary), port)
    },
    /** Resolves once this many clients are connected. */
    connected: (count: number) =>
      eventually(async () => {
        const clients = await command(port, ['CLIENT', 'LIST', 'TYPE', 'normal'])
        return clients.split('\n').filter(isService).length >= count
      }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Returns false for the client that asks for the list. */
function isService(line: string): boolean {
  return line.includes('cmd=') && !line.includes('cmd=client')
}

/** Returns an unused port that the system gives to no other program while it is unused. */
async function lastingPort(): Promise<number> {
  const { from, to } = lastingPorts
  const port = from + Math.floor(Math.random() * (to - from))
  const server = createServer().listen(port, '127.0.0.1')
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  server.close()
  return isFree ? port : lastingPort()
}

/** Returns the port that a server starts on. */
function portOf({ url }: { readonly url: string }): number {
  return Number(new URL(url).port)
}

async function moveTo(port: number, newPort: number): Promise<void> {
  await command(port, ['CONFIG', 'SET', 'port', `${newPort}`])
}

/** Makes a server replicate another one. Resolves once they are in sync. */
async function replicate(port: number, primaryPort: number): Promise<void> {
  await command(port, ['REPLICAOF', '127.0.0.1', `${primaryPort}`])
  await eventually(async () =>
    (await command(port, ['INFO', 'replication'])).includes('master_link_status:up'),
  )
}

async function command<T = string>(port: number, args: readonly string[]): Promise<T> {
  const client = await createClient({ url: `redis://127.0.0.1:${port}` }).connect()
  try {
    return (await client.sendCommand([...args])) as T
  } finally {
    client.destroy()
  }
}

async function eventually(check: () => Promise<boolean>): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs)
  while (!(await check())) await sleep(pollMs, undefined, { signal })
}
