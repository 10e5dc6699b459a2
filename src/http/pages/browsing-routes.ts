import { Router } from 'express'
import type { Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import { siteDateAt } from '../../records/site-time.ts'
import type { SiteContext } from '../context.ts'
import { agendaRoutes, staticMonths } from './agenda-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { freeDaysRoutes } from './free-days-routes.ts'
import { newsRoutes } from './news-routes.ts'

/** Returns the paths of the pages that a static host has, besides those of items. */
export function browsingPaths(
  feeds: readonly Feed[],
  { timeZone }: Site,
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
export function browsingRoutes(context: SiteContext): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.use(agendaRoutes(context))
  router.use(freeDaysRoutes(context))
  router.use(newsRoutes(context))
  router.use(eventRoutes(context))
  return router
}
