import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { senderFrom, type Sender } from './counts.ts'
import type { Rejections } from './rejections.ts'

/**
 * Tracks all open sockets, even if Node no longer does, such as after CONNECT. At the limit, closes an
 * old connection for each new one, so that health checks always get a response, and a client that keeps
 * thousands of connections busy loses only its own.
 */
export function limitConnections(
  server: Server,
  maxConnections: number,
  rejections: Rejections,
): ConnectionShares<Socket> {
  const shares = createConnectionShares<Socket>()
  server.on('connection', (socket) => {
    shares.add(socket, senderFrom(socket.remoteAddress ?? ''))
    socket.once('close', () => shares.remove(socket))
    if (shares.size() <= maxConnections) return
    const closed = shares.takeOldest()
    rejections.report('too many connections', { address: closed?.remoteAddress })
    closed?.destroy()
  })
  return shares
}

export type ConnectionShares<Connection> = {
  readonly add: (connection: Connection, sender: Sender) => void
  readonly remove: (connection: Connection) => void
  /**
   * Removes and returns the oldest connection of the network with the most. This network belongs to the
   * provider with the most, because a client can own any number of networks of one provider.
   */
  readonly takeOldest: () => Connection | undefined
  readonly size: () => number
  readonly all: () => Iterable<Connection>
}

type Provider<Connection> = {
  readonly networks: Map<string, Set<Connection>>
  readonly ranking: Ranking<Set<Connection>>
  size: number
}

/** Groups connections by provider and network. Each function takes about as long for any number of them. */
export function createConnectionShares<Connection>(): ConnectionShares<Connection> {
  const senders = new Map<Connection, Sender>()
  const providers = new Map<string, Provider<Connection>>()
  const ranking = createRanking<Provider<Connection>>()

  function providerOf({ provider: name }: Sender): Provider<Connection> {
    const provider = providers.get(name) ?? {
      networks: new Map<string, Set<Connection>>(),
      ranking: createRanking<Set<Connection>>(),
      size: 0,
    }
    providers.set(name, provider)
    return provider
  }

  function add(connection: Connection, sender: Sender): void {
    senders.set(connection, sender)
    const provider = providerOf(sender)
    const network = provider.networks.get(sender.network) ?? new Set()
    provider.networks.set(sender.network, network.add(connection))
    provider.size += 1
    provider.ranking.move(network, network.size - 1, network.size)
    ranking.move(provider, provider.size - 1, provider.size)
  }

  function remove(connection: Connection): void {
    const sender = senders.get(connection)
    const provider = providers.get(sender?.provider ?? '')
    const network = provider?.networks.get(sender?.network ?? '')
    if (!sender || !provider || !network) return
    senders.delete(connection)
    network.delete(connection)
    provider.size -= 1
    provider.ranking.move(network, network.size + 1, network.size)
    ranking.move(provider, provider.size + 1, provider.size)
    if (network.size === 0) provider.networks.delete(sender.network)
    if (provider.size === 0) providers.delete(sender.provider)
  }

  return {
    add,
    remove,
    takeOldest() {
      const [oldest] = ranking.largest()?.ranking.largest() ?? []
      if (oldest !== undefined) remove(oldest)
      return oldest
    },
    size: () => senders.size,
    all: () => senders.keys(),
  }
}

type Ranking<Group> = {
  /** Moves a group whose size has changed by one. Groups of size 0 are forgotten. */
  readonly move: (group: Group, from: number, to: number) => void
  readonly largest: () => Group | undefined
}

/** Finds the largest group in constant time. Of groups with the same size, the first to reach it wins. */
function createRanking<Group>(): Ranking<Group> {
  const bySize = new Map<number, Set<Group>>()
  let largest = 0
  return {
    move(group, from, to) {
      const left = bySize.get(from)
      left?.delete(group)
      if (left?.size === 0) bySize.delete(from)
      if (to > 0) bySize.set(to, (bySize.get(to) ?? new Set<Group>()).add(group))
      // If the only largest group has shrunk by one, it is still the largest.
      if (to > largest || !bySize.has(largest)) largest = to
    },
    largest: () => bySize.get(largest)?.values().next().value,
  }
}
