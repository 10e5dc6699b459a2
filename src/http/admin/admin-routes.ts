import { randomBytes } from 'node:crypto'
import { Router, type Request, type RequestHandler, type Response } from 'express'
import type { AcceptResult } from '../../collections/copy/accept-held.ts'
import type { KeepResult } from '../../collections/copy/keep-holding.ts'
import type { Clock } from '../../clock.ts'
import type { Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import type { Logger } from '../../log.ts'
import { profiles } from '../../records/profile.ts'
import { resourcesOfFeeds } from '../../feeds/catalog.ts'
import type { FeedResource } from '../../records/resources.ts'
import type { FeedLink } from '../../links/feed-link.ts'
import { newLinkId, type AddedLink, type NewLink } from '../../links/stored-links.ts'
import type { Documents } from '../../store/store.ts'
import { basePathOf } from '../server/urls.ts'
import { notFound } from '../error-handler.ts'
import { allowForms } from '../server/security-headers.ts'
import { sendMessage } from '../server/send-message.ts'
import { TooManyRequests } from '../server/errors.ts'
import type { AdminPageOptions, AdminPages } from './admin-pages.ts'
import { linkFormFrom, readLinkForm } from './link-form.ts'
import {
  formOf,
  readForm,
  requireOwnHost,
  requireSameOrigin,
  cookieFrom,
  type AdminSessions,
} from './requests.ts'
import { isSameText } from './sessions.ts'
import { createTryLimit } from './try-limit.ts'

/** Wrong passwords per minute. The total is limited too, because a botnet has many addresses. */
const signInTries = { ofClient: 5, ofAll: 60 }

const notAdded: Readonly<Record<Extract<AddedLink, { ok: false }>['reason'], string>> = {
  'too many': 'The maximum number of feed links is reached. Revoke some that are no longer needed.',
  'made already':
    'This link was already created, and its address was shown once. If you have lost it, revoke the link and create another.',
}

type Rejection = Extract<AcceptResult | KeepResult, { ok: false }>['reason']

const notDecided: Readonly<Record<Rejection, (resource: FeedResource) => string>> = {
  'not held': (resource) => `The ${resource} records are no longer held, so nothing was changed.`,
  'changed meanwhile': (resource) =>
    `The website's ${resource} records have changed since you opened this page, so nothing was accepted. Check the new numbers, then decide.`,
  contended: (resource) =>
    `Feedhouse stored the ${resource} records at the same time, so nothing was changed. Please try again.`,
}

/** What an admin can do after signing in. */
export type AdminActions = {
  readonly password: string
  /** False without `PUBLIC_URL`: the public URL is then the listening address. */
  readonly isPublicUrlSet: boolean
  /** Stores sessions across restarts. */
  readonly documents: Pick<Documents, 'all' | 'get' | 'write'>
  readonly listLinks: AdminPageOptions['listLinks']
  readonly addLink: (wish: NewLink & { readonly id: string }) => Promise<AddedLink>
  /** Resolves to undefined if there is no such link. */
  readonly revokeLink: (id: string) => Promise<FeedLink | undefined>
  /** Publishes held records if they still have this version. */
  readonly acceptHeld: (resource: FeedResource, version: string) => Promise<AcceptResult>
  /** Prevents held records from being published automatically. */
  readonly keepHolding: (resource: FeedResource) => Promise<KeepResult>
}

/** Serves `/admin`: feed links, status and previews, after signing in with the password. */
export function adminRoutes(options: {
  readonly site: Pick<Site, 'publicUrl' | 'timeZone'>
  readonly feeds: readonly Pick<Feed, 'id'>[]
  readonly actions: Omit<AdminActions, 'password' | 'documents' | 'listLinks'>
  readonly pages: AdminPages
  readonly access: AdminSessions
  readonly clock: Pick<Clock, 'now'>
  readonly log: Pick<Logger, 'info' | 'warn'>
}): Router {
  const { site, feeds, actions, pages, clock, log } = options
  const { sessions, cookie, browsers, browserCookie, isSignedIn } = options.access
  const { isPublicUrlSet } = actions
  const limit = createTryLimit(clock, signInTries)
  const homePath = `${basePathOf(site)}/admin`
  const router = Router({ caseSensitive: true, strict: true })
  const feedIds = feeds.map(({ id }) => id)

  /** Logs an admin action with the client's IP address. */
  const audit = ({ ip: address }: { readonly ip?: string | undefined }, done: string, on = {}) =>
    log.info({ address, ...on }, done)

  const tokenOf = (request: Request) => sessions.formTokenOf(cookieFrom(request, cookie))

  const home = (response: Response) => response.redirect(303, homePath)

  const requireSession: RequestHandler = async (request, response, next) => {
    if (await isSignedIn(request)) return next()
    if (request.method === 'POST' || request.originalUrl !== '/admin') return home(response)
    response.send(pages.signIn())
  }

  const requireToken: RequestHandler = (request, response, next) => {
    if (isSameText(formOf(request).get('token') ?? '', tokenOf(request))) return next()
    sendMessage(response, 403, 'Your session has expired. Reload the admin page.')
  }

  router.use('/admin', allowForms, ({ method }, response, next) => {
    response.locals['route'] = '/admin'
    response.set({
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex',
      // With no-referrer, browsers would send forms with `Origin: null`.
      'Referrer-Policy': 'same-origin',
    })
    if (['GET', 'HEAD', 'POST'].includes(method)) return next()
    response.set('Allow', 'GET, HEAD, POST')
    sendMessage(response, 405, 'Only GET, HEAD and POST are allowed here.')
  })
  router.use('/admin', requireOwnHost(site.publicUrl, isPublicUrlSet))
  router.post('/admin{/*path}', requireSameOrigin(site.publicUrl, isPublicUrlSet), readForm)

  router.post('/admin/sign-in', async (request, response) => {
    const { ip: address = '' } = request
    const browserId = await browsers.identify(cookieFrom(request, browserCookie))
    const waitMs = limit.take(address, browserId)
    if (waitMs !== undefined) throw new TooManyRequests('too many sign-ins', waitMs)
    const id = await sessions.signIn(formOf(request).get('password') ?? '')
    if (id === undefined) {
      log.warn({ address }, 'admin sign-in failed')
      return void response.status(403).send(pages.signIn('Incorrect password.'))
    }
    limit.noteSuccess(address, browserId)
    audit(request, 'admin signed in')
    response.cookie(cookie.name, id, cookie.options)
    const browser = await browsers.issue(browserId)
    if (browser !== undefined) response.cookie(browserCookie.name, browser, browserCookie.options)
    home(response)
  })

  router.use('/admin', requireSession)
  router.post('/admin{/*path}', requireToken)

  router.get('/admin', async (request, response) => {
    response.send(await pages.overview(tokenOf(request)))
  })

  router.get('/admin/', (_request, response) => response.redirect(301, homePath))

  router.post('/admin/sign-out', async (request, response) => {
    await sessions.end(cookieFrom(request, cookie))
    audit(request, 'admin signed out')
    response.clearCookie(cookie.name, { ...cookie.options, maxAge: 0 })
    home(response)
  })

  router.post('/admin/links', async (request, response) => {
    const form = linkFormFrom(formOf(request))
    const { timeZone } = site
    const reading = readLinkForm(form, { feedIds, timeZone, now: clock.now() })
    if (!reading.ok) {
      const page = await pages.overview(tokenOf(request), { form, faults: reading.faults })
      return void response.status(400).send(page)
    }
    const added = await actions.addLink(reading.wish)
    if (!added.ok) {
      const faults = [notAdded[added.reason]]
      const again = { ...form, id: newLinkId(randomBytes) }
      const page = await pages.overview(tokenOf(request), { form: again, faults })
      return void response.status(409).send(page)
    }
    audit(request, 'feed link created', { link: added.link.id })
    const url = `${site.publicUrl}/l/${added.key}/`
    const page = await pages.newLink(tokenOf(request), { ...added.link, lastUse: undefined }, url)
    response.status(201).send(page)
  })

  router.post('/admin/links/:id/revoke', async (request, response, next) => {
    const link = await actions.revokeLink(request.params.id)
    if (!link) return next()
    audit(request, 'feed link revoked', { link: link.id })
    home(response)
  })

  const decideOnHeld =
    (
      decide: (resource: FeedResource, form: URLSearchParams) => Promise<AcceptResult | KeepResult>,
      done: string,
    ): RequestHandler<{ name: string }> =>
    async (request, response, next) => {
      const resource = resourcesOfFeeds.find((name) => name === request.params.name)
      if (!resource) return next()
      const result = await decide(resource, formOf(request))
      if (!result.ok) {
        const notice = notDecided[result.reason](resource)
        return void response.status(409).send(await pages.overview(tokenOf(request), { notice }))
      }
      audit(request, done, { resource })
      home(response)
    }

  router.post(
    '/admin/collections/:name/accept',
    decideOnHeld(
      (resource, form) => actions.acceptHeld(resource, form.get('version') ?? ''),
      'held records accepted',
    ),
  )
  router.post(
    '/admin/collections/:name/hold',
    decideOnHeld((resource) => actions.keepHolding(resource), 'held records kept held'),
  )

  router.get('/admin/preview/:profile', async (request, response, next) => {
    const profile = profiles.find((name) => name === request.params.profile)
    if (!profile) return next()
    response.send(await pages.preview(tokenOf(request), profile))
  })

  router.use('/admin', notFound)
  return router
}
