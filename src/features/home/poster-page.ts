import { isCalendar } from '../../feeds/feed.ts'
import { urlWarning } from '../../links/url-warning.ts'
import { pageMessages } from '../../web/messages.ts'
import type { Page } from '../../web/page-handler.ts'
import { qrCodeOf } from '../../web/qr-code.ts'

export const posterPage: Page = {
  async show({ context: { site }, offered, render }) {
    if (offered.length === 0) return undefined
    const url = `${site.publicUrl}/`
    return render('home/poster', {
      titles: offered.map(({ textIn }) => textIn(site.language).title),
      hasCalendar: offered.some(isCalendar),
      address: url.replace(/^https?:\/\/|\/$/g, ''),
      qrCode: await qrCodeOf(url),
      warning: urlWarning(site.publicUrl, pageMessages(site.language).doctor.warnings),
    })
  },
}
