import { Router } from 'express'
import type { TimeSource } from '../../clock.ts'
import type { Collections } from '../../collections/collections.ts'
import type { Site } from '../../feeds/site.ts'
import { addressWarning } from '../../links/address-warning.ts'
import type { FeedOverviews } from '../../representations/feed-overviews.ts'
import { prefixes } from '../feeds/viewer.ts'
import type { PagePublishing } from '../front/page-publishing.ts'
import { createPageHandler, type PageRequest } from '../pages/page-handler.ts'
import type { QrCodes } from '../pages/qr-code.ts'
import { allowOwnFrames } from '../server/security-headers.ts'
import type { RenderPage } from '../templates.ts'
import { boardComposerFor, submittedField } from './board-composer.ts'
import { maxTitleLength } from './board-options.ts'

/** Serves `/board/new`, which composes the URL of a board, publicly and under feed links. */
export function composerRoutes(options: {
  readonly site: Site
  readonly collections: Pick<Collections, 'isSwitchedOff'>
  readonly overviews: Pick<FeedOverviews, 'of'>
  readonly qrCodes: QrCodes
  readonly render: RenderPage
  readonly pagePublishing: PagePublishing
  readonly clock: TimeSource
}): Router {
  const { site, collections, overviews, qrCodes, render } = options
  const pageHandler = createPageHandler(options)
  const router = Router({ caseSensitive: true, strict: true })
  // Static hosts ignore query strings.
  if (site.isStatic) return router

  async function showComposer({ response, viewer, query }: PageRequest) {
    const { base, profile, link } = viewer
    const feeds = viewer.feeds.filter(({ resource }) => !collections.isSwitchedOff(resource))
    if (feeds.length === 0) return undefined
    const isPortrait = query.get('screen') === 'portrait'
    const composer = boardComposerFor(feeds, (feed) => overviews.of(feed, profile)?.parts ?? [], {
      query,
      isPortrait,
    })
    const { fault, boardQuery } = composer
    if (fault !== undefined) response.status(400)
    const address = `${base}/board${boardQuery}`
    return render('board-new', {
      composer,
      submittedField,
      maxTitleLength,
      isPortrait,
      address,
      preview: `../board${boardQuery === '' ? '?' : `${boardQuery}&`}preview=1`,
      qrCode: fault === undefined ? await qrCodes.svgOf(address) : '',
      isPrivate: link !== undefined,
      base,
      warning: addressWarning(site.publicUrl),
    })
  }

  const page = pageHandler(showComposer)
  for (const prefix of prefixes) router.get(`${prefix}/board/new`, allowOwnFrames, page)
  return router
}
