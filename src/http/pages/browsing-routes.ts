import { Router } from 'express'
import type { TimeSource } from '../../clock.ts'
import type { Collections } from '../../collections/collections.ts'
import type { Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import { siteDateAt } from '../../records/site-time.ts'
import type { FeedOverviews } from '../../representations/feed-overviews.ts'
import type { ItemPages } from '../../representations/item-pages.ts'
import type { BoardPictures } from '../board/board-pictures.ts'
import type { RenderPage } from '../templates.ts'
import { agendaRoutes, staticMonths } from './agenda-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { freeDaysRoutes } from './free-days-routes.ts'
import type { GonePage } from './gone-page.ts'
import { newsRoutes } from './news-routes.ts'
import type { PageHandler } from './page-handler.ts'

/** Returns the paths of the pages that a static host has, besides those of items. */
export function browsingPaths(
  feeds: readonly Feed[],
  { timeZone }: Pick<Site, 'timeZone'>,
  now: number,
): readonly string[] {
  const today = siteDateAt(now, timeZone)
  const hasCalendar = feeds.some(({ formats }) => formats.includes('ics'))
  return [
    ...(hasCalendar ? ['/agenda', ...staticMonths(today).map((month) => `/month/${month}`)] : []),
    ...(feeds.some(({ boardRole }) => boardRole === 'story') ? ['/news'] : []),
    ...feeds.flatMap(({ id, boardRole }) => (boardRole === 'bookings' ? [`/${id}/free`] : [])),
  ]
}

/** Serves the pages on which people read what the feeds contain, publicly and under feed links. */
export function browsingRoutes(options: {
  readonly site: Site
  readonly feeds: readonly Feed[]
  readonly collections: Pick<Collections, 'read' | 'isSwitchedOff' | 'copyOf'>
  readonly itemPages: ItemPages
  readonly overviews: FeedOverviews
  readonly gonePage: GonePage
  readonly pictures: Pick<BoardPictures, 'hosted'>
  readonly render: RenderPage
  readonly pageHandler: PageHandler
  readonly clock: TimeSource
}): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.use(agendaRoutes(options))
  router.use(freeDaysRoutes(options))
  router.use(newsRoutes(options))
  router.use(eventRoutes(options))
  return router
}
