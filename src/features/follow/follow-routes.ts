import type { RequestHandler } from 'express'
import { withLanguage } from '../../feeds/site.ts'
import type { FollowChoice } from '../../followers/follower.ts'
import { maxAddressLength, readMailAddress } from '../../followers/mail-address.ts'
import { spokenLanguage } from '../../records/messages.ts'
import { formOf, readForm } from '../../web/forms.ts'
import { siteOf, type SiteContext } from '../../web/context.ts'
import { viewerFrom } from '../../web/viewer.ts'
import { pageRequest, type Page, type PageRequest } from '../../web/page-handler.ts'
import { requireSameOrigin } from '../../web/same-origin.ts'
import { BadOption, Unavailable } from '../../web/errors.ts'
import { allowForms, sendOrigin } from '../../web/security-headers.ts'
import { createClientLimit } from '../../web/client-limit.ts'
import {
  followForm,
  offerFor,
  readFollowChoice,
  defaultChoice,
  type FollowFaults,
} from './follow-choice.ts'
import { followMessages } from './messages.ts'

/** Burst and refill interval of sign-ups for email, per client. */
export const followRequests = { burst: 20, oneMoreMs: 10 * 60_000 }

/** URL parameter of the page after a request. */
const requested = 'requested'
const requestedFault = 'requested must be 1.'

type Entered = {
  readonly address: string
  readonly choice: FollowChoice
  readonly faults: FollowFaults & { readonly address?: string }
}

const limitRequests = ({ clock }: SiteContext) =>
  createClientLimit(clock, followRequests, 'too many saves')

const requireMail: RequestHandler = (_request, response, next) => {
  viewerFrom(response, 'form')
  next(siteOf(response).following?.hasMail ? undefined : 'route')
}

const requestEmail: RequestHandler = async (request, response, next) => {
  const { following, kept } = siteOf(response)
  if (!following) return next()
  const page = pageRequest(request, response, { kind: 'form' })
  const client = request.ip ?? ''
  kept(limitRequests)(client)
  const { viewer, context } = page
  const { language } = context.site
  const posted = formOf(request)
  const address = posted.get('address') ?? ''
  const reading = readMailAddress(address)
  const offer = offerFor(context, viewer.feeds, viewer.link)
  const { choice, faults } = readFollowChoice(offer, posted, { language, before: defaultChoice })
  const { faults: t } = followMessages(language)
  if (!reading.ok || faults.feeds !== undefined || faults.times !== undefined) {
    const addressFault = reading.ok ? {} : { address: t[reading.fault] }
    const entered = { address, choice, faults: { ...faults, ...addressFault } }
    sendOrigin(response)
    return void response.status(400).send(formPage(page, entered))
  }
  const wish = {
    address: reading.address,
    choice,
    language: spokenLanguage(language),
    linkId: viewer.link?.link.id,
  }
  const refused = await following.signUp(wish, client)
  if (refused) {
    throw new Unavailable((_, shown) => followMessages(shown).isFull, refused.retryAfterMs)
  }
  response.redirect(303, `follow?${withLanguage(`${requested}=1`, context.site)}`)
}

/** Asks for a confirmation by email. */
export const signUp = [allowForms, requireSameOrigin, requireMail, readForm, requestEmail]

/** Sign-up form for email. */
export const followPage: Page = {
  parameters: [requested],
  async show(page) {
    if (!page.context.following?.hasMail) return undefined
    sendOrigin(page.response)
    const isRequested = page.query.has(requested)
    // Otherwise, there would be an unlimited number of pages.
    if (isRequested && page.query.get(requested) !== '1') throw new BadOption(requestedFault)
    if (isRequested) return requestedPage(page)
    return formPage(page, { address: '', choice: defaultChoice, faults: {} })
  },
}

/** Returns the form, or undefined if there is nothing to follow. */
function formPage({ context, viewer, render }: PageRequest, entered: Entered) {
  const { language } = context.site
  const offer = offerFor(context, viewer.feeds, viewer.link)
  if (offer.feeds.length === 0 && !offer.hasOwn) return undefined
  const form = followForm(offer, entered.choice, language)
  const texts = followMessages(language)
  return render('follow/follow', {
    texts,
    form,
    ...entered,
    isForLink: offer.isForLink,
    maxAddressLength,
  })
}

function requestedPage({ context, render }: PageRequest): string {
  const texts = followMessages(context.site.language)
  const { title, text, again } = texts.requested
  const link = { url: 'follow', text: again }
  return render('follow/message', { texts, home: './', title, lines: [text], link })
}
