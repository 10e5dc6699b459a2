import { isDeepStrictEqual } from 'node:util'
import { parsedJson } from '../json.ts'
import { noticeMs } from '../links/feed-link.ts'
import { withFallback } from '../store/store-error.ts'
import { retryWrite, type Documents } from '../store/store.ts'

export const publicFeedsDocument = { bucket: 'public-feeds', id: 'feeds' }

/** When feeds that were public became private, by id, in milliseconds since the epoch. */
export type PrivateSince = Readonly<Record<string, number>>

type Stored = { readonly publicFeeds: readonly string[]; readonly privateSince: PrivateSince }

/**
 * Records which feeds are public, and returns when others became private in the last two weeks. All
 * replicas share these times. Returns none if the store is down.
 */
export async function feedsPrivateSince(
  documents: Pick<Documents, 'get' | 'write'>,
  publicFeeds: readonly string[],
  now: number,
): Promise<PrivateSince> {
  const recorded = async () => {
    const stored = await documents.get(publicFeedsDocument.bucket, publicFeedsDocument.id)
    const before = stored && (parsedJson(stored.value) as Stored | undefined)
    const after = recordAfter(before, publicFeeds, now)
    if (isDeepStrictEqual(after, before)) return after
    const expected = { ...publicFeedsDocument, revision: stored?.revision ?? 0 }
    const write = { ...publicFeedsDocument, value: JSON.stringify(after) }
    return (await documents.write([write], expected)) ? after : undefined
  }
  return (await withFallback(() => retryWrite(recorded)))?.privateSince ?? {}
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
