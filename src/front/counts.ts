import { clientOf, networkOf } from './client-address.ts'

export type Sender = { readonly client: string; readonly network: string }

export function senderFrom(address: string): Sender {
  return { client: clientOf(address), network: networkOf(address) }
}

export type SenderCounts = {
  readonly add: (sender: Sender, change: number) => void
  readonly ofClient: (sender: Sender) => number
  readonly ofNetwork: (sender: Sender) => number
}

/** Counts by client and by network. Remembers only counts above zero. */
export function createSenderCounts(): SenderCounts {
  const clients = new Map<string, number>()
  const networks = new Map<string, number>()
  return {
    add({ client, network }, change) {
      addTo(clients, client, change)
      addTo(networks, network, change)
    },
    ofClient: ({ client }) => clients.get(client) ?? 0,
    ofNetwork: ({ network }) => networks.get(network) ?? 0,
  }
}

function addTo(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
