import type { Router } from 'express'
import { addressWarning } from '../../links/address-warning.ts'
import type { SiteContext } from '../context.ts'
import { pageRouter, type PageRequest } from '../pages/page-handler.ts'
import { qrCodeOf } from '../pages/qr-code.ts'
import { allowOwnFrames } from '../server/security-headers.ts'
import { boardComposerFor, submittedField } from './board-composer.ts'
import { maxTitleLength } from './board-options.ts'

/** Serves `/board/new`, which composes the URL of a board, publicly and under feed links. */
export function composerRoutes(context: SiteContext): Router {
  const { site, overviews, isOffered, render } = context

  async function showComposer({ response, viewer, query }: PageRequest) {
    const { base, profile, link } = viewer
    const feeds = viewer.feeds.filter(isOffered)
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
      qrCode: fault === undefined ? await qrCodeOf(address) : '',
      isPrivate: link !== undefined,
      base,
      warning: addressWarning(site.publicUrl),
    })
  }

  // Static hosts ignore query strings.
  const pages = site.isStatic
    ? []
    : [{ path: '/board/new', headers: [allowOwnFrames], show: showComposer }]
  return pageRouter(context, pages)
}
