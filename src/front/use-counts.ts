import type { Use, UseCount } from './protocol.ts'

/** Distinct uses per report. Uses beyond this number are dropped, which only makes metrics too low. */
const maxDistinct = 1_000

/** Clients can send longer ones, and a report contains many of them. */
const maxUserAgentLength = 300

type Counted = { readonly use: Use; count: number }

export type UseCounts = {
  readonly add: (use: Use) => void
  readonly take: () => readonly UseCount[]
}

/** Counts uses until they are reported together. Nested maps are faster than a key for each use. */
export function createUseCounts(): UseCounts {
  let counts = new Map<string, Map<string, Counted[]>>()
  let distinct = 0

  function countedOf(label: string, userAgent: string): Counted[] {
    const clients = counts.get(label) ?? new Map<string, Counted[]>()
    counts.set(label, clients)
    const counted = clients.get(userAgent) ?? []
    clients.set(userAgent, counted)
    return counted
  }

  function add(use: Use): void {
    const { site, use: label, method, status } = use
    const userAgent = use.userAgent?.slice(0, maxUserAgentLength) ?? ''
    const counted =
      counts.get(label)?.get(userAgent) ??
      (distinct < maxDistinct ? countedOf(label, userAgent) : undefined)
    const known = counted?.find(
      (each) => each.use.status === status && each.use.method === method && each.use.site === site,
    )
    if (known) {
      known.count += 1
    } else if (counted && distinct < maxDistinct) {
      distinct += 1
      counted.push({ use: { ...use, userAgent }, count: 1 })
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
