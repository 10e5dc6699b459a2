import { z } from 'zod'
import { dayMs } from '../clock.ts'
import { parsedJson } from '../json.ts'
import type { Documents } from '../store/store.ts'
import { endedKeptMs } from './feed-link.ts'

/** Kinds of clients, shown to the webmaster with a link's latest use. */
const linkClients = [
  'Apple',
  'Google',
  'Outlook',
  'Thunderbird',
  'reader',
  'screen',
  'other',
] as const

type LinkClient = (typeof linkClients)[number]

/** Kinds of apps whose refreshes are recorded for each link. */
export const linkApps = [...linkClients, 'Android', 'other calendar'] as const

export type LinkApp = (typeof linkApps)[number]

/** Latest use of a link, in milliseconds since the epoch. */
export type LinkUse = { readonly at: number; readonly client: LinkClient }

/** Latest refreshes of one kind of app, in milliseconds since the epoch. */
export type AppFetches = {
  readonly app: LinkApp
  readonly at: number
  /** Starts of the latest refreshes, oldest first. */
  readonly refreshes: readonly number[]
  /** The latest days with requests, as numbers of UTC days since the epoch, oldest first. */
  readonly days: readonly number[]
}

/** Requests within this time are one refresh, because an app requests all its feeds together. */
export const refreshGapMs = 5 * 60_000

/** Number of days with requests that are kept for each kind of app. */
export const maxDays = 30

const dayOf = (at: number) => Math.floor(at / dayMs)

/** Number of refreshes that are kept for each kind of app. */
export const maxRefreshes = 8

/** Merges fetches seen by different replicas. Returns the latest app first. */
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
      days: latestDays([...(other?.days ?? []), ...fetches.days]),
    })
  }
  return [...byApp.values()].sort((a, b) => b.at - a.at || (a.app < b.app ? -1 : 1))
}

function refreshesFrom(times: readonly number[]): readonly number[] {
  const starts: number[] = []
  for (const at of times.toSorted((a, b) => a - b)) {
    if (at >= (starts.at(-1) ?? -Infinity) + refreshGapMs) starts.push(at)
  }
  return starts.slice(-maxRefreshes)
}

function latestDays(days: readonly number[]): readonly number[] {
  return [...new Set(days)].toSorted((a, b) => a - b).slice(-maxDays)
}

/** Returns the last days, the latest last, with the number of links that each kind of app read. */
export function readersPerDay(links: readonly (readonly AppFetches[])[], now: number) {
  const fetches = links.flat()
  return Array.from({ length: maxDays }, (_, index) => {
    const day = dayOf(now) - maxDays + 1 + index
    const apps = fetches.flatMap(({ app, days }) => (days.includes(day) ? [app] : []))
    return { at: day * dayMs, apps }
  })
}

/**
 * Returns an app's usual time between refreshes, in milliseconds: the median, so that a phone
 * turned off for a week does not distort it. Returns undefined before the second refresh.
 */
export function observedIntervalMs({ refreshes }: AppFetches) {
  const intervals = refreshes
    .slice(1)
    .map((at, index) => at - (refreshes[index] ?? at))
    .sort((a, b) => a - b)
  return intervals[Math.floor(intervals.length / 2)]
}

export const linkUseBucket = 'link-uses'

/** Uses of a link: the latest one, and the latest fetches of each kind of app. */
export type LinkUses = LinkUse & { readonly fetches: readonly AppFetches[] }

const storedUse = z.object({
  at: z.number(),
  client: z.enum(linkClients),
  fetches: z
    .array(
      z.object({
        app: z.string(),
        at: z.number(),
        refreshes: z.array(z.number()),
        days: z.array(z.int()),
      }),
    )
    .catch([]),
})

export function usesFromRequests(requests: ReadonlyMap<LinkApp, number>): LinkUses {
  const requested = [...requests].map(([app, at]) => ({
    app,
    at,
    refreshes: [at],
    days: [dayOf(at)],
  }))
  const fetches = mergeFetches([], requested)
  const [{ app, at } = { app: 'other', at: 0 } as const] = fetches
  const client = linkClients.find((known) => known === app) ?? 'other'
  return { at, client, fetches }
}

function mergeUses(known: LinkUses | undefined, seen: LinkUses): LinkUses {
  if (!known) return seen
  const { at, client } = seen.at > known.at ? seen : known
  return { at, client, fetches: mergeFetches(known.fetches, seen.fetches) }
}

/** Adds uses to the ones that other replicas have stored. */
export async function storeUses(
  documents: Documents,
  used: ReadonlyMap<string, LinkUses>,
): Promise<void> {
  const known = await storedUses(documents)
  const writes = [...used].flatMap(([id, seen]) => {
    const before = JSON.stringify(known.get(id))
    const uses = mergeUses(known.get(id), seen)
    const value = JSON.stringify(uses)
    if (value === before) return []
    return { bucket: linkUseBucket, id, value, expiresAt: uses.at + endedKeptMs }
  })
  if (writes.length > 0) await documents.write(writes)
}

export async function storedUses(documents: Documents): Promise<ReadonlyMap<string, LinkUses>> {
  const all = await documents.all(linkUseBucket)
  return new Map(
    [...all].flatMap(([id, { value }]) => {
      const uses = usesFrom(value)
      return uses ? [[id, uses] as const] : []
    }),
  )
}

export async function storedUsesOf(documents: Documents, id: string) {
  const document = await documents.get(linkUseBucket, id)
  return document && usesFrom(document.value)
}

/** Returns the time of the latest stored use, or 0 if it is unreadable. */
export function storedUseAt(text: string): number {
  return usesFrom(text)?.at ?? 0
}

/** Parses stored uses. Drops fetches by kinds of apps known only to newer versions. */
function usesFrom(text: string): LinkUses | undefined {
  const { data } = storedUse.safeParse(parsedJson(text))
  if (!data) return undefined
  const fetches = data.fetches.flatMap(({ app: name, at, refreshes, days }) => {
    const app = linkApps.find((each) => each === name)
    const known = { at, refreshes: refreshes.slice(-maxRefreshes), days: latestDays(days) }
    return app ? { app, ...known } : []
  })
  return { ...data, fetches }
}
