import { Router } from 'express'
import type { Clock } from '../../clock.ts'
import type { Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import type { FeedOverviews } from '../../representations/feed-overviews.ts'
import type { ItemPages } from '../../representations/item-pages.ts'
import type { PagePublishing } from '../front/page-publishing.ts'
import type { RenderPage } from '../templates.ts'
import { eventRoutes } from './event-routes.ts'
import { createPageHandler } from './page-handler.ts'

/** Serves the pages on which people read what the feeds contain, publicly and under feed links. */
export function browsingRoutes(options: {
  readonly site: Site
  readonly feeds: readonly Feed[]
  readonly itemPages: ItemPages
  readonly overviews: FeedOverviews
  readonly render: RenderPage
  readonly pagePublishing: PagePublishing
  readonly clock: Pick<Clock, 'now'>
}): Router {
  const pageHandler = createPageHandler(options)
  const router = Router({ caseSensitive: true, strict: true })
  router.use(eventRoutes({ ...options, pageHandler }))
  return router
}
