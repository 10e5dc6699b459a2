import type { FeedResource } from '../records/resources.ts'
import type { Feed, FeedAccess } from './feed.ts'

export type AboutCombinedFeed = FeedAccess & { readonly id: 'all' | 'my' }

export function sourcesOf<Source>(
  feeds: readonly Feed[],
  copyOf: (resource: FeedResource) => Source | undefined,
): readonly { readonly feed: Feed; readonly source: Source }[] {
  return feeds.flatMap((feed) => {
    const source = copyOf(feed.resource)
    return source ? [{ feed, source }] : []
  })
}
