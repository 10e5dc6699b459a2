import type { Request, RequestHandler, Response } from 'express'
import { isCalendar, type Feed } from '../feeds/feed.ts'
import type { ItemPage } from '../feeds/item-page.ts'
import { languageParameter } from '../feeds/feed-options.ts'
import { contextIn, siteOf, type SiteContext } from './context.ts'
import { isForMember, viewerFrom, type Viewer } from './viewer.ts'
import { siteDateAt, type SiteDate } from '../records/site-time.ts'
import type { RouteKind } from './errors.ts'
import { allowForms } from './security-headers.ts'
import { routeOf } from './route.ts'
import { queryOf } from './urls.ts'
import type { RenderPage } from './templates.ts'
import { pageMessages } from './messages.ts'
import {
  languageForMessages,
  languageLinks,
  readLanguage,
  type PageAddress,
} from './translation.ts'
import { documentFeeds } from './archives.ts'

export type PageRequest = {
  /** In the language of the page. */
  readonly context: SiteContext
  readonly request: Request
  readonly response: Response
  readonly viewer: Viewer
  /** The feeds that both the viewer and the API Project may read. */
  readonly offered: readonly Feed[]
  readonly query: URLSearchParams
  readonly now: number
  readonly today: SiteDate
  readonly render: RenderPage
}

export type ItemRequest = PageRequest & {
  readonly feed: Feed
  readonly id: number
  readonly url: string
  readonly page: ItemPage
}

/** Returns a page's body, or undefined if there is no such page, or if a redirect has been sent. */
export type ShowPage = (request: PageRequest) => Promise<string | Buffer | undefined>

export type Page = {
  readonly show: ShowPage
  /** Handlers that set headers. By default, the page may have forms and scripts. */
  readonly headers?: readonly RequestHandler[]
  /** Response under a paused or ended link. */
  readonly kind?: RouteKind
  /** URL parameters that the page reads, except `lang`. With any others, the page is not cached. */
  readonly parameters?: readonly string[] | ((request: PageRequest) => readonly string[])
  /** True if the parameter `lang` is also an option of the page, which can be any language. */
  readonly hasOwnLanguage?: boolean
  /** True if requests for the page below a link count as uses of the link. */
  readonly countsAsUse?: boolean
  /** Called before the page is rendered. See `isAllowed` of `Page` in `site-cache.ts`. */
  readonly isAllowed?: (request: PageRequest) => () => boolean
}

/** Throws `BadOption` for an unknown language. Responses to GETs link to their translations. */
export function pageRequest(
  request: Request,
  response: Response,
  { kind, hasOwnLanguage = false }: Partial<Page> = {},
): PageRequest {
  const original = siteOf(response)
  const reader = viewerFrom(response, kind)
  const query = queryOf(request.originalUrl)
  const language = hasOwnLanguage
    ? languageForMessages(request.originalUrl, original.site)
    : readLanguage(query, original.site)
  const context = contextIn(original, language)
  const { site, isOffered, clock } = context
  // On a static host, each translation has its own URL.
  const viewer = site.isStatic ? { ...reader, base: site.publicUrl } : reader
  const isTranslated = request.method !== 'POST'
  const now = clock.now()
  return {
    context,
    request,
    response,
    viewer,
    offered: viewer.feeds.filter(isOffered),
    query,
    now,
    today: siteDateAt(now, site.timeZone),
    render: renderFor(context, viewer, isTranslated ? { path: request.path, query } : undefined),
  }
}

/** Returns a function that renders a page. With an address, the page links to its translations. */
export function renderFor(context: SiteContext, viewer: Viewer, address?: PageAddress): RenderPage {
  const { site } = context
  const always = {
    navigation: navigationFor(context, viewer),
    hasSearch: hasSearch(context, viewer),
    isPrivatePage: viewer.link !== undefined,
    languageLinks: address ? languageLinks(address, site) : [],
  }
  return (template, shown) => context.render(template, { ...shown, ...always })
}

export function feedIn({ context, request }: PageRequest): Feed | undefined {
  return context.catalog.feeds.find(({ id }) => id === request.params['name'])
}

/** Serves a page, and lets the front cache it. */
export function servePage(page: Page): RequestHandler {
  const { headers = [allowForms], parameters: read = [], countsAsUse = false } = page
  return async (request, response, next) => {
    const { pageLimit, sendPage } = siteOf(response)
    for (const setHeaders of headers) setHeaders(request, response, () => undefined)
    const shown = pageRequest(request, response, page)
    const own = typeof read === 'function' ? read(shown) : read
    const parameters = [...own, languageParameter]
    const isVariant = [...shown.query.keys()].some((name) => !parameters.includes(name))
    if (isVariant) pageLimit(request.ip ?? '')
    const isAllowed = page.isAllowed?.(shown)
    const body = await page.show(shown)
    if (response.headersSent) return
    if (body === undefined) return next()
    const { link } = shown.viewer
    await sendPage(request, response, body, {
      route: routeOf(response),
      link,
      parameters,
      isAllowed,
      countsAsUse,
    })
  }
}

/** Returns true if a viewer has anything to search. A static host has no pages for searches. */
export function hasSearch({ site }: SiteContext, viewer: Viewer): boolean {
  return site.isStatic !== true && (viewer.feeds.length > 0 || viewer.hasMembers)
}

const linked = (tab: string, label: string, icon: string, path: string) => {
  return { tab, label, icon, path }
}

/** Returns the pages that every page links to, with their paths relative to the home page. */
export function navigationFor(
  {
    isOffered,
    site,
  }: Pick<SiteContext, 'isOffered'> & { readonly site: { readonly language: string } },
  viewer: Viewer,
) {
  const messages = pageMessages(site.language).navigation
  const feeds = viewer.feeds.filter(isOffered)
  const hasCalendar = feeds.some(isCalendar)
  const hasNews = feeds.some(({ boardRole }) => boardRole === 'story')
  const documents = feeds.find(({ id }) => documentFeeds.includes(id))
  const pages = [
    hasCalendar && linked('calendar', messages.calendar, 'calendar', 'agenda'),
    hasNews && linked('news', messages.news, 'news', 'news'),
    documents && linked('documents', messages.documents, 'file', documents.id),
    viewer.hasMembers && linked('members', messages.members, 'people', 'members'),
  ].filter((each) => typeof each === 'object')
  if (pages.length === 0) return []
  const [label, icon] = isForMember(viewer.link)
    ? [messages.mine, 'person']
    : [messages.follow, 'bell']
  return [linked('home', label, icon, ''), ...pages]
}
