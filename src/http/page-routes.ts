import { resolve } from 'node:path'
import { Eta } from 'eta'
import { Router } from 'express'
import { DateTime } from 'luxon'
import type { Clock } from '../clock.ts'
import type { Collections } from '../collections/collections.ts'
import { feedUrl, newsItems, type Feed, type Site } from '../feeds.ts'
import { PrivateFeed } from './private-feed.ts'

const templates = resolve(import.meta.dirname, '../../templates')

/** The subscribe page, the page of a news story, and their stylesheet. */
export function pageRoutes(options: {
  readonly site: Site
  readonly publicFeeds: readonly Feed[]
  readonly collections: Collections
  readonly clock: Pick<Clock, 'now'>
}): Router {
  const { site, publicFeeds, collections, clock } = options
  const eta = new Eta({ views: templates, autoTrim: false })
  const router = Router({ caseSensitive: true, strict: true })

  router.get('/', (_request, response) => {
    const feeds = publicFeeds.map((feed) => ({
      ...feed,
      links: feed.formats.map((format) => ({ format, url: feedUrl(feed, format, site) })),
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

  router.get('/assets/style.css', (_request, response) => {
    response.sendFile('style.css', { root: templates, maxAge: '5m' })
  })

  return router
}
