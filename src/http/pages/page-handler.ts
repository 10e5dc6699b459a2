import { Router, type Request, type RequestHandler, type Response } from 'express'
import { LRUCache } from 'lru-cache'
import type { SiteContext } from '../context.ts'
import { prefixes, viewerFrom, type Viewer } from '../feeds/viewer.ts'
import type { Site } from '../../feeds/site.ts'
import type { RouteKind } from '../responses/errors.ts'
import { allowForms } from '../responses/security-headers.ts'
import { queryOf } from '../server/urls.ts'
import type { RenderPage } from '../templates.ts'
import { pageMessages } from './messages.ts'
import { documentFeeds } from './news-page.ts'
import { isForMember } from './calendar-entries.ts'

export type PageRequest = {
  readonly request: Request
  readonly response: Response
  readonly viewer: Viewer
  readonly query: URLSearchParams
  readonly now: number
  readonly render: RenderPage
}

/** Returns a page's body, or undefined if there is no such page, or if a redirect has been sent. */
export type ShowPage = (request: PageRequest) => Promise<string | undefined>

export type Page = {
  /** Route pattern below each prefix. */
  readonly path: string
  readonly show: ShowPage
  /** By default, the page exists for the public and under feed links. */
  readonly prefixes?: readonly string[]
  /** Handlers that set headers. By default, the page may have forms and scripts. */
  readonly headers?: readonly RequestHandler[]
  /** Response under a paused or ended link. */
  readonly kind?: RouteKind
  /** URL parameters that the page reads. With any others, it is not cached. */
  readonly parameters?: readonly string[]
  /** Called before the page is rendered. See `isAllowed` of `Page` in `site-cache.ts`. */
  readonly isAllowed?: (request: Request) => () => boolean
}

type PageHandlers = ReadonlyMap<string, RequestHandler>

/**
 * Sites with the same pages share routers, because the layers of all routes take up a quarter of a
 * megabyte.
 */
const routers = new LRUCache<string, Router>({ max: 100, memoMethod: routerFor })

/** Serves pages, and lets the front cache them. */
export function pageRouter(context: SiteContext, pages: readonly Page[]): Router {
  const handlers: PageHandlers = new Map(
    pages.flatMap((page) => {
      const handler = pageHandler(context, page)
      return (page.prefixes ?? prefixes).map((prefix) => [`${prefix}${page.path}`, handler])
    }),
  )
  const router = Router()
  const setHandlers: RequestHandler = (_request, response, next) => {
    response.locals['pages'] = handlers
    next()
  }
  return router.use(setHandlers, routers.memo([...handlers.keys()].join(' ')))
}

function routerFor(patterns: string): Router {
  const router = Router({ caseSensitive: true, strict: true })
  for (const pattern of patterns.split(' ')) {
    router.get(pattern, (request, response, next) => {
      const handlers = response.locals['pages'] as PageHandlers
      return handlers.get(pattern)?.(request, response, next)
    })
  }
  return router
}

export function renderFor(context: SiteContext, viewer: Viewer): RenderPage {
  const always = {
    navigation: navigationFor(context, viewer),
    isPrivatePage: viewer.link !== undefined,
  }
  return (template, shown) => context.render(template, { ...shown, ...always })
}

function pageHandler(
  context: SiteContext,
  { show, kind, headers = [allowForms], parameters = [], isAllowed }: Page,
): RequestHandler {
  const { pageLimit, sendPage, clock } = context
  return async (request, response, next) => {
    for (const setHeaders of headers) setHeaders(request, response, () => undefined)
    const viewer = viewerFrom(response, kind)
    const query = queryOf(request.originalUrl)
    const isVariant = [...query.keys()].some((name) => !parameters.includes(name))
    if (isVariant) pageLimit(request.ip ?? '')
    const isStillAllowed = isAllowed?.(request)
    // Makes browsers revalidate cached pages and redirects on each request.
    if (!response.hasHeader('Cache-Control')) response.set('Cache-Control', 'no-cache')
    const render = renderFor(context, viewer)
    const body = await show({ request, response, viewer, query, now: clock.now(), render })
    if (response.headersSent) return
    if (body === undefined) return next()
    await sendPage(request, response, body, {
      route: request.route.path,
      link: viewer.link,
      parameters,
      isAllowed: isStillAllowed,
    })
  }
}

const linked = (tab: string, label: string, icon: string, path: string) => {
  return { tab, label, icon, path }
}

/** Returns the pages that every page links to, with their paths relative to the home page. */
export function navigationFor(
  { isOffered, site }: Pick<SiteContext, 'isOffered'> & { readonly site: Pick<Site, 'language'> },
  viewer: Viewer,
) {
  const messages = pageMessages(site.language).navigation
  const feeds = viewer.feeds.filter(isOffered)
  const hasCalendar = feeds.some(({ formats }) => formats.includes('ics'))
  const hasNews = feeds.some(({ boardRole }) => boardRole === 'story')
  const documents = feeds.find(({ id }) => documentFeeds.includes(id))
  const pages = [
    hasCalendar && linked('calendar', messages.calendar, 'calendar', 'agenda'),
    hasNews && linked('news', messages.news, 'news', 'news'),
    documents && linked('documents', messages.documents, 'file', documents.id),
    viewer.hasMembers && linked('members', messages.members, 'people', 'members'),
  ].filter((each) => typeof each === 'object')
  if (pages.length === 0) return []
  const [label, icon] = isForMember(viewer) ? [messages.mine, 'person'] : [messages.follow, 'bell']
  return [linked('home', label, icon, ''), ...pages]
}
