import type { Clock } from '../clock.ts'
import type { Collections } from '../collections/collections.ts'
import { feeds, feedsOf } from '../feeds/catalog.ts'
import type { Feed } from '../feeds/feed.ts'
import type { Site } from '../feeds/site.ts'
import type { LinkService } from '../links/link-service.ts'
import type { Logger } from '../log.ts'
import type { CacheBudget } from './cache-budget.ts'
import { createFeedOverviews } from '../representations/feed-overviews.ts'
import { createFeedDiagnostics } from '../representations/feed-diagnostics.ts'
import { createItemPages } from '../representations/item-pages.ts'
import type { RenderingThread } from '../representations/rendering-thread.ts'
import { createRepresentations } from '../representations/representations.ts'
import { plainTargets } from '../representations/target.ts'

/** Connects the parts that render a site's feeds. Does not start them. */
export function createFeedPipeline(
  starting: AsyncDisposableStack,
  options: {
    readonly site: Site
    readonly publicFeeds: readonly Feed[]
    readonly links: Pick<LinkService, 'open' | 'onChange'>
    readonly collections: Collections
    readonly thread: Pick<RenderingThread, 'renderingFor'>
    readonly memory: CacheBudget
    readonly clock: Clock
    /** When settings or code last changed how feeds look, in milliseconds since the epoch. */
    readonly presentationChangedAt: number
    readonly log: Logger
  },
) {
  const {
    site,
    publicFeeds,
    links,
    collections,
    thread,
    presentationChangedAt,
    memory,
    clock,
    log,
  } = options
  const rendering = thread.renderingFor(site)
  const diagnostics = createFeedDiagnostics(feeds, collections, { rendering, clock, log })
  const overviews = createFeedOverviews(collections, { rendering, clock })
  const itemPages = createItemPages(collections, {
    rendering,
    maxBytes: memory.pageBytes,
    clock,
  })
  const representations = starting.use(
    createRepresentations(collections, {
      rendering,
      diagnostics,
      presentationChangedAt,
      maxBytes: memory.variantBytes,
      clock,
      log,
    }),
  )
  const keepReady = () =>
    representations.keepReady([
      ...plainTargets(publicFeeds, 'public'),
      ...links.open().flatMap((link) => plainTargets(feedsOf(link), link.profile)),
    ])
  keepReady()
  links.onChange(keepReady)
  return { representations, overviews, itemPages, diagnostics }
}
