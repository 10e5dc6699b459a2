import type { Request, RequestHandler, Response } from 'express'
import { hourMs } from '../../clock.ts'
import type { TokenPurpose } from '../../followers/follow-keys.ts'
import type { Follower } from '../../followers/follower.ts'
import type { FollowRequest } from '../../followers/confirmation-tokens.ts'
import type { Followers } from '../../followers/followers.ts'
import { maskedAddress } from '../../followers/mail-address.ts'
import { hasEnded } from '../../links/feed-link.ts'
import { languages } from '../../records/messages.ts'
import { formOf, readForm } from '../../web/forms.ts'
import { contextIn, siteOf, type SiteContext } from '../../web/context.ts'
import { requireLoaded } from '../../web/link-gate.ts'
import { viewerFrom } from '../../web/viewer.ts'
import { renderFor } from '../../web/page-handler.ts'
import { languageForMessages } from '../../web/translation.ts'
import { Unavailable } from '../../web/errors.ts'
import { allowForms } from '../../web/security-headers.ts'
import { createClientLimit } from '../../web/client-limit.ts'
import {
  choiceInWords,
  followForm,
  offerFor,
  readFollowChoice,
  type FollowFaults,
  type Offer,
} from './follow-choice.ts'
import { followMessages } from './messages.ts'
import { storedAbout } from '../../followers/stored-about.ts'

/** A follower identified by a token, and the feeds they can follow. */
type Known = { readonly followers: Followers; readonly follower: Follower; readonly offer: Offer }

type Handler<Found> = (found: Found, request: Request, response: Response) => Promise<void> | void

/** A request from a confirmation token, and the feeds that the person can follow. */
type Asked = { readonly followers: Followers; readonly wish: FollowRequest; readonly offer: Offer }

const fullRetryMs = 24 * hourMs

/** Does not apply to unsubscribing, because mail services do that for many people at once. */
export const tokenForms = { burst: 20, oneMoreMs: 60_000 }

/** Path of the home page, relative to these pages. */
const home = '../../'

/**
 * Keeps the URL, which contains a secret, out of search engines and referrers. Without a
 * referrer, browsers send forms with `Origin: null`, so the origin is not checked.
 */
const setHeaders: RequestHandler = (request, response, next) => {
  allowForms(request, response, () => undefined)
  response.set({ 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' })
  next()
}

function offerOf(
  site: SiteContext,
  { linkId }: { readonly linkId?: string | undefined },
): Offer | undefined {
  const { publicFeeds, catalog, links, clock } = site
  if (linkId === undefined) return offerFor(site, publicFeeds, undefined)
  requireLoaded(links)
  const entry = links.byId(linkId)
  if (!entry || hasEnded(entry.link, clock.now())) return undefined
  return offerFor(site, catalog.feedsOf(entry.link), entry)
}

const tokenIn = ({ params }: Request) => String(params['token'])

/** Calls a handler with the token's follower, or responds that the link no longer works. */
const withFollower =
  (purpose: TokenPurpose, handle: Handler<Known>): RequestHandler =>
  async (request, response, next) => {
    const site = siteOf(response)
    if (!site.following) return next()
    const { followers } = site.following
    const follower = await followers.byToken(tokenIn(request), purpose)
    const offer = follower?.means === 'mail' ? offerOf(site, follower) : undefined
    if (follower && offer) return handle({ followers, follower, offer }, request, response)
    sendUnknown(request, response)
  }

/** Like `withFollower`, for the request in a confirmation token. */
const withRequest =
  (handle: Handler<Asked>): RequestHandler =>
  async (request, response, next) => {
    const site = siteOf(response)
    if (!site.following) return next()
    const { followers, hasMail } = site.following
    const wish = hasMail ? await followers.requestIn(tokenIn(request)) : undefined
    const offer = wish && offerOf(site, wish)
    if (wish && offer) return handle({ followers, wish, offer }, request, response)
    sendUnknown(request, response)
  }

function sendUnknown(request: Request, response: Response): void {
  const page = pageFor(request, response)
  const { title, text } = page.t.unknown
  response.status(404)
  page.send({ title, lines: [text], link: { url: `${home}follow`, text: page.t.getEmail } })
}

const addressOf = ({ followers, follower }: Known) =>
  maskedAddress(followers.addressOf(follower) ?? '')

const showConfirm: Handler<Asked> = ({ wish, offer }, request, response) => {
  const page = pageFor(request, response, wish)
  const { title, text, button } = page.t.confirm
  const choice = choiceInWords(wish.choice, page.language, offer)
  page.send({ title, lines: [text(maskedAddress(wish.address))], choice, button })
}

const confirm: Handler<Asked> = async ({ followers, wish, offer }, request, response) => {
  const page = pageFor(request, response, wish)
  const confirmed = await followers.confirm(wish)
  if (!confirmed) throw new Unavailable(page.t.isFull, fullRetryMs)
  const { title, text, manage } = page.t.confirmed
  page.send({
    title,
    lines: [text(maskedAddress(wish.address))],
    choice: choiceInWords(confirmed.choice, page.language, offer),
    link: { url: `../manage/${followers.tokenFor('manage', confirmed)}`, text: manage },
  })
}

function sendManage(
  known: Known,
  request: Request,
  response: Response,
  state: { readonly faults?: FollowFaults; readonly isSaved?: boolean } = {},
): void {
  const { followers, follower, offer } = known
  const page = pageFor(request, response, follower)
  const tokenFor = (purpose: TokenPurpose) => followers.tokenFor(purpose, follower)
  const shown = {
    form: followForm(offer, follower.choice, page.language),
    address: addressOf(known),
    endUrl: `../end/${tokenFor('end')}`,
    dataUrl: `${tokenFor('manage')}/data`,
  }
  page.send({ faults: {}, ...shown, ...state }, 'follow/manage')
}

const choose: Handler<Known> = async (known, request, response) => {
  const { followers, follower, offer } = known
  const { language } = pageFor(request, response, follower)
  const reading = readFollowChoice(offer, formOf(request), { language, before: follower.choice })
  const { choice, faults } = reading
  if (faults.feeds !== undefined || faults.times !== undefined) {
    response.status(400)
    const entered = { ...follower, choice }
    return sendManage({ ...known, follower: entered }, request, response, { faults })
  }
  const chosen = await followers.choose(follower, choice)
  if (!chosen) return sendUnknown(request, response)
  sendManage({ ...known, follower: chosen }, request, response, { isSaved: true })
}

const sendData: Handler<Known> = ({ followers, follower }, _request, response) => {
  response.attachment('email.json').send(storedAbout(follower, followers.addressOf(follower)))
}

const showEnd: Handler<Known> = (known, request, response) => {
  const page = pageFor(request, response, known.follower)
  const { title, text, deletes, button } = page.t.end
  page.send({ title, lines: [text(addressOf(known)), deletes], button })
}

/** Unsubscribes the follower. The response is the same if they have already unsubscribed. */
const end: RequestHandler = async (request, response, next) => {
  const { following } = siteOf(response)
  if (!following) return next()
  const { followers } = following
  const follower = await followers.byToken(tokenIn(request), 'end')
  if (follower) await followers.remove(follower)
  const page = pageFor(request, response, follower)
  const { title, text } = page.t.ended
  page.send({ title, lines: [text], link: { url: `${home}follow`, text: page.t.getEmail } })
}

const tokenLimit = ({ clock }: SiteContext) =>
  createClientLimit(clock, tokenForms, 'too many saves')

const limited: RequestHandler = (request, response, next) => {
  siteOf(response).kept(tokenLimit)(request.ip ?? '')
  next()
}

/**
 * The pages that emails link to. A GET request changes nothing, because mail scanners open every
 * link. Anyone with a token may submit the forms, including mail services (RFC 8058).
 */
export const tokenPages = {
  confirm: [setHeaders, withRequest(showConfirm)],
  confirmed: [setHeaders, limited, withRequest(confirm)],
  manage: [setHeaders, withFollower('manage', sendManage)],
  managed: [setHeaders, readForm, limited, withFollower('manage', choose)],
  data: [setHeaders, withFollower('manage', sendData)],
  end: [setHeaders, withFollower('end', showEnd)],
  ended: [setHeaders, end],
}

function pageFor(request: Request, response: Response, follower?: { readonly language: string }) {
  const context = siteOf(response)
  const language =
    languages.find((each) => each === follower?.language) ??
    languageForMessages(request.originalUrl, context.site)
  const translated = contextIn(context, language)
  const render = renderFor(translated, viewerFrom(response))
  const t = followMessages(translated.site.language)
  return {
    language: translated.site.language,
    t,
    send: (shown: object, template = 'follow/message') =>
      void response.send(render(template, { texts: t, home, ...shown })),
  }
}
