import type { Request, RequestHandler, Response } from 'express'
import type { TimeSource } from '../../clock.ts'
import type { Site } from '../../feeds/site.ts'
import { stateOf } from '../../links/feed-link.ts'
import { viewerFrom, type Viewer } from '../feeds/viewer.ts'
import type { PagePublishing } from '../front/page-publishing.ts'
import { createClientLimit } from '../server/client-limit.ts'
import { TooManyRequests } from '../server/errors.ts'
import { queryOf } from '../server/urls.ts'
import type { RenderPage } from '../templates.ts'
import { revalidate, sendLinkNotice } from './page-routes.ts'

/** Burst and refill interval for pages with URL parameters that are not published, per client. */
const variants = { maxConcurrent: 60, oneMoreMs: 1_000 }

/** What a page may depend on. */
export type PageRequest = {
  readonly request: Request
  readonly response: Response
  readonly viewer: Viewer
  readonly query: URLSearchParams
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Returns a page's body, or undefined if there is no such page. */
export type ShowPage = (request: PageRequest) => Promise<string | undefined>

/** Turns functions that render pages into handlers, for the public and for feed links. */
export type PageHandler = (
  show: ShowPage,
  options?: {
    /** URL parameters that the page reads, if it is published with them. */
    readonly parameters?: readonly string[]
    /** Called before the page is rendered. See `isAllowed` of a published page. */
    readonly isAllowed?: (request: Request) => () => boolean
  },
) => RequestHandler

/**
 * Creates handlers that publish pages. Under a paused link they show its notice, and under an ended link
 * nothing.
 */
export function createPageHandler(options: {
  readonly site: Site
  readonly render: RenderPage
  readonly pagePublishing: PagePublishing
  readonly clock: TimeSource
}): PageHandler {
  const { site, render, pagePublishing, clock } = options
  const limit = createClientLimit(clock, variants)

  return (show, { parameters = [], isAllowed } = {}) =>
    async (request, response, next) => {
      const viewer = viewerFrom(response)
      const { link } = viewer
      const now = clock.now()
      if (link && now >= link.servesUntil) {
        if (stateOf(link.link, now) !== 'paused') return next()
        return sendLinkNotice(response, link, { site, now, render })
      }
      const query = queryOf(request.originalUrl)
      const isVariant = [...query.keys()].some((name) => !parameters.includes(name))
      const waitMs = isVariant ? limit.take(request.ip ?? '') : undefined
      if (waitMs !== undefined) throw new TooManyRequests('too many variants', waitMs)
      const isStillAllowed = isAllowed?.(request)
      const body = await show({ request, response, viewer, query, now })
      if (body === undefined) return next()
      revalidate(response)
      await pagePublishing.send(request, response, body, {
        route: request.route.path,
        link,
        parameters,
        isAllowed: isStillAllowed,
      })
    }
}
