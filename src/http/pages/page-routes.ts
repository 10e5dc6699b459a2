import { Router, type RequestHandler, type Response } from 'express'
import type { TimeSource } from '../../clock.ts'
import type { Collections } from '../../collections/collections.ts'
import type { CombinedFeed } from '../../feeds/combined-feed.ts'
import { feedList } from '../../feeds/feed-list.ts'
import { feedUrl, publicItemUrl, type Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import { linkNotice } from '../../feeds/link-notice.ts'
import { stateOf } from '../../links/feed-link.ts'
import type { LinkEntry } from '../../links/link-registry.ts'
import type { ItemPages } from '../../representations/item-pages.ts'
import { linkPrefix, noteUse, prefixes, viewerFrom } from '../feeds/viewer.ts'
import type { ItemPictures } from './item-pictures.ts'
import { PrivateFeed } from '../server/errors.ts'
import { combinedForReaders } from './feeds-page.ts'
import type { GonePage } from './gone-page.ts'
import type { PagePublishing } from '../front/page-publishing.ts'
import type { RenderPage } from '../templates.ts'

/** Serves the OPML list of feeds and item pages, publicly and under feed links. */
export function pageRoutes(options: {
  readonly site: Site
  readonly feeds: readonly Feed[]
  readonly combinedFeeds: readonly CombinedFeed[]
  readonly collections: Pick<Collections, 'isSwitchedOff' | 'copyOf'>
  readonly itemPages: Pick<ItemPages, 'read'>
  readonly gonePage: GonePage
  readonly itemPictures: Pick<ItemPictures, 'hosted'>
  readonly render: RenderPage
  readonly pagePublishing: PagePublishing
  readonly clock: TimeSource
}): Router {
  const { site, feeds, combinedFeeds, collections, itemPages, itemPictures } = options
  const { gonePage, render, pagePublishing, clock } = options
  const router = Router({ caseSensitive: true, strict: true })

  /** Entries of calendars have their own kind of page. */
  const articles = feeds.filter(({ formats }) => !formats.includes('ics'))

  const isOffered = ({ resource }: Feed) => !collections.isSwitchedOff(resource)

  const showItem =
    (feed: Feed): RequestHandler =>
    async (request, response, next) => {
      const { base, profile, feeds: readable, link } = viewerFrom(response)
      if (!readable.includes(feed)) throw new PrivateFeed(feed, { hasLink: !!link })
      const now = clock.now()
      const id = readId(request.params['id'])
      if (id === undefined) return next()
      if (link && now >= link.servesUntil) {
        const isPaused = stateOf(link.link, now) === 'paused'
        return isPaused ? sendLinkNotice(response, link, { site, now, render }) : next()
      }
      const url = link ? `${base}/${feed.id}/${id}` : publicItemUrl(feed.id, id, site)
      const isAllowed = recordIsUnchanged(collections, feed, id)
      const item = await itemPages.read(feed, { id, url }, profile)
      if (!item) {
        const gone = await gonePage(feed, id, response)
        return gone === undefined ? next() : void response.send(gone)
      }
      const contentHtml = await itemPictures.hosted(item.contentHtml, feed, id)
      const page = { ...item, contentHtml }
      revalidate(response)
      const alternates = linksOf(feed, base)
      const hasArchive = feed.boardRole === 'story'
      const html = render('item', {
        page,
        url,
        alternates,
        hasArchive,
        isPrivate: link !== undefined,
      })
      const route = request.route.path
      await pagePublishing.send(request, response, html, { route, link, isAllowed })
    }

  const sendList: RequestHandler = ({ headers }, response, next) => {
    const { base, feeds: given, link } = viewerFrom(response)
    const readable = given.filter(isOffered)
    const now = clock.now()
    const isOver = link && now >= link.servesUntil
    if (isOver || !readable.some(({ formats }) => formats.includes('rss'))) return next()
    if (link) noteUse(link, now, headers['user-agent'])
    const listed = [...readable, ...combinedForReaders(combinedFeeds, readable, link !== undefined)]
    response.type('text/x-opml').send(feedList(listed, base, site))
  }

  router.get(linkPrefix, ({ originalUrl }, response) => {
    const [path = '', query] = originalUrl.split('?')
    const page = `${path.slice(path.lastIndexOf('/') + 1)}/`
    response.redirect(301, query === undefined ? page : `${page}?${query}`)
  })
  for (const prefix of prefixes) {
    router.get(`${prefix}/feeds.opml`, sendList)
    for (const feed of articles) router.get(`${prefix}/${feed.id}/:id`, showItem(feed))
  }
  return router
}

/** Reads the id of a record in a URL. */
export function readId(text: unknown): number | undefined {
  return typeof text === 'string' && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

/** Returns a check that is true until the record changes or is removed. */
export function recordIsUnchanged(
  collections: Pick<Collections, 'copyOf'>,
  { resource }: Feed,
  id: number | undefined,
): () => boolean {
  const revisionOf = () => id && collections.copyOf(resource)?.ledger.get(id)?.revision
  const revision = revisionOf()
  return () => revisionOf() === revision
}

/** Shows why a link does not serve feeds. */
export function sendLinkNotice(
  response: Response,
  { link }: LinkEntry,
  { site, now, render }: { readonly site: Site; readonly now: number; readonly render: RenderPage },
): void {
  const isGone = stateOf(link, now) === 'gone'
  const notice = linkNotice(link, site, now)
  response.status(isGone ? 410 : 200).send(render('link-notice', { notice }))
}

/** Makes browsers revalidate a cached page on each request. */
export function revalidate(response: Response): void {
  if (!response.hasHeader('Cache-Control')) response.set('Cache-Control', 'no-cache')
}

/** Returns the addresses of a feed that the head of a page lists. */
export function linksOf(feed: Feed, base: string) {
  return feed.formats.map((format) => ({
    format,
    title: feed.title,
    url: feedUrl(base, feed, format),
  }))
}
