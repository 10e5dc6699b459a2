import type { Clock } from '../clock.ts'
import type { Collections } from '../collections/collections.ts'
import { createTopicReplies } from '../collections/topic-replies.ts'
import type { Catalog } from '../feeds/catalog.ts'
import { createRenderers, type Feed } from '../feeds/feed.ts'
import type { Site } from '../feeds/site.ts'
import type { LinkService } from '../links/link-service.ts'
import type { Logger } from '../log.ts'
import type { CacheBudget } from './cache-budget.ts'
import { createFeedOverviews, createItemPages } from '../representations/feed-content.ts'
import { createFeedDiagnostics } from '../representations/feed-diagnostics.ts'
import { createDuplicateMemory } from '../representations/duplicate-memory.ts'
import { createRepresentations } from '../representations/representations.ts'
import { createTopicRepresentations } from '../representations/render-target.ts'
import { plainTargets } from '../representations/target.ts'
import type { Documents } from '../store/store.ts'
import type { DataService } from '../upstream/data-service.ts'

/** Connects the parts that render a site's feeds. Does not start them. */
export function createFeedPipeline(
  starting: AsyncDisposableStack,
  options: {
    readonly site: Site
    readonly publicFeeds: readonly Feed[]
    readonly catalog: Pick<Catalog, 'feeds' | 'combinedFeeds' | 'feedsOf'>
    readonly links: Pick<LinkService, 'open' | 'onChange'>
    readonly collections: Collections
    readonly dataService: Pick<DataService, 'readAll'>
    readonly documents: Documents
    readonly memory: CacheBudget
    readonly clock: Clock
    /** When settings or code last changed how feeds look, in milliseconds since the epoch. */
    readonly presentationChangedAt: number
    readonly log: Logger
  },
) {
  const { site, publicFeeds, links, collections, documents, memory, clock, log } = options
  const { presentationChangedAt } = options
  const { feeds, combinedFeeds, feedsOf } = options.catalog
  const renderers = createRenderers(site, { maxRendered: memory.calendarEntries })
  const diagnostics = createFeedDiagnostics(feeds, collections, { renderers, clock, log })
  const overviews = createFeedOverviews(collections, { site, clock })
  const itemPages = createItemPages(collections, {
    renderers,
    maxBytes: memory.pageBytes,
    clock,
  })
  const duplicateMemory = createDuplicateMemory({
    documents,
    feeds,
    collections,
    site,
    clock,
    log,
  })
  const representations = starting.use(
    createRepresentations(collections, {
      renderers,
      diagnostics,
      duplicateMemory,
      presentationChangedAt,
      maxBytes: memory.variantBytes,
      clock,
      log,
    }),
  )
  const replies = createTopicReplies({ ...options, siteTimeZone: site.timeZone })
  const topics = createTopicRepresentations(replies, { renderers, presentationChangedAt, clock })
  const combinedForEveryone = combinedFeeds.filter(({ isForEveryone }) => isForEveryone)
  const keepReady = () =>
    representations.keepReady([
      ...plainTargets([...publicFeeds, ...combinedForEveryone], 'public'),
      ...links.open().flatMap((link) => plainTargets(feedsOf(link), link.profile)),
    ])
  keepReady()
  links.onChange(keepReady)
  return { representations, topics, overviews, itemPages, duplicateMemory, diagnostics }
}
