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
  readonly weightOf: (sender: Sender) => Weight
}

/** Counts of a client's provider, network and client. */
export type Weight = readonly [provider: number, network: number, client: number]

/** Compares the providers' counts, then the networks' and the clients'. */
export function isLighter(weight: Weight, than: Weight): boolean {
  const level = weight.findIndex((count, index) => count !== than[index])
  return (weight[level] ?? 0) < (than[level] ?? 0)
}

/** Counts by client, by network and by provider. Remembers only counts above zero. */
export function createSenderCounts(): SenderCounts {
  const clients = new Map<string, number>()
  const networks = new Map<string, number>()
  const providers = new Map<string, number>()
  const ofClient = ({ client }: Sender) => clients.get(client) ?? 0
  const ofNetwork = ({ network }: Sender) => networks.get(network) ?? 0
  const ofProvider = ({ provider }: Sender) => providers.get(provider) ?? 0
  return {
    add({ client, network, provider }, change) {
      addTo(clients, client, change)
      addTo(networks, network, change)
      addTo(providers, provider, change)
    },
    ofClient,
    ofNetwork,
    ofProvider,
    weightOf: (sender) => [ofProvider(sender), ofNetwork(sender), ofClient(sender)],
  }
}

function addTo(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
