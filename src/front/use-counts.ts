import type { DailyReaders } from './daily-readers.ts'
import type { Use, UseCount } from './protocol.ts'

/** Distinct uses per report. Uses beyond this number are dropped, which only makes metrics too low. */
const maxDistinct = 1_000

/** Clients can send longer ones, and a report contains many of them. */
const maxUserAgentLength = 300

/** Addresses remembered per report, so that `isFirst` is called only once for each. */
const maxAddresses = 10_000

type Counted = { readonly use: Use; count: number; readonly addresses: Set<string> }

export type UseCounts = {
  /** `address` is the client's. */
  readonly add: (use: Use, address?: string) => void
  readonly take: () => readonly UseCount[]
}

/** Counts uses until they are reported together. Nested maps are faster than a key for each use. */
export function createUseCounts(isFirst: DailyReaders = () => false): UseCounts {
  let counts = new Map<string, Map<string, Counted[]>>()
  let distinct = 0
  let addresses = 0

  function countedOf(label: string, userAgent: string): Counted[] {
    const clients = counts.get(label) ?? new Map<string, Counted[]>()
    counts.set(label, clients)
    const counted = clients.get(userAgent) ?? []
    clients.set(userAgent, counted)
    return counted
  }

  function add(use: Use, address = ''): void {
    const { use: label } = use
    const userAgent = use.userAgent?.slice(0, maxUserAgentLength) ?? ''
    const counted =
      counts.get(label)?.get(userAgent) ??
      (distinct < maxDistinct ? countedOf(label, userAgent) : undefined)
    if (!counted) return
    const known = counted.find((each) => isSame(each.use, use, false))
    if (known?.addresses.has(address)) {
      known.count += 1
      return
    }
    const isReader =
      use.hasReaders === true &&
      use.method === 'GET' &&
      isFirst(`${use.site} ${label} ${address} ${userAgent}`, address)
    const usual = isReader ? counted.find((each) => isSame(each.use, use, true)) : known
    const entry = usual ?? newEntry(counted, { ...use, userAgent, ...(isReader && { isReader }) })
    if (!entry) return
    entry.count += 1
    if (isReader || addresses >= maxAddresses) return
    addresses += 1
    entry.addresses.add(address)
  }

  function newEntry(counted: Counted[], use: Use): Counted | undefined {
    if (distinct >= maxDistinct) return undefined
    distinct += 1
    const entry = { use, count: 0, addresses: new Set<string>() }
    counted.push(entry)
    return entry
  }

  function take(): readonly UseCount[] {
    const taken = [...counts.values()].flatMap((clients) => [...clients.values()].flat())
    counts = new Map()
    distinct = 0
    addresses = 0
    return taken.map(({ use, count }) => ({ use, count }))
  }

  return { add, take }
}

function isSame(some: Use, other: Use, isReader: boolean): boolean {
  return (
    some.status === other.status &&
    some.method === other.method &&
    some.site === other.site &&
    (some.isReader ?? false) === isReader
  )
}
