import { Router, type Request, type Response } from 'express'
import type { TimeSource } from '../../clock.ts'
import type { Collections } from '../../collections/collections.ts'
import type { CombinedFeed } from '../../feeds/combined-feed.ts'
import type { Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import type { PagePublishing } from '../front/page-publishing.ts'
import { prefixes, viewerFrom } from '../feeds/viewer.ts'
import { createClientLimit } from '../server/client-limit.ts'
import { TooManyRequests } from '../server/errors.ts'
import { allowForms } from '../server/security-headers.ts'
import { queryOf } from '../server/urls.ts'
import type { RenderPage } from '../templates.ts'
import type { InvalidChoice, LinkChoices } from './choice-routes.ts'
import { createEmbedSection } from './embed-section.ts'
import { combinedForReaders, type FeedsPage } from './feeds-page.ts'
import { linksOf, revalidate, sendLinkNotice } from './page-routes.ts'
import type { HomePage } from './home-page.ts'
import type { SubscriptionDoctor } from './subscription-doctor.ts'

/** Burst and refill interval for option combinations, per client. */
const compositions = { maxConcurrent: 60, oneMoreMs: 1_000 }

/** Host names that refer to the local machine, which other devices cannot reach. */
const loopback = /^(?:localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0|\[::\])$/

/** Serves the home page and the page with all feeds, publicly and under feed links. */
export function homeRoutes(options: {
  readonly site: Site
  readonly combinedFeeds: readonly CombinedFeed[]
  readonly collections: Pick<Collections, 'isSwitchedOff'>
  readonly homePage: HomePage
  readonly feedsPage: FeedsPage
  readonly doctor: Pick<SubscriptionDoctor, 'sectionFor'>
  readonly linkChoices: LinkChoices
  /** Returns the path of a style sheet, script or image. */
  readonly asset: (name: string) => string | undefined
  readonly render: RenderPage
  readonly pagePublishing: PagePublishing
  readonly clock: TimeSource
}): Router {
  const { site, combinedFeeds, collections, homePage, feedsPage, linkChoices } = options
  const { render, pagePublishing, clock } = options
  const limit = createClientLimit(clock, compositions)
  const embedSection = createEmbedSection(options)
  const isLocal = loopback.test(new URL(site.publicUrl).hostname)
  const router = Router({ caseSensitive: true, strict: true })

  function limitComposing(client: string): void {
    const waitMs = limit.take(client)
    if (waitMs !== undefined) throw new TooManyRequests('too many variants', waitMs)
  }

  const isOffered = ({ resource }: Feed) => !collections.isSwitchedOff(resource)

  /** Returns what both pages need; undefined after a notice that the link does not serve feeds. */
  function startPage(request: Request, response: Response) {
    const viewer = viewerFrom(response)
    const { link, base } = viewer
    const now = clock.now()
    revalidate(response)
    if (link && now >= link.servesUntil) {
      sendLinkNotice(response, link, { site, now, render })
      return undefined
    }
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
    const started = startPage(request, response)
    if (!started) return
    const { viewer, query, readable, alternates } = started
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
    const started = startPage(request, response)
    if (!started) return
    const { viewer, query, readable, alternates } = started
    const { link } = viewer
    if (query.has('feed')) limitComposing(request.ip ?? '')
    const sections = await feedsPage.sectionsFor(viewer, query)
    const combined = combinedForReaders(combinedFeeds, readable, link !== undefined)
    const choice = linkChoices.sectionFor(viewer, query, invalid)
    const doctor = await options.doctor.sectionFor(viewer, query)
    const website = embedSection(viewer, query)
    const shown = { viewer, sections, combined, choice, alternates, isLocal, doctor, website }
    const html = render('feeds', shown)
    if (doctor?.isChecked === true) return void response.send(html)
    await pagePublishing.send(request, response, html, { route: request.route.path, link })
  }

  router.use(linkChoices.router({ showHome, showFeeds }))
  for (const prefix of prefixes) {
    router.get(`${prefix}/`, allowForms, (request, response) => showHome(request, response))
    router.get(`${prefix}/feeds`, allowForms, (request, response) => showFeeds(request, response))
  }
  return router
}
