import { Router, type RequestHandler } from 'express'
import type { Clock } from '../../clock.ts'
import { boardEntries } from '../../feeds/feed-overview.ts'
import type { Feed } from '../../feeds/feed.ts'
import { linkNotice } from '../../feeds/link-notice.ts'
import type { Site } from '../../feeds/site.ts'
import { stateOf } from '../../links/feed-link.ts'
import { readOptions, type OptionSet } from '../../options/option.ts'
import { oneOf, wholeNumber } from '../../options/value-types.ts'
import type { FeedOverviews } from '../../representations/feed-overviews.ts'
import { viewerFrom, prefixes } from '../feeds/viewer.ts'
import { BadOption, PrivateFeed } from '../server/errors.ts'
import { createListLimit, parametersOf, readListFilters } from '../feeds/list-filters.ts'
import { queryOf } from '../server/urls.ts'
import { allowFraming } from '../server/security-headers.ts'
import type { PagePublishing } from '../front/page-publishing.ts'
import type { RenderPage } from '../templates.ts'

type EmbedOptions = { readonly limit: number; readonly theme: 'auto' | 'light' | 'dark' }

const embedOptions: OptionSet<EmbedOptions> = {
  limit: { name: 'limit', type: wholeNumber(1, boardEntries), defaultValue: 5 },
  theme: { name: 'theme', type: oneOf(['auto', 'light', 'dark']), defaultValue: 'auto' },
}

/**
 * Serves `/embed/{feed}`, publicly and under feed links: a short list to embed in the organization's own
 * pages. Accepts feed options that select entries.
 */
export function embedRoutes(options: {
  readonly site: Site
  readonly feeds: readonly Feed[]
  readonly overviews: FeedOverviews
  readonly render: RenderPage
  readonly pagePublishing: PagePublishing
  readonly clock: Pick<Clock, 'now'>
}): Router {
  const { site, feeds, overviews, render, pagePublishing, clock } = options
  const limitLists = createListLimit(overviews, clock)
  const router = Router({ caseSensitive: true, strict: true })

  const showList =
    (feed: Feed): RequestHandler =>
    async (request, response, next) => {
      const { originalUrl, ip = '', route } = request
      const { base, profile, feeds: readable, link } = viewerFrom(response)
      if (!readable.includes(feed)) throw new PrivateFeed(feed.title, { hasLink: !!link })
      const now = clock.now()
      if (link && now >= link.servesUntil) {
        if (stateOf(link.link, now) !== 'paused') return next()
        const notice = linkNotice(link.link, site, now)
        return void response.send(render('link-notice', { notice }))
      }
      const query = queryOf(originalUrl)
      const reading = readOptions(embedOptions, query)
      if (!reading.ok) throw new BadOption(reading.reason)
      const { limit, theme } = reading.chosen.values
      const filters = readListFilters([feed], query, embedOptions)
      limitLists(ip, profile, filters)
      const { board } = await overviews.read(feed, profile, filters.get(feed))
      const entries = board.slice(0, limit)
      if (!response.hasHeader('Cache-Control')) response.set('Cache-Control', 'public, max-age=300')
      const html = render('embed', { feed, entries, base, theme })
      const parameters = parametersOf([feed], embedOptions)
      await pagePublishing.send(request, response, html, { route: route.path, link, parameters })
    }

  for (const prefix of prefixes) {
    for (const feed of feeds) router.get(`${prefix}/embed/${feed.id}`, allowFraming, showList(feed))
  }
  return router
}
