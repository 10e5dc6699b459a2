import { Router, type RequestHandler } from 'express'
import type { AcceptResult } from '../../collections/copy/accept-held.ts'
import type { KeepResult } from '../../collections/copy/keep-holding.ts'
import type { ListedLink } from '../../links/stored-links.ts'
import { profiles } from '../../records/profile.ts'
import type { FeedResource } from '../../records/resources.ts'
import type { Documents } from '../../store/store.ts'
import type { EmergencyEditor } from '../board/emergency-text.ts'
import { queryOf } from '../server/urls.ts'
import { notFound } from '../error-handler.ts'
import { allowForms } from '../server/security-headers.ts'
import { sendMessage } from '../server/send-message.ts'
import { cookieFrom } from './admin-access.ts'
import { createAdminPages } from './admin-pages.ts'
import type { DatabaseReader } from './database-form.ts'
import { databaseRoutes } from './database-routes.ts'
import { changeTextIn, readListView } from './link-list.ts'
import { createLinkPages } from './link-pages.ts'
import { linkRoutes } from './link-routes.ts'
import { messageRoutes, type ShowStatus } from './message-routes.ts'
import { messageStateFrom, type MessageActions } from './messages.ts'
import { newLinkRoutes, type LinkActions } from './new-link-routes.ts'
import { formOf, readForm, readUpload, requireOwnHost, requireSameOrigin } from './requests.ts'
import type { SettingsEditor } from './settings-form.ts'
import { settingsRoutes } from './settings-routes.ts'
import { screenRoutes } from './screen-routes.ts'
import {
  requireSession,
  requireToken,
  signIn,
  signOut,
  type AdminContext,
  type AdminSite,
} from './sign-in.ts'

type Rejection = Extract<AcceptResult | KeepResult, { ok: false }>['reason']

const notDecided: Readonly<Record<Rejection, (resource: FeedResource) => string>> = {
  'not held': (resource) => `The ${resource} records are no longer held, so nothing was changed.`,
  'changed meanwhile': (resource) =>
    `The website's ${resource} records have changed since you opened this page, so nothing was accepted. Check the new numbers, then decide.`,
  contended: (resource) =>
    `Feedhouse was storing the ${resource} records at the same time, so nothing was changed. Please try again.`,
}

/** Actions available to a signed-in admin. */
export type AdminActions = LinkActions & {
  readonly settings: SettingsEditor
  readonly databases: DatabaseReader
  readonly messages: MessageActions
  readonly emergency: EmergencyEditor
  readonly password: string
  /** False if `PUBLIC_URL` is not set. The public URL is then the URL that the server listens on. */
  readonly isPublicUrlSet: boolean
  /** Stores the sessions, which persist across restarts. */
  readonly documents: Documents
  readonly listLinks: () => Promise<readonly ListedLink[]>
  /** Publishes the held records if their version has not changed. */
  readonly acceptHeld: (resource: FeedResource, version: string) => Promise<AcceptResult>
  /** Prevents held records from being published automatically. */
  readonly keepHolding: (resource: FeedResource) => Promise<KeepResult>
}

/** Serves `/admin`: feed links, status and previews. Requires the admin password. */
export function adminRoutes(admin: AdminSite): Router {
  const { site, actions, access, basePath, log } = admin
  const { publicUrl } = site
  const homePath = `${basePath}/admin`
  const linkPages = createLinkPages(admin)
  const pages = createAdminPages(admin, linkPages)
  const context: AdminContext = {
    ...admin,
    path: '/admin',
    pages,
    linkPages,
    audit: ({ ip: address }, done, on = {}) => log.info({ address, ...on }, done),
    home: (response, rest = '') => response.redirect(303, `${homePath}${rest}`),
    tokenOf: (request) => access.sessions.formTokenOf(cookieFrom(request, access.cookie)),
  }
  const showStatus: ShowStatus = async (request, response, notice) => {
    const messages = await messageStateFrom(actions.messages)
    const done = queryOf(request.originalUrl).get('done')
    response.send(await pages.statusPage(context.tokenOf(request), { messages, notice, done }))
  }
  const router = Router({ caseSensitive: true, strict: true })
  router.use('/admin', allowForms, adminHeaders('/admin'))
  router.use('/admin', requireOwnHost(publicUrl, actions.isPublicUrlSet))
  router.post('/admin{/*path}', requireSameOrigin(publicUrl, actions.isPublicUrlSet), readForm)
  router.post('/admin/sign-in', signIn(context))
  router.use('/admin', requireSession(context))
  router.post('/admin/links/list', ...readUpload)
  router.post('/admin{/*path}', requireToken(context))
  router.get('/admin', async (request, response) => {
    const query = queryOf(request.originalUrl)
    const shown = { view: readListView(query), change: changeTextIn(query) }
    response.send(await pages.overview(context.tokenOf(request), shown))
  })
  router.get('/admin/', (_request, response) => response.redirect(301, homePath))
  router.post('/admin/sign-out', signOut(context))
  router.use('/admin', newLinkRoutes(context), linkRoutes(context))
  router.post(
    '/admin/collections/:name/accept',
    decideOnHeld(context, showStatus, 'held records accepted', (resource, form) =>
      actions.acceptHeld(resource, form.get('version') ?? ''),
    ),
  )
  router.post(
    '/admin/collections/:name/hold',
    decideOnHeld(context, showStatus, 'held records kept on hold', actions.keepHolding),
  )
  router.get('/admin/status', (request, response) => showStatus(request, response))
  router.use('/admin', messageRoutes(context, showStatus))
  router.use('/admin', screenRoutes(context), settingsRoutes(context))
  router.use('/admin', databaseRoutes(context))
  router.get('/admin/address', async (request, response) => {
    response.send(await pages.address(context.tokenOf(request)))
  })
  router.get('/admin/preview/:profile', async (request, response, next) => {
    const profile = profiles.find((name) => name === request.params.profile)
    if (!profile) return next()
    response.send(await pages.preview(context.tokenOf(request), profile))
  })
  router.use('/admin', notFound)
  return router
}

/** Sets the headers of pages that require a password. `route` is their name in logs and metrics. */
export function adminHeaders(route: string): RequestHandler {
  return ({ method }, response, next) => {
    response.locals['route'] = route
    response.set({
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex',
      // With no-referrer, browsers would send forms with `Origin: null`.
      'Referrer-Policy': 'same-origin',
    })
    if (['GET', 'HEAD', 'POST'].includes(method)) return next()
    response.set('Allow', 'GET, HEAD, POST')
    sendMessage(response, 405, 'Only GET, HEAD and POST are allowed here.')
  }
}

function decideOnHeld(
  { audit, home, catalog }: AdminContext,
  showStatus: ShowStatus,
  done: string,
  decide: (resource: FeedResource, form: URLSearchParams) => Promise<AcceptResult | KeepResult>,
): RequestHandler<{ name: string }> {
  return async (request, response, next) => {
    const resource = catalog.keptResources.find((name) => name === request.params.name)
    if (!resource) return next()
    const result = await decide(resource, formOf(request))
    if (!result.ok) {
      const notice = notDecided[result.reason](resource)
      return showStatus(request, response.status(409), notice)
    }
    audit(request, done, { resource })
    home(response, '/status')
  }
}
