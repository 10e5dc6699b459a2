import type { Collection } from '../collections/collection.ts'
import type { FeedOverview } from '../feeds/feed-overview.ts'
import type { Feed, FeedRequest, RenderedFeed, RenderedPage, Renderers } from '../feeds/feed.ts'

/** A feed with options, in a format, for a profile, at a time. */
export type RenderJob = FeedRequest & { readonly feed: Feed }

export type FeedDiagnosis = ReturnType<NonNullable<Feed['diagnose']>>

/** A feed as a profile sees it at a time, by the options that lists take. */
export type OverviewJob = Omit<FeedRequest, 'format'> & {
  readonly feed: Feed
}

/** The page of one record's item; `url` is where it is. */
export type PageOrder = Omit<OverviewJob, 'chosen'> & {
  readonly id: number
  readonly url: string
}

/** Makes the text of feeds. Its promises reject when that fails. */
export type Rendering = {
  readonly render: (order: RenderJob, collection: Collection) => Promise<RenderedFeed>
  readonly overview: (order: OverviewJob, collection: Collection) => Promise<FeedOverview>
  readonly page: (order: PageOrder, collection: Collection) => Promise<RenderedPage>
  /** Undefined for feeds that have nothing to review. */
  readonly diagnose: (
    feed: Feed,
    collection: Collection,
    now: number,
  ) => Promise<FeedDiagnosis | undefined>
}

/** In the thread of the caller, who is busy meanwhile. */
export function renderingHere(renderers: Renderers): Rendering {
  return {
    render: async ({ feed, ...request }, collection) => feed.render(collection, request, renderers),
    overview: async ({ feed, ...context }, collection) =>
      feed.overview(collection, { site: renderers.site, ...context }),
    page: async ({ feed, id, url, ...context }, collection) =>
      feed.page(collection, { id, url }, { site: renderers.site, ...context }),
    diagnose: async (feed, collection, now) => feed.diagnose?.(collection, now, renderers),
  }
}
