import { urlWarning } from '../../links/url-warning.ts'
import type { SiteContext } from '../context.ts'
import type { Page } from './page-handler.ts'
import { qrCodeOf } from './qr-code.ts'

/** Returns `/poster`. Feed links have no poster, because their URLs are secret. */
export function posterPage({ site, isOffered }: SiteContext): Page {
  const url = `${site.publicUrl}/`
  return {
    path: '/poster',
    prefixes: [''],
    async show({ viewer, render }) {
      const offered = viewer.feeds.filter(isOffered)
      if (offered.length === 0) return undefined
      return render('poster', {
        titles: offered.map(({ title }) => title),
        hasCalendar: offered.some(({ formats }) => formats.includes('ics')),
        address: url.replace(/^https?:\/\/|\/$/g, ''),
        qrCode: await qrCodeOf(url),
        warning: urlWarning(site.publicUrl),
      })
    },
  }
}
