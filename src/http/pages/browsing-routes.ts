import { Router } from 'express'
import type { Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import { urlWarning } from '../../links/url-warning.ts'
import { siteDateAt } from '../../records/site-time.ts'
import type { SiteContext } from '../context.ts'
import { agendaPages, staticMonths } from './agenda-pages.ts'
import { freeDaysPages } from './free-days-page.ts'
import { itemPages } from './item-pages.ts'
import { createItemPictures } from './item-pictures.ts'
import { pageMessages } from './messages.ts'
import { hasArchive, newsPages } from './news-page.ts'
import { pageRouter, type Page } from './page-handler.ts'
import { searchPage } from './search-page.ts'
import { qrCodeOf } from './qr-code.ts'

/** Returns the paths of the pages on a static host, except for item pages. */
export function browsingPaths(feeds: readonly Feed[], { timeZone }: Site, now: number) {
  const months = staticMonths(siteDateAt(now, timeZone)).map((month) => `/month/${month}`)
  const hasCalendar = feeds.some(({ formats }) => formats.includes('ics'))
  return [
    ...(hasCalendar ? ['/agenda', ...months] : []),
    ...feeds.filter(hasArchive).map(({ id }) => `/${id}`),
    ...feeds.flatMap(({ id, boardRole }) => (boardRole === 'bookings' ? [`/${id}/free`] : [])),
  ]
}

/** Serves the pages that show the feeds' content, both publicly and under feed links. */
export function browsingRoutes(context: SiteContext): Router {
  const itemPictures = createItemPictures(context)
  const router = Router({ caseSensitive: true, strict: true })
  router.use(itemPictures.router)
  router.use(
    pageRouter(context, (translated) => [
      ...agendaPages(translated),
      ...freeDaysPages(translated),
      ...newsPages(translated),
      searchPage(translated),
      ...itemPages(translated, itemPictures),
      posterPage(translated),
    ]),
  )
  return router
}

/** Returns `/poster`. Feed links have no poster, because their URLs are secret. */
function posterPage({ site, isOffered }: SiteContext): Page {
  const url = `${site.publicUrl}/`
  return {
    path: '/poster',
    prefixes: [''],
    async show({ viewer, render }) {
      const offered = viewer.feeds.filter(isOffered)
      if (offered.length === 0) return undefined
      return render('poster', {
        titles: offered.map(({ textIn }) => textIn(site.language).title),
        hasCalendar: offered.some(({ formats }) => formats.includes('ics')),
        address: url.replace(/^https?:\/\/|\/$/g, ''),
        qrCode: await qrCodeOf(url),
        warning: urlWarning(site.publicUrl, pageMessages(site.language).doctor.warnings),
      })
    },
  }
}
