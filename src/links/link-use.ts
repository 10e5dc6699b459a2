/** Kinds of clients, shown to the webmaster with a link's latest use. */
export const linkClients = [
  'Apple',
  'Google',
  'Outlook',
  'Thunderbird',
  'reader',
  'screen',
  'other',
] as const

export type LinkClient = (typeof linkClients)[number]

/** Kinds of apps whose refreshes are recorded for each link. */
export const linkApps = [...linkClients, 'Android', 'other calendar'] as const

export type LinkApp = (typeof linkApps)[number]

/** Latest use of a link, in milliseconds since the epoch. */
export type LinkUse = { readonly at: number; readonly client: LinkClient }

/** Latest refreshes of one kind of app, in milliseconds since the epoch. */
export type AppFetches = {
  readonly app: LinkApp
  /** Latest request. */
  readonly at: number
  /** Starts of the latest refreshes, oldest first. */
  readonly refreshes: readonly number[]
}

/** Requests within this time belong to one refresh, because an app requests all its feeds in a row. */
export const refreshGapMs = 5 * 60_000

/** Number of refreshes that are kept for each kind of app. */
export const maxRefreshes = 8

/** Returns the client that lists show for an app. */
export function clientFromApp(app: LinkApp): LinkClient {
  return linkClients.find((client) => client === app) ?? 'other'
}

/** Merges fetches that different replicas have seen. Returns the latest app first. */
export function mergeFetches(
  known: readonly AppFetches[],
  seen: readonly AppFetches[],
): readonly AppFetches[] {
  const byApp = new Map(known.map((fetches) => [fetches.app, fetches]))
  for (const fetches of seen) {
    const { app } = fetches
    const other = byApp.get(app)
    byApp.set(app, {
      app,
      at: Math.max(fetches.at, other?.at ?? 0),
      refreshes: refreshesFrom([...(other?.refreshes ?? []), ...fetches.refreshes]),
    })
  }
  return [...byApp.values()].sort((a, b) => b.at - a.at || (a.app < b.app ? -1 : 1))
}

/** Returns the latest refreshes among the given times of requests. */
function refreshesFrom(times: readonly number[]): readonly number[] {
  const starts: number[] = []
  for (const at of times.toSorted((a, b) => a - b)) {
    if (at >= (starts.at(-1) ?? -Infinity) + refreshGapMs) starts.push(at)
  }
  return starts.slice(-maxRefreshes)
}

/**
 * Returns an app's usual time between refreshes, in milliseconds: the median, so that a phone that
 * was switched off for a week does not count. Returns undefined before the second refresh.
 */
export function observedIntervalMs({ refreshes }: AppFetches) {
  const intervals = refreshes
    .slice(1)
    .map((at, index) => at - (refreshes[index] ?? at))
    .sort((a, b) => a - b)
  return intervals[Math.floor(intervals.length / 2)]
}
