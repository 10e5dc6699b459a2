import { resolve } from 'node:path'
import { Eta } from 'eta'
import { Router } from 'express'
import type { Clock } from '../clock.ts'
import type { Collections } from '../collections/collections.ts'
import { feedList } from '../feeds/feed-list.ts'
import { feedUrl, publicItemUrl, type Feed, type FeedPart, type Site } from '../feeds/feed.ts'
import { PrivateFeed } from './private-feed.ts'

const templates = resolve(import.meta.dirname, '../../templates')

/** The subscribe page, the list of feeds for readers, the pages of items, and their stylesheet. */
export function pageRoutes(options: {
  readonly site: Site
  readonly feeds: readonly Feed[]
  readonly publicFeeds: readonly Feed[]
  readonly collections: Collections
  readonly clock: Pick<Clock, 'now'>
}): Router {
  const { site, publicFeeds, collections, clock } = options
  const eta = new Eta({ views: templates, autoTrim: false })
  const router = Router({ caseSensitive: true, strict: true })

  const partsKnown = new WeakMap<readonly object[], Map<string, readonly FeedPart[]>>()

  /** Of the same records the parts are the same. */
  function partsOf(feed: Feed): readonly FeedPart[] {
    const { records } = collections.copyOf(feed.resource) ?? { records: [] }
    const known = partsKnown.get(records) ?? new Map<string, readonly FeedPart[]>()
    const parts = known.get(feed.id) ?? feed.parts(records)
    partsKnown.set(records, known.set(feed.id, parts))
    return parts
  }

  router.get('/', (_request, response) => {
    const feeds = publicFeeds.map((feed) => ({
      ...feed,
      links: linksOf(feed, site),
      parts: partsOf(feed).map(({ name, query }) => ({ name, links: linksOf(feed, site, query) })),
    }))
    response.send(eta.render('./subscribe', { site, feeds }))
  })

  for (const feed of options.feeds) {
    router.get(`/${feed.id}/:id`, async (request, response, next) => {
      if (!publicFeeds.includes(feed)) throw new PrivateFeed(feed.title)
      const { id } = request.params
      if (!/^[1-9]\d{0,14}$/.test(id)) return next()
      const collection = await collections.read(feed.resource)
      const page = feed.page(collection, Number(id), { site, now: clock.now() })
      if (!page) return next()
      const url = publicItemUrl(feed.id, Number(id), site)
      response.send(eta.render('./item', { site, feed, page, url, links: linksOf(feed, site) }))
    })
  }

  router.get('/feeds.opml', (_request, response, next) => {
    if (!publicFeeds.some(({ formats }) => formats.includes('rss'))) return next()
    response.type('text/x-opml').send(feedList(publicFeeds, site))
  })

  router.get('/assets/style.css', (_request, response) => {
    response.sendFile('style.css', { root: templates, maxAge: '5m' })
  })

  return router
}

function linksOf(feed: Feed, site: Site, query = '') {
  return feed.formats.map((format) => ({ format, url: feedUrl(feed, format, site, query) }))
}
