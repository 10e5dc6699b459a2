import { Router } from 'express'
import { addressWarning } from '../../links/address-warning.ts'
import type { SiteContext } from '../context.ts'
import { allowForms } from '../server/security-headers.ts'
import { pageHandler, type PageRequest } from './page-handler.ts'
import { qrCodeOf } from './qr-code.ts'

/**
 * Serves `/poster`, which invites everyone to follow the public feeds. Links have cards instead, because
 * their address must not hang on a wall.
 */
export function posterRoutes(context: SiteContext): Router {
  const { site, isOffered, render } = context
  const address = `${site.publicUrl}/`

  async function showPoster({ viewer }: PageRequest): Promise<string | undefined> {
    const offered = viewer.feeds.filter(isOffered)
    if (offered.length === 0) return undefined
    return render('poster', {
      titles: offered.map(({ title }) => title),
      hasCalendar: offered.some(({ formats }) => formats.includes('ics')),
      address: address.replace(/^https?:\/\/|\/$/g, ''),
      qrCode: await qrCodeOf(address),
      warning: addressWarning(site.publicUrl),
    })
  }

  const router = Router({ caseSensitive: true, strict: true })
  router.get('/poster', allowForms, pageHandler(context, showPoster))
  return router
}
