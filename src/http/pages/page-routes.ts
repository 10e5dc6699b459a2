import { Router, type Request, type RequestHandler } from 'express'
import { feedList } from '../../feeds/feed-list.ts'
import { feedUrl, publicItemUrl, type Feed } from '../../feeds/feed.ts'
import type { SiteContext } from '../context.ts'
import { linkPrefix, noteUse, prefixes, requireReadable, viewerFrom } from '../feeds/viewer.ts'
import { createItemPictures } from './item-pictures.ts'
import { combinedForReaders } from './feeds-page.ts'
import { gonePage } from './gone-page.ts'
import { pageHandler, type ShowPage } from './page-handler.ts'

/** Serves the OPML list of feeds and item pages, publicly and under feed links. */
export function pageRoutes(context: SiteContext): Router {
  const { site, catalog, isOffered, itemPages, render, clock } = context
  const router = Router({ caseSensitive: true, strict: true })
  const itemPictures = createItemPictures(context)

  /** Entries of calendars have their own kind of page. */
  const articles = catalog.feeds.filter(({ formats }) => !formats.includes('ics'))

  const showItem =
    (feed: Feed): ShowPage =>
    async ({ request, response, viewer }) => {
      requireReadable(feed, viewer)
      const { base, profile, link } = viewer
      const id = readId(request.params['id'])
      if (id === undefined) return undefined
      const url = link ? `${base}/${feed.id}/${id}` : publicItemUrl(feed.id, id, site)
      const item = await itemPages.read(feed, { id, url }, profile)
      if (!item) return gonePage(context, feed, id, response)
      const contentHtml = await itemPictures.hosted(item.contentHtml, feed, id)
      return render('item', {
        page: { ...item, contentHtml },
        url,
        alternates: linksOf(feed, base),
        hasArchive: feed.boardRole === 'story',
        isPrivate: link !== undefined,
      })
    }

  const sendList: RequestHandler = ({ headers }, response, next) => {
    const { base, feeds, link } = viewerFrom(response, 'list')
    const readable = feeds.filter(isOffered)
    if (!readable.some(({ formats }) => formats.includes('rss'))) return next()
    if (link) noteUse(link, clock.now(), headers['user-agent'])
    const combined = combinedForReaders(catalog.combinedFeeds, readable, link !== undefined)
    response.type('text/x-opml').send(feedList([...readable, ...combined], base, site))
  }

  router.use(itemPictures.router)
  router.get(linkPrefix, ({ originalUrl }, response) => {
    const [path = '', query] = originalUrl.split('?')
    const page = `${path.slice(path.lastIndexOf('/') + 1)}/`
    response.redirect(301, query === undefined ? page : `${page}?${query}`)
  })
  for (const prefix of prefixes) {
    router.get(`${prefix}/feeds.opml`, sendList)
    for (const feed of articles) {
      const isAllowed = ({ params }: Request) =>
        recordIsUnchanged(context, feed, readId(params['id']))
      const page = pageHandler(context, showItem(feed), { isAllowed })
      router.get(`${prefix}/${feed.id}/:id`, page)
    }
  }
  return router
}

/** Reads the id of a record in a URL. */
export function readId(text: unknown): number | undefined {
  return typeof text === 'string' && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

/** Returns a check that is true until the record changes or is removed. */
export function recordIsUnchanged(
  { collections }: SiteContext,
  { resource }: Feed,
  id: number | undefined,
): () => boolean {
  const revisionOf = () => id && collections.copyOf(resource)?.ledger.get(id)?.revision
  const revision = revisionOf()
  return () => revisionOf() === revision
}

/** Returns the addresses of a feed that the head of a page lists. */
export function linksOf(feed: Feed, base: string) {
  return feed.formats.map((format) => ({
    format,
    title: feed.title,
    url: feedUrl(base, feed, format),
  }))
}
