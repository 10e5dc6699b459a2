import { isCalendar, type Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import { urlWarning } from '../../links/url-warning.ts'
import { siteDateAt } from '../../records/site-time.ts'
import type { SiteContext } from '../context.ts'
import { type Route } from '../server/shared-router.ts'
import { agendaPages, staticMonths } from './agenda-pages.ts'
import { freeDaysPages } from './free-days-page.ts'
import { itemPages } from './item-pages.ts'
import { createItemPictures } from './item-pictures.ts'
import { pageMessages } from './messages.ts'
import { hasArchive } from './archives.ts'
import { newsPages } from './news-page.ts'
import { pageRoutes, type Page } from './page-handler.ts'
import { searchPage } from './search-page.ts'
import { qrCodeOf } from './qr-code.ts'

/** Returns the paths of the pages on a static host, except for item pages. */
export function browsingPaths(feeds: readonly Feed[], { timeZone }: Site, now: number) {
  const months = staticMonths(siteDateAt(now, timeZone)).map((month) => `/month/${month}`)
  return [
    ...(feeds.some(isCalendar) ? ['/agenda', ...months] : []),
    ...feeds.filter(hasArchive).map(({ id }) => `/${id}`),
    ...feeds.flatMap(({ id, boardRole }) => (boardRole === 'bookings' ? [`/${id}/free`] : [])),
  ]
}

/** Serves the pages that show the feeds' content, both publicly and under feed links. */
export function browsingRoutes(context: SiteContext): readonly Route[] {
  const itemPictures = createItemPictures(context)
  return [
    ...itemPictures.routes,
    ...pageRoutes(context, [
      ...agendaPages,
      ...freeDaysPages(context),
      ...newsPages(context),
      searchPage,
      ...itemPages(context, itemPictures),
      posterPage,
    ]),
  ]
}

/** Feed links have no poster, because their URLs are secret. */
const posterPage: Page = {
  path: '/poster',
  prefixes: [''],
  async show({ context: { site }, offered, render }) {
    if (offered.length === 0) return undefined
    const url = `${site.publicUrl}/`
    return render('poster', {
      titles: offered.map(({ textIn }) => textIn(site.language).title),
      hasCalendar: offered.some(isCalendar),
      address: url.replace(/^https?:\/\/|\/$/g, ''),
      qrCode: await qrCodeOf(url),
      warning: urlWarning(site.publicUrl, pageMessages(site.language).doctor.warnings),
    })
  },
}
