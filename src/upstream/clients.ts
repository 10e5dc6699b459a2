import type { Client as UndiciClient } from 'undici'
import { Client } from '../outgoing/limited-connector.ts'

const maxConnections = 2

export type Clients = AsyncDisposable & {
  /** Calls a function with the client that has the fewest other requests. */
  readonly use: <T>(send: (client: UndiciClient) => Promise<T>) => Promise<T>
}

/**
 * Creates up to two clients for a website, each with one connection. undici's own pool keeps a queue of
 * 16 KiB for each website, and opens another connection for a request that follows immediately.
 */
export function createClients(siteUrl: string, options: UndiciClient.Options): Clients {
  const clients: { readonly client: UndiciClient; requests: number }[] = []

  function leastBusy() {
    const [least] = clients.toSorted((a, b) => a.requests - b.requests)
    if (least && (least.requests === 0 || clients.length === maxConnections)) return least
    const added = { client: new Client(siteUrl, options), requests: 0 }
    clients.push(added)
    return added
  }

  return {
    async use(send) {
      const chosen = leastBusy()
      chosen.requests += 1
      try {
        return await send(chosen.client)
      } finally {
        chosen.requests -= 1
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map(({ client }) => client.destroy()))
    },
  }
}
