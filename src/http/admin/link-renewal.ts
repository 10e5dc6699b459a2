import type { RequestHandler } from 'express'
import { readExpiry } from '../../links/feed-link.ts'
import type { RenewedLink } from '../../links/link-renewal.ts'
import { endOfOverlap, formFromLink, overlapDays } from './link-form.ts'
import { readListView } from './link-list.ts'
import { notAdded, storedLink } from './new-link-routes.ts'
import { formOf } from './requests.ts'
import type { AdminContext } from './sign-in.ts'

type NotRenewed = Exclude<Extract<RenewedLink, { ok: false }>['reason'], 'unknown'>

const notRenewed: Readonly<Record<NotRenewed, string>> = {
  'too many': notAdded['too many'],
  revoked: 'This link has been revoked in the meantime, so it was not renewed. Create a new link.',
  'changed meanwhile':
    'This link has been changed or renewed since you opened this page, so it was not renewed. If the new address is lost, renew the link again.',
}

/** Gives a link a new address, and ends the old one after the overlap. */
export function renewLink(context: AdminContext): RequestHandler<{ id: string }> {
  const { site, actions, linkPages, clock, audit, tokenOf } = context
  const { links } = actions
  return async (request, response, next) => {
    const { id } = request.params
    const known = { timeZone: site.timeZone, now: clock.now() }
    const sent = formOf(request)
    const renewal = { overlap: sent.get('overlap') ?? '', lastDay: sent.get('last-day') ?? '' }
    const view = readListView(sent)
    const showAgain = async (status: number, fault: string) => {
      const stored = await storedLink(links, id)
      if (!stored) return next()
      const form = formFromLink(stored.link, stored.revision, site.timeZone)
      const shown = { form, view, renewal, renewalFault: fault }
      response.status(status).send(linkPages.edit(tokenOf(request), stored.link, shown))
    }
    if (!overlapDays.some((days) => String(days) === renewal.overlap)) {
      return showAgain(400, 'Choose how long the old address keeps working.')
    }
    const day = renewal.lastDay.trim()
    const expiresAt = readExpiry(day, known)
    if (day !== '' && expiresAt === undefined) {
      return showAgain(400, 'Choose today or a later date as the last day.')
    }
    const oldEndsAt = endOfOverlap(renewal.overlap, known)
    const revision = Number(sent.get('revision'))
    const renewed = await links.renew(id, { expiresAt, oldEndsAt, revision })
    if (renewed.ok) {
      const { link, key, old } = renewed
      audit(request, 'feed link renewed', { link: id, by: link.id })
      const url = `${site.publicUrl}/l/${key}/`
      return response
        .status(201)
        .send(await linkPages.created(tokenOf(request), { link, url, old }))
    }
    if (renewed.reason === 'unknown') return next()
    return showAgain(409, notRenewed[renewed.reason])
  }
}
