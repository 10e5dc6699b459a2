import { providerOf } from '../used-time.ts'
import { clientOf, networkOf } from './client-address.ts'

export type Sender = {
  readonly client: string
  readonly network: string
  readonly provider: string
}

export function senderFrom(address: string): Sender {
  const network = networkOf(address)
  return { client: clientOf(address), network, provider: providerOf(network) }
}

export type SenderCounts = {
  readonly add: (sender: Sender, change: number) => void
  readonly ofClient: (sender: Sender) => number
  readonly ofNetwork: (sender: Sender) => number
  readonly ofProvider: (sender: Sender) => number
}

/** Counts by client, by network and by provider. Remembers only counts above zero. */
export function createSenderCounts(): SenderCounts {
  const clients = new Map<string, number>()
  const networks = new Map<string, number>()
  const providers = new Map<string, number>()
  return {
    add({ client, network, provider }, change) {
      addTo(clients, client, change)
      addTo(networks, network, change)
      addTo(providers, provider, change)
    },
    ofClient: ({ client }) => clients.get(client) ?? 0,
    ofNetwork: ({ network }) => networks.get(network) ?? 0,
    ofProvider: ({ provider }) => providers.get(provider) ?? 0,
  }
}

function addTo(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
