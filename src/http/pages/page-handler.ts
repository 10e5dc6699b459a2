import type { Request, RequestHandler, Response } from 'express'
import type { SiteContext } from '../context.ts'
import { viewerFrom, type Viewer } from '../feeds/viewer.ts'
import { TooManyRequests } from '../server/errors.ts'
import { queryOf } from '../server/urls.ts'

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

/**
 * Returns a handler that sends a page, for the public and for feed links, and lets the front keep it. A
 * paused link has its notice instead, and an ended link nothing.
 */
export function pageHandler(
  { pageLimit, sendPage, clock }: SiteContext,
  show: ShowPage,
  {
    parameters = [],
    isAllowed,
  }: {
    /** URL parameters that the page reads. With others, it is not kept. */
    readonly parameters?: readonly string[]
    /** Called before the page is rendered. See `isAllowed` of `Page`. */
    readonly isAllowed?: (request: Request) => () => boolean
  } = {},
): RequestHandler {
  return async (request, response, next) => {
    const viewer = viewerFrom(response)
    const query = queryOf(request.originalUrl)
    const isVariant = [...query.keys()].some((name) => !parameters.includes(name))
    const waitMs = isVariant ? pageLimit.take(request.ip ?? '') : undefined
    if (waitMs !== undefined) throw new TooManyRequests('too many variants', waitMs)
    const isStillAllowed = isAllowed?.(request)
    const body = await show({ request, response, viewer, query, now: clock.now() })
    if (body === undefined) return next()
    revalidate(response)
    await sendPage(request, response, body, {
      route: request.route.path,
      link: viewer.link,
      parameters,
      isAllowed: isStillAllowed,
    })
  }
}

/** Makes browsers revalidate a cached page on each request. */
export function revalidate(response: Response): void {
  if (!response.hasHeader('Cache-Control')) response.set('Cache-Control', 'no-cache')
}
