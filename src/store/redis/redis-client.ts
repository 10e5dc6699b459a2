import { createClient, createCluster, ErrorReply } from 'redis'
import { withTimeout } from '../../clock.ts'
import type { RedisAddress, RedisNode } from './redis-url.ts'

/** Applies to all sites that share a connection. */
const maxQueuedCommands = 10_000

type ServerClient = ReturnType<typeof createClient>

/** The common part of the clients for a server and a cluster. */
export type RedisClient = Pick<
  ServerClient,
  | 'destroy'
  | 'eval'
  | 'exists'
  | 'get'
  | 'hGet'
  | 'hGetAll'
  | 'hKeys'
  | 'hmGet'
  | 'hSet'
  | 'pExpire'
  | 'publish'
  | 'sAdd'
  | 'sMembers'
  | 'scan'
  | 'unlink'
  | 'zAdd'
  | 'zCount'
  | 'zRangeWithScores'
  | 'zRem'
> & { subscribe(channel: string, receive: (message: string) => void): Promise<void> }

export type OpenOptions = {
  readonly address: RedisAddress
  readonly connectMs: number
  /** Called if a connection fails after it was opened. The client does not reconnect. */
  readonly failed: (error: unknown) => void
}

export function openClient(options: OpenOptions): Promise<RedisClient> {
  const { address } = options
  const [first] = address.nodes
  if (address.kind === 'sentinel') return openPrimary(options)
  if (address.kind === 'cluster') return openCluster(options)
  return openServer(first, options)
}

function openServer(node: RedisNode, options: OpenOptions) {
  const { address, connectMs } = options
  const { login, database } = address
  const socket = socketFor(address, connectMs, node)
  return connected(clientFor({ ...login, database, socket }), options)
}

function openCluster(options: OpenOptions) {
  const { address, connectMs, failed } = options
  const cluster = createCluster({
    rootNodes: address.nodes.map((node) => ({
      // Used only to discover the other servers, so it closes on the first timeout.
      socket: { ...socketFor(address, connectMs, node), socketTimeout: connectMs },
    })),
    defaults: { ...limits, ...address.login, socket: socketFor(address, connectMs) },
    // Otherwise, a server that is down would delay all others.
    minimizeConnections: true,
  })
  return connected(cluster.on('node-error', failed), options)
}

/**
 * Queries each Sentinel until one returns a reachable primary. The client's built-in Sentinel
 * support repeats commands that may have been executed, and queries without a pause while the
 * primary is down.
 */
async function openPrimary(options: OpenOptions): Promise<RedisClient> {
  let fault: unknown
  for (const sentinel of options.address.nodes) {
    try {
      const primary = await primaryFrom(sentinel, options)
      const client = await openServer(primary, options)
      // During a failover, Sentinel may still name a server that has become a replica.
      const role = await withTimeout(client.role(), options.connectMs, noResponse).then(
        (server) => server?.role,
        (error: unknown) => {
          // Some users are not allowed to run this command. In that case, the first write will fail.
          if (error instanceof ErrorReply) return undefined
          client.destroy()
          throw error
        },
      )
      if (role !== 'slave') return client
      client.destroy()
      fault = new Error(`${primary.host}:${primary.port} is not the primary`)
    } catch (error) {
      fault = error
    }
  }
  throw fault
}

async function primaryFrom(sentinel: RedisNode, options: OpenOptions) {
  const { address, connectMs } = options
  const { primary, sentinelLogin } = address
  const socket = socketFor(address, connectMs, sentinel)
  const client = clientFor({ ...sentinelLogin, socket })
  try {
    await connected(client, { connectMs, failed: () => undefined })
    const asked = client.sendCommand(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', primary])
    const reply = await withTimeout(asked, connectMs, noResponse)
    if (!Array.isArray(reply)) throw new Error(`Sentinel does not monitor ${primary}`)
    return { host: String(reply[0]), port: Number(reply[1]) }
  } finally {
    client.destroy()
  }
}

const limits = { disableOfflineQueue: true, commandsQueueMaxLength: maxQueuedCommands }

let template: ServerClient | undefined

/** Copies a client, because `createClient` takes 20 ms of CPU time whenever the options are new. */
function clientFor(options: Parameters<typeof createClient>[0]) {
  template ??= createClient(limits)
  return template.duplicate(options)
}

function socketFor({ isEncrypted }: RedisAddress, connectTimeout: number, node?: RedisNode) {
  const common = { ...node, connectTimeout, reconnectStrategy: false } as const
  return isEncrypted ? ({ ...common, tls: true } as const) : common
}

type Connectable = {
  connect(): Promise<unknown>
  destroy(): void
  on(event: 'error', listener: (error: unknown) => void): unknown
}

async function connected<C extends Connectable>(
  client: C,
  { connectMs, failed }: Omit<OpenOptions, 'address'>,
): Promise<C> {
  let isConnected = false
  let cause: unknown
  client.on('error', (error) => {
    cause = error
    if (isConnected) failed(error)
  })
  try {
    await withTimeout(client.connect(), connectMs, noResponse)
    isConnected = true
    return client
  } catch (error) {
    client.destroy()
    // A cluster reports causes only as events.
    throw cause ?? error
  }
}

export class NoResponse extends Error {}

export function noResponse(): never {
  throw new NoResponse('no response in time')
}
