import type { Collection } from '../collections/collection.ts'
import type { FeedOverview } from '../feeds/feed-overview.ts'
import type { Feed, FeedRequest, RenderedFeed, RenderedPage, Renderers } from '../feeds/feed.ts'

/** A request to render a feed with its options, in one format, for one profile, at a given time. */
export type RenderJob = FeedRequest & { readonly feed: Feed }

export type FeedDiagnosis = ReturnType<NonNullable<Feed['diagnose']>>

/** A request to render the overview of a feed with list options, for one profile, at a given time. */
export type OverviewJob = Omit<FeedRequest, 'format'> & {
  readonly feed: Feed
}

/** A request to render the page for a record. `url` is the page's URL. */
export type PageJob = Omit<OverviewJob, 'chosen'> & {
  readonly id: number
  readonly url: string
}

/** Renders feeds. Promises reject if rendering fails. */
export type Rendering = {
  readonly render: (job: RenderJob, collection: Collection) => Promise<RenderedFeed>
  readonly overview: (job: OverviewJob, collection: Collection) => Promise<FeedOverview>
  readonly page: (job: PageJob, collection: Collection) => Promise<RenderedPage>
  /** Returns undefined for feeds without diagnostics. */
  readonly diagnose: (
    feed: Feed,
    collection: Collection,
    now: number,
  ) => Promise<FeedDiagnosis | undefined>
}

/** Creates a renderer that runs on the calling thread and blocks it. */
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
