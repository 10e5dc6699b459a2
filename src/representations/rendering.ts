import type { Collection } from '../collections/collection.ts'
import type { FeedOverview } from '../feeds/feed-overview.ts'
import type {
  Feed,
  FeedRequest,
  RenderedFeed,
  RenderedPage,
  Renderers,
  Variant,
} from '../feeds/feed.ts'

/** A feed with options, in a format, for a profile, at a time. */
export type RenderOrder = FeedRequest & { readonly feed: Feed; readonly variant: Variant }

export type FeedReview = ReturnType<NonNullable<Feed['review']>>

/** A feed as a profile sees it at a time, with filters as a query string. */
export type OverviewOrder = Omit<FeedRequest, 'format'> & {
  readonly feed: Feed
  readonly filters: string
}

/** The page of one record's item; `url` is where it is. */
export type PageOrder = Omit<OverviewOrder, 'filters'> & {
  readonly id: number
  readonly url: string
}

/** Makes the text of feeds. Its promises reject when that fails. */
export type Rendering = {
  readonly render: (order: RenderOrder, collection: Collection) => Promise<RenderedFeed>
  readonly overview: (order: OverviewOrder, collection: Collection) => Promise<FeedOverview>
  readonly page: (order: PageOrder, collection: Collection) => Promise<RenderedPage>
  /** Undefined for feeds that have nothing to review. */
  readonly review: (
    feed: Feed,
    collection: Collection,
    now: number,
  ) => Promise<FeedReview | undefined>
}

/** In the thread of the caller, who is busy meanwhile. */
export function renderingHere(renderers: Renderers): Rendering {
  return {
    render: async ({ variant, ...request }, collection) =>
      variant.render(collection, request, renderers),
    overview: async ({ feed, ...context }, collection) =>
      feed.overview(collection, { site: renderers.site, ...context }),
    page: async ({ feed, id, url, ...context }, collection) =>
      feed.page(collection, { id, url }, { site: renderers.site, ...context }),
    review: async (feed, collection, now) => feed.review?.(collection, now, renderers),
  }
}
