import { clientFamily, type ClientFamily } from './client-family.ts'

/** Response counts by route pattern, status and client family. */
export type Traffic = {
  readonly count: (
    route: string,
    status: number,
    userAgent: string | undefined,
    count?: number,
  ) => void
  readonly counts: () => readonly TrafficCount[]
}

export type TrafficCount = {
  readonly route: string
  readonly status: number
  readonly client: ClientFamily
  readonly count: number
}

/** Nested maps hold the counts, so that the hot path does not allocate memory. */
export function createTraffic(): Traffic {
  const routes = new Map<string, Map<number, Map<ClientFamily, { count: number }>>>()
  return {
    count(route, status, userAgent, count = 1) {
      const statuses = entryOf(routes, route, () => new Map())
      const clients = entryOf(statuses, status, () => new Map())
      entryOf(clients, clientFamily(userAgent), () => ({ count: 0 })).count += count
    },
    counts: () =>
      [...routes].flatMap(([route, statuses]) =>
        [...statuses].flatMap(([status, clients]) =>
          [...clients].map(([client, { count }]) => ({ route, status, client, count })),
        ),
      ),
  }
}

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const created = make()
  map.set(key, created)
  return created
}
