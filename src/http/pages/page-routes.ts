import { Router, type Request, type RequestHandler, type Response } from 'express'
import type { Clock } from '../../clock.ts'
import type { Collections } from '../../collections/collections.ts'
import type { CombinedFeed } from '../../feeds/combined-feed.ts'
import { noFeedOptions } from '../../feeds/feed-options.ts'
import { feedList } from '../../feeds/feed-list.ts'
import { feedUrl, publicItemUrl, type Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import { linkNotice } from '../../feeds/link-notice.ts'
import { stateOf } from '../../links/feed-link.ts'
import type { LinkEntry } from '../../links/link-registry.ts'
import type { ItemPages } from '../../representations/item-pages.ts'
import { linkPrefix, noteUse, prefixes, viewerFrom } from '../feeds/viewer.ts'
import { createClientLimit } from '../server/client-limit.ts'
import type { InvalidChoice, LinkChoices } from './choice-routes.ts'
import type { ItemPictures } from './item-pictures.ts'
import { PrivateFeed, TooManyRequests } from '../server/errors.ts'
import { queryOf } from '../server/urls.ts'
import { allowForms } from '../server/security-headers.ts'
import type { SubscribePage } from './subscribe-page.ts'
import type { SubscriptionDoctor } from './subscription-doctor.ts'
import type { PagePublishing } from '../front/page-publishing.ts'
import type { RenderPage } from '../templates.ts'

/** Burst and refill interval for option combinations, per client. */
const compositions = { maxConcurrent: 60, oneMoreMs: 1_000 }

/** Host names that refer to the local machine, which other devices cannot reach. */
const loopback = /^(?:localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0|\[::\])$/

/** Serves the subscribe page, the OPML list of feeds, and item pages, publicly and under feed links. */
export function pageRoutes(options: {
  readonly site: Site
  readonly feeds: readonly Feed[]
  readonly combinedFeeds: readonly CombinedFeed[]
  readonly collections: Pick<Collections, 'isSwitchedOff'>
  readonly itemPages: ItemPages
  readonly itemPictures: Pick<ItemPictures, 'hosted'>
  readonly subscribePage: SubscribePage
  readonly doctor: Pick<SubscriptionDoctor, 'sectionFor'>
  readonly linkChoices: LinkChoices
  readonly render: RenderPage
  readonly pagePublishing: PagePublishing
  readonly clock: Pick<Clock, 'now'>
}): Router {
  const { site, feeds, combinedFeeds, collections, itemPages, itemPictures } = options
  const { subscribePage, linkChoices, render, pagePublishing, clock } = options
  const limit = createClientLimit(clock, compositions)
  const isLocal = loopback.test(new URL(site.publicUrl).hostname)
  const router = Router({ caseSensitive: true, strict: true })

  function limitComposing(client: string): void {
    const waitMs = limit.take(client)
    if (waitMs !== undefined) throw new TooManyRequests('too many variants', waitMs)
  }

  /** Returns the combined feeds for feed readers that have something to combine. */
  const forReaders = (readable: readonly Feed[], hasLink: boolean) =>
    combinedFeeds.filter(
      (feed) =>
        (feed.isForEveryone || hasLink) &&
        // My feeds have their own section, and repeat items of the others in a list.
        !('savedQuery' in feed) &&
        feed.formats.includes('rss') &&
        feed.sourcesFrom(readable, 'rss', noFeedOptions(feed, 'rss')).length > 0,
    )

  const isOffered = ({ resource }: Feed) => !collections.isSwitchedOff(resource)

  /** Shows why a link does not serve feeds. */
  function showNotice(response: Response, { link }: LinkEntry): void {
    const now = clock.now()
    const isGone = stateOf(link, now) === 'gone'
    const notice = linkNotice(link, site, now)
    response.status(isGone ? 410 : 200).send(render('link-notice', { notice }))
  }

  async function showSubscribePage(
    request: Request,
    response: Response,
    invalid?: InvalidChoice,
  ): Promise<void> {
    const { originalUrl, ip = '' } = request
    const viewer = viewerFrom(response)
    const { link, base } = viewer
    const now = clock.now()
    revalidate(response)
    if (link && now >= link.servesUntil) return showNotice(response, link)
    const query = queryOf(originalUrl)
    if (query.has('feed')) limitComposing(ip)
    const sections = await subscribePage.sectionsFor(viewer, query)
    const readable = viewer.feeds.filter(isOffered)
    const alternates = readable.flatMap((feed) => linksOf(feed, base))
    const combined = forReaders(readable, viewer.link !== undefined)
    const choice = linkChoices.sectionFor(viewer, query, invalid)
    // With no-referrer, browsers would send the form with `Origin: null`.
    if (link) response.set('Referrer-Policy', 'same-origin')
    const doctor = await options.doctor.sectionFor(viewer, query)
    const shown = { viewer, sections, combined, choice, alternates, isLocal, doctor }
    const html = render('subscribe', shown)
    if (doctor?.isChecked === true) return void response.send(html)
    await pagePublishing.send(request, response, html, { route: request.route.path, link })
  }

  const showItem =
    (feed: Feed): RequestHandler =>
    async (request, response, next) => {
      const { base, profile, feeds: readable, link } = viewerFrom(response)
      if (!readable.includes(feed)) throw new PrivateFeed(feed.title, { hasLink: !!link })
      const now = clock.now()
      const id = readId(request.params['id'])
      if (id === undefined) return next()
      if (link && now >= link.servesUntil) {
        return stateOf(link.link, now) === 'paused' ? showNotice(response, link) : next()
      }
      const url = link ? `${base}/${feed.id}/${id}` : publicItemUrl(feed.id, id, site)
      const item = await itemPages.read(feed, { id, url }, profile)
      if (!item) return next()
      const contentHtml = await itemPictures.hosted(item.contentHtml, feed, id)
      const page = { ...item, contentHtml }
      revalidate(response)
      const alternates = linksOf(feed, base)
      const html = render('item', { page, url, alternates, isPrivate: link !== undefined })
      await pagePublishing.send(request, response, html, { route: request.route.path, link })
    }

  const sendList: RequestHandler = ({ headers }, response, next) => {
    const { base, feeds: given, link } = viewerFrom(response)
    const readable = given.filter(isOffered)
    const now = clock.now()
    const isOver = link && now >= link.servesUntil
    if (isOver || !readable.some(({ formats }) => formats.includes('rss'))) return next()
    if (link) noteUse(link, now, headers['user-agent'])
    const listed = [...readable, ...forReaders(readable, link !== undefined)]
    response.type('text/x-opml').send(feedList(listed, base, site))
  }

  router.get(linkPrefix, ({ originalUrl }, response) => {
    const [path = '', query] = originalUrl.split('?')
    const page = `${path.slice(path.lastIndexOf('/') + 1)}/`
    response.redirect(301, query === undefined ? page : `${page}?${query}`)
  })
  router.use(linkChoices.router(showSubscribePage))
  for (const prefix of prefixes) {
    router.get(`${prefix}/`, allowForms, (request, response) =>
      showSubscribePage(request, response),
    )
    router.get(`${prefix}/feeds.opml`, sendList)
    for (const feed of feeds) router.get(`${prefix}/${feed.id}/:id`, showItem(feed))
  }
  return router
}

function readId(text: unknown): number | undefined {
  return typeof text === 'string' && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

/** Makes browsers revalidate a cached page on each request. */
function revalidate(response: Response): void {
  if (!response.hasHeader('Cache-Control')) response.set('Cache-Control', 'no-cache')
}

function linksOf(feed: Feed, base: string) {
  return feed.formats.map((format) => ({
    format,
    title: feed.title,
    url: feedUrl(base, feed, format),
  }))
}
