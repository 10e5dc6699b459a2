import { createClient, createCluster } from 'redis'
import { withTimeout } from '../../clock.ts'
import type { RedisAddress, RedisNode } from './redis-url.ts'

/** Applies to all sites that share a connection. */
const maxQueuedCommands = 10_000

/** The part that the clients of a server and of a cluster have in common. */
export type RedisClient = Pick<
  ReturnType<typeof createClient>,
  | 'destroy'
  | 'eval'
  | 'exists'
  | 'get'
  | 'hGet'
  | 'hGetAll'
  | 'hKeys'
  | 'hSet'
  | 'pExpire'
  | 'publish'
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
  /** Called if a connection fails, also while it is opened. The client does not connect again. */
  readonly failed: (error: unknown) => void
}

/** Connects to the server, the cluster, or the primary that Sentinel names. */
export function openClient(options: OpenOptions): Promise<RedisClient> {
  const { address } = options
  const [first] = address.nodes
  if (address.kind === 'sentinel') return openPrimary(options)
  if (address.kind === 'cluster') return openCluster(options)
  return openServer(first, options)
}

function openServer(node: RedisNode, { address, connectMs, failed }: OpenOptions) {
  const { login, database } = address
  const socket = socketFor(address, connectMs, node)
  const client = createClient({ ...limits, ...login, database, socket })
  return connected(client.on('error', failed), connectMs)
}

function openCluster({ address, connectMs, failed }: OpenOptions) {
  const cluster = createCluster({
    rootNodes: address.nodes.map((node) => ({
      // Used only to discover the other servers, so it ends with the first silence.
      socket: { ...socketFor(address, connectMs, node), socketTimeout: connectMs },
    })),
    defaults: { ...limits, ...address.login, socket: socketFor(address, connectMs) },
    // A server that is down would otherwise delay all others.
    minimizeConnections: true,
  })
  return connected(cluster.on('error', failed).on('node-error', failed), connectMs)
}

/**
 * Asks each Sentinel until one names a primary that can be reached. The client's own support for Sentinel
 * repeats commands that may have been executed, and asks without a pause while the primary is down.
 */
async function openPrimary(options: OpenOptions): Promise<RedisClient> {
  let fault: unknown
  for (const sentinel of options.address.nodes) {
    try {
      const primary = await primaryFrom(sentinel, options)
      const client = await openServer(primary, options)
      // During a failover, Sentinel may still name a server that has become a replica.
      const server = await withTimeout(client.role(), options.connectMs, noResponse)
      if (server?.role === 'master') return client
      client.destroy()
      fault = new Error(`${primary.host}:${primary.port} is not the primary`)
    } catch (error) {
      fault = error
    }
  }
  throw fault
}

async function primaryFrom(sentinel: RedisNode, { address, connectMs }: OpenOptions) {
  const { primary, sentinelLogin } = address
  const socket = socketFor(address, connectMs, sentinel)
  const client = createClient({ ...limits, ...sentinelLogin, socket }).on('error', () => {})
  try {
    await connected(client, connectMs)
    const asked = client.sendCommand(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', primary])
    const reply = await withTimeout(asked, connectMs, noResponse)
    if (!Array.isArray(reply)) throw new Error(`Sentinel does not monitor ${primary}`)
    return { host: String(reply[0]), port: Number(reply[1]) }
  } finally {
    client.destroy()
  }
}

const limits = { disableOfflineQueue: true, commandsQueueMaxLength: maxQueuedCommands }

function socketFor({ isEncrypted }: RedisAddress, connectTimeout: number, node?: RedisNode) {
  const common = { ...node, connectTimeout, reconnectStrategy: false } as const
  return isEncrypted ? ({ ...common, tls: true } as const) : common
}

async function connected<C extends { connect(): Promise<unknown>; destroy(): void }>(
  client: C,
  timeoutMs: number,
): Promise<C> {
  try {
    await withTimeout(client.connect(), timeoutMs, noResponse)
    return client
  } catch (error) {
    client.destroy()
    throw error
  }
}

export class NoResponse extends Error {}

export function noResponse(): never {
  throw new NoResponse('no response in time')
}
