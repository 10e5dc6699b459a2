import { isCalendar, type Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import { urlWarning } from '../../links/url-warning.ts'
import { siteDateAt } from '../../records/site-time.ts'
import { staticMonths } from './agenda-pages.ts'
import { hasFreeDays } from './free-days-page.ts'
import { pageMessages } from '../web/messages.ts'
import { hasArchive } from '../web/archives.ts'
import type { Page } from '../web/page-handler.ts'
import { qrCodeOf } from '../web/qr-code.ts'

/** Returns the paths of the pages on a static host, except for item pages. */
export function browsingPaths(feeds: readonly Feed[], { timeZone }: Site, now: number) {
  const months = staticMonths(siteDateAt(now, timeZone)).map((month) => `/month/${month}`)
  return [
    ...(feeds.some(isCalendar) ? ['/agenda', ...months] : []),
    ...feeds.filter(hasArchive).map(({ id }) => `/${id}`),
    ...feeds.filter(hasFreeDays).map(({ id }) => `/${id}/free`),
  ]
}

export const posterPage: Page = {
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
