import { Router, type Request, type Response } from 'express'
import type { SiteContext } from '../context.ts'
import { prefixes, viewerFrom } from '../feeds/viewer.ts'
import { createClientLimit } from '../server/client-limit.ts'
import { TooManyRequests } from '../server/errors.ts'
import { allowForms } from '../server/security-headers.ts'
import { queryOf } from '../server/urls.ts'
import { createLinkChoices, type InvalidChoice } from './choice-routes.ts'
import { createEmbedSection } from './embed-section.ts'
import { combinedForReaders, createFeedsPage } from './feeds-page.ts'
import { revalidate } from './page-handler.ts'
import { linksOf } from './page-routes.ts'
import { createHomePage } from './home-page.ts'

/** Burst and refill interval for option combinations, per client. */
const compositions = { maxConcurrent: 60, oneMoreMs: 1_000 }

/** Host names that refer to the local machine, which other devices cannot reach. */
const loopback = /^(?:localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0|\[::\])$/

/** Serves the home page and the page with all feeds, publicly and under feed links. */
export function homeRoutes(context: SiteContext): Router {
  const { site, catalog, isOffered, render, pagePublishing, clock } = context
  const homePage = createHomePage(context)
  const linkChoices = createLinkChoices(context, homePage)
  const feedsPage = createFeedsPage(context)
  const limit = createClientLimit(clock, compositions)
  const embedSection = createEmbedSection(context)
  const isLocal = loopback.test(new URL(site.publicUrl).hostname)
  const router = Router({ caseSensitive: true, strict: true })

  function limitComposing(client: string): void {
    const waitMs = limit.take(client)
    if (waitMs !== undefined) throw new TooManyRequests('too many variants', waitMs)
  }

  /** Returns what both pages need. */
  function startPage(request: Request, response: Response) {
    const viewer = viewerFrom(response, 'overview')
    const { link, base } = viewer
    revalidate(response)
    // With no-referrer, browsers would send the form with `Origin: null`.
    if (link) response.set('Referrer-Policy', 'same-origin')
    const readable = viewer.feeds.filter(isOffered)
    const alternates = readable.flatMap((feed) => linksOf(feed, base))
    return { viewer, query: queryOf(request.originalUrl), readable, alternates }
  }

  async function showHome(
    request: Request,
    response: Response,
    invalid?: InvalidChoice,
  ): Promise<void> {
    const { viewer, query, readable, alternates } = startPage(request, response)
    const { link } = viewer
    // Addresses from when this page had all feeds.
    if (query.has('feed') || query.has('check'))
      return response.redirect(301, `feeds?${query.toString()}`)
    if (query.has('show')) limitComposing(request.ip ?? '')
    const { fault = invalid?.faults.join(' '), ...content } = await homePage.contentFor(
      viewer,
      query,
    )
    const isSaved = !invalid && query.has('saved')
    const shown = { viewer, readable, ...content, fault, isSaved, alternates, isLocal }
    const html = render('home', shown)
    await pagePublishing.send(request, response, html, { route: request.route.path, link })
  }

  async function showFeeds(
    request: Request,
    response: Response,
    invalid?: InvalidChoice,
  ): Promise<void> {
    const { viewer, query, readable, alternates } = startPage(request, response)
    const { link } = viewer
    if (query.has('feed')) limitComposing(request.ip ?? '')
    const sections = await feedsPage.sectionsFor(viewer, query)
    const combined = combinedForReaders(catalog.combinedFeeds, readable, link !== undefined)
    const choice = linkChoices.sectionFor(viewer, query, invalid)
    const doctor = await context.doctor.sectionFor(viewer, query)
    const website = embedSection(viewer, query)
    const shown = { viewer, sections, combined, choice, alternates, isLocal, doctor, website }
    const html = render('feeds', shown)
    await pagePublishing.send(request, response, html, { route: request.route.path, link })
  }

  router.use(linkChoices.router({ showHome, showFeeds }))
  for (const prefix of prefixes) {
    router.get(`${prefix}/`, allowForms, (request, response) => showHome(request, response))
    router.get(`${prefix}/feeds`, allowForms, (request, response) => showFeeds(request, response))
  }
  return router
}
