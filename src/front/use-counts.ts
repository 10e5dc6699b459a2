import type { Use, UseCount } from './protocol.ts'

/** Distinct uses per report. Uses beyond this number are dropped, which only makes metrics too low. */
const maxDistinct = 1_000

/** Clients can send longer ones, and a report contains many of them. */
const maxUserAgentLength = 300

type Counted = { readonly use: Use; count: number }

export type UseCounts = {
  /** `address` is that of the client. */
  readonly add: (use: Use, address?: string) => void
  readonly take: () => readonly UseCount[]
}

/** Counts uses until they are reported together. Nested maps are faster than a key for each use. */
export function createUseCounts(isFirst: (text: string) => boolean = () => false): UseCounts {
  let counts = new Map<string, Map<string, Counted[]>>()
  let distinct = 0

  function countedOf(label: string, userAgent: string): Counted[] {
    const clients = counts.get(label) ?? new Map<string, Counted[]>()
    counts.set(label, clients)
    const counted = clients.get(userAgent) ?? []
    clients.set(userAgent, counted)
    return counted
  }

  function add(use: Use, address = ''): void {
    const { site, use: label, method, status } = use
    const userAgent = use.userAgent?.slice(0, maxUserAgentLength) ?? ''
    const isReader = method === 'GET' && isFirst(`${site} ${label} ${address} ${userAgent}`)
    const counted =
      counts.get(label)?.get(userAgent) ??
      (distinct < maxDistinct ? countedOf(label, userAgent) : undefined)
    const known = counted?.find(
      ({ use: { isReader: wasReader = false, ...each } }) =>
        each.status === status &&
        each.method === method &&
        each.site === site &&
        wasReader === isReader,
    )
    if (known) {
      known.count += 1
    } else if (counted && distinct < maxDistinct) {
      distinct += 1
      counted.push({ use: { ...use, userAgent, ...(isReader && { isReader }) }, count: 1 })
    }
  }

  function take(): readonly UseCount[] {
    const taken = [...counts.values()].flatMap((clients) => [...clients.values()].flat())
    counts = new Map()
    distinct = 0
    return taken
  }

  return { add, take }
}
