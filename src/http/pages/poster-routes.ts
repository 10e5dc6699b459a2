import { Router } from 'express'
import type { Collections } from '../../collections/collections.ts'
import type { Site } from '../../feeds/site.ts'
import { addressWarning } from '../../links/address-warning.ts'
import { viewerFrom } from '../feeds/viewer.ts'
import type { PagePublishing } from '../front/page-publishing.ts'
import { allowForms } from '../server/security-headers.ts'
import type { RenderPage } from '../templates.ts'
import { revalidate } from './page-routes.ts'
import type { QrCodes } from './qr-code.ts'

/**
 * Serves `/poster`, which invites everyone to follow the public feeds. Links have cards instead, because
 * their address must not hang on a wall.
 */
export function posterRoutes(options: {
  readonly site: Pick<Site, 'publicUrl'>
  readonly collections: Pick<Collections, 'isSwitchedOff'>
  readonly qrCodes: QrCodes
  readonly render: RenderPage
  readonly pagePublishing: PagePublishing
}): Router {
  const { site, collections, qrCodes, render, pagePublishing } = options
  const address = `${site.publicUrl}/`
  const router = Router({ caseSensitive: true, strict: true })
  router.get('/poster', allowForms, async (request, response, next) => {
    const offered = viewerFrom(response).feeds.filter(
      ({ resource }) => !collections.isSwitchedOff(resource),
    )
    if (offered.length === 0) return next()
    revalidate(response)
    const html = render('poster', {
      titles: offered.map(({ title }) => title),
      hasCalendar: offered.some(({ formats }) => formats.includes('ics')),
      address: address.replace(/^https?:\/\/|\/$/g, ''),
      qrCode: await qrCodes.svgOf(address),
      warning: addressWarning(site.publicUrl),
    })
    await pagePublishing.send(request, response, html, { route: '/poster', link: undefined })
  })
  return router
}
