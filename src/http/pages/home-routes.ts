import { Router, type Request, type Response } from 'express'
import type { Clock } from '../../clock.ts'
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
import { combinedForReaders, type FeedsPage } from './feeds-page.ts'
import { linksOf, revalidate, sendLinkNotice } from './page-routes.ts'
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
  readonly feedsPage: FeedsPage
  readonly doctor: Pick<SubscriptionDoctor, 'sectionFor'>
  readonly linkChoices: LinkChoices
  readonly render: RenderPage
  readonly pagePublishing: PagePublishing
  readonly clock: Pick<Clock, 'now'>
}): Router {
  const { site, combinedFeeds, collections, feedsPage, linkChoices } = options
  const { render, pagePublishing, clock } = options
  const limit = createClientLimit(clock, compositions)
  const isLocal = loopback.test(new URL(site.publicUrl).hostname)
  const router = Router({ caseSensitive: true, strict: true })

  function limitComposing(client: string): void {
    const waitMs = limit.take(client)
    if (waitMs !== undefined) throw new TooManyRequests('too many variants', waitMs)
  }

  const isOffered = ({ resource }: Feed) => !collections.isSwitchedOff(resource)

  async function showFeeds(
    request: Request,
    response: Response,
    invalid?: InvalidChoice,
  ): Promise<void> {
    const { originalUrl, ip = '' } = request
    const viewer = viewerFrom(response)
    const { link, base } = viewer
    const now = clock.now()
    revalidate(response)
    if (link && now >= link.servesUntil)
      return sendLinkNotice(response, link, { site, now, render })
    const query = queryOf(originalUrl)
    if (query.has('feed')) limitComposing(ip)
    const sections = await feedsPage.sectionsFor(viewer, query)
    const readable = viewer.feeds.filter(isOffered)
    const alternates = readable.flatMap((feed) => linksOf(feed, base))
    const combined = combinedForReaders(combinedFeeds, readable, link !== undefined)
    const choice = linkChoices.sectionFor(viewer, query, invalid)
    // With no-referrer, browsers would send the form with `Origin: null`.
    if (link) response.set('Referrer-Policy', 'same-origin')
    const doctor = await options.doctor.sectionFor(viewer, query)
    const shown = { viewer, sections, combined, choice, alternates, isLocal, doctor }
    const html = render('feeds', shown)
    if (doctor?.isChecked === true) return void response.send(html)
    await pagePublishing.send(request, response, html, { route: request.route.path, link })
  }

  router.use(linkChoices.router(showFeeds))
  for (const prefix of prefixes) {
    for (const path of ['/', '/feeds']) {
      router.get(`${prefix}${path}`, allowForms, (request, response) =>
        showFeeds(request, response),
      )
    }
  }
  return router
}
