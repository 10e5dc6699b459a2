import { noticeMs } from '../links/feed-link.ts'
import { withFallback } from '../store/store-error.ts'
import { updatedState, type Documents } from '../store/store.ts'

export const publicFeedsDocument = { bucket: 'public-feeds', id: 'feeds' }

/** Times when public feeds became private, by feed id, in milliseconds since the epoch. */
export type PrivateSince = Readonly<Record<string, number>>

type Stored = { readonly publicFeeds: readonly string[]; readonly privateSince: PrivateSince }

/**
 * Records which feeds are public, and returns the times when others became private in the last two
 * weeks. All replicas share these times. Returns none if the store is down.
 */
export async function feedsPrivateSince(
  documents: Documents,
  publicFeeds: readonly string[],
  now: number,
): Promise<PrivateSince> {
  const next = (before: Stored | undefined) => recordAfter(before, publicFeeds, now)
  const state = await withFallback(() => updatedState(documents, publicFeedsDocument, next))
  return state?.privateSince ?? {}
}

function recordAfter(
  before: Stored | undefined,
  publicFeeds: readonly string[],
  now: number,
): Stored {
  const isPrivate = (id: string) => !publicFeeds.includes(id)
  const known = Object.entries(before?.privateSince ?? {})
  const added = (before?.publicFeeds ?? []).map((id) => [id, now] as const)
  const since = [...known, ...added].filter(([id, at]) => isPrivate(id) && now < at + noticeMs)
  return { publicFeeds: [...publicFeeds], privateSince: Object.fromEntries(since) }
}
