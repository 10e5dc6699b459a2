import { resolve } from 'node:path'
import { Eta } from 'eta'
import { Router } from 'express'
import { DateTime } from 'luxon'
import type { Clock } from '../clock.ts'
import type { Collections } from '../collections/collections.ts'
import { feedList } from '../feeds/feed-list.ts'
import { feedUrl, type Feed, type Site } from '../feeds/feed.ts'
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

  const partsOf = (feed: Feed) => feed.parts(collections.copyOf(feed.resource)?.records ?? [])

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
      const collection = await collections.read(feed.resource)
      const isAsked = ({ id }: { readonly id: number }) => String(id) === request.params['id']
      const record = collection.records.find(isAsked)
      const entry = record && feed.calendar?.page(record, site)
      if (entry) return response.send(eta.render('./entry', { site, page: entry }))
      const items = feed.itemsAt?.(
        { ...collection, records: record ? [record] : [] },
        clock.now(),
        site,
      )
      const [item] = items ?? []
      if (!item) return next()
      const date = DateTime.fromMillis(item.publishedAt, { zone: site.timeZone, locale: 'en' })
      response.send(eta.render('./item', { site, item, date }))
    })
  }

  router.get('/feeds.opml', (_request, response) => {
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
