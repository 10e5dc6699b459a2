import type { LinkChoice } from '../links/feed-link.ts'
import type { FeedResource } from '../records/resources.ts'
import type { ChosenOptions, FeedOptionSet } from '../options/option.ts'
import type { Feed, FeedFormat, FeedRequest, FeedSource, RenderedFeed, Renderers } from './feed.ts'

/** A feed that combines several feeds. It has a URL, but no item pages, lists or boards. */
export type CombinedFeed = Pick<Feed, 'id' | 'textIn'> & {
  /** False for a feed that exists only below feed links. */
  readonly isForEveryone: boolean
  /** True for a feed that does not exist below feed links. */
  readonly isPublicOnly?: boolean
  /** Returns the summary for these options, if they change it. */
  summaryWith?(chosen: ChosenOptions, language: string): string
  readonly formats: readonly FeedFormat[]
  /** True if it shows the link's member their own entries, with or without `sources`. */
  hasPersonalEntries?(format: FeedFormat, sources: readonly Feed[]): boolean
  /** Messages about invalid values mention only the feeds in `offered`, by default all feeds. */
  options(format: FeedFormat, offered?: readonly Feed[]): FeedOptionSet
  /**
   * Returns the feeds to combine, in the order of the catalog. Without a selection, returns the
   * suitable feeds in `readable`, which are the feeds that the viewer may read. Otherwise, returns
   * the selected ones, even if the viewer may not read them.
   */
  sourcesFrom(readable: readonly Feed[], format: FeedFormat, chosen: ChosenOptions): readonly Feed[]
  /** Returns the query string that a link's saved selection adds to URLs without the option `show`. */
  savedQuery?(choice: LinkChoice, format: FeedFormat): string
  /** There are no sources if the viewer may no longer read any feed in a saved selection. */
  render(
    sources: readonly CombinedSource[],
    request: FeedRequest,
    renderers: Renderers,
  ): RenderedFeed
}

export type AboutCombinedFeed = { readonly id: 'all' | 'my' } & Pick<
  CombinedFeed,
  'isForEveryone' | 'hasPersonalEntries' | 'savedQuery'
>

export type CombinedSource = { readonly feed: Feed; readonly source: FeedSource<FeedResource> }

export function sourcesOf<Source>(
  feeds: readonly Feed[],
  copyOf: (resource: FeedResource) => Source | undefined,
): readonly { readonly feed: Feed; readonly source: Source }[] {
  return feeds.flatMap((feed) => {
    const source = copyOf(feed.resource)
    return source ? [{ feed, source }] : []
  })
}

export type AnyFeed = Feed | CombinedFeed

export function isCombined(feed: AnyFeed): feed is CombinedFeed {
  return 'sourcesFrom' in feed
}
