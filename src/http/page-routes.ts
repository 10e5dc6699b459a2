import { resolve } from 'node:path'
import { Eta } from 'eta'
import { Router } from 'express'
import { DateTime } from 'luxon'
import type { Clock } from '../clock.ts'
import type { Collections } from '../collections/collections.ts'
import { feedUrl, newsItems, type Feed, type Site } from '../feeds.ts'
import { PrivateFeed } from './private-feed.ts'

const templates = resolve(import.meta.dirname, '../../templates')

/** The subscribe page, the pages of items, and their stylesheet. */
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

  const partsOf = (feed: Feed) =>
    feed.calendar?.parts(collections.copyOf(feed.resource)?.records ?? []) ?? []

  router.get('/', (_request, response) => {
    const feeds = publicFeeds.map((feed) => ({
      ...feed,
      links: linksOf(feed, site),
      parts: partsOf(feed).map(({ name, query }) => ({ name, links: linksOf(feed, site, query) })),
    }))
    response.send(eta.render('./subscribe', { site, feeds }))
  })

  router.get('/news/:id', async (request, response, next) => {
    if (!publicFeeds.some((feed) => feed.id === 'news')) throw new PrivateFeed('News')
    const { records } = await collections.read('news')
    const stories = records.filter((story) => String(story.id) === request.params.id)
    const [item] = newsItems(stories, site)
    if (!item || item.publishedAt > clock.now()) return next()
    const date = DateTime.fromMillis(item.publishedAt, { zone: site.timeZone, locale: 'en' })
    response.send(eta.render('./news-story', { site, item, date }))
  })

  for (const feed of options.feeds) {
    const { calendar } = feed
    if (!calendar) continue
    router.get(`/${feed.id}/:id`, async (request, response, next) => {
      if (!publicFeeds.includes(feed)) throw new PrivateFeed(feed.title)
      const { records } = await collections.read(feed.resource)
      const record = records.find(({ id }) => String(id) === request.params['id'])
      const page = record && calendar.page(record, site)
      if (!page) return next()
      response.send(eta.render('./entry', { site, page }))
    })
  }

  router.get('/assets/style.css', (_request, response) => {
    response.sendFile('style.css', { root: templates, maxAge: '5m' })
  })

  return router
}

function linksOf(feed: Feed, site: Site, query = '') {
  return feed.formats.map((format) => ({ format, url: feedUrl(feed, format, site, query) }))
}
