import type { Request, RequestHandler, Response } from 'express'
import type { TimeSource } from '../../clock.ts'
import type { Logger } from '../../log.ts'
import type { SiteContext } from '../context.ts'
import { TooManyRequests } from '../server/errors.ts'
import { sendMessage } from '../server/send-message.ts'
import { cookieFrom, type AdminAccess } from './admin-access.ts'
import type { AdminPages } from './admin-pages.ts'
import type { AdminActions } from './admin-routes.ts'
import type { LinkPages } from './link-pages.ts'
import { formOf } from './requests.ts'
import { isSameText } from './sessions.ts'
import { createTryLimit } from './try-limit.ts'

/** Maximum number of wrong passwords per minute. `ofAll` limits botnets, which use many IP addresses. */
const signInTries = { ofClient: 5, ofAll: 60 }

/** Shared by all routes of a page that requires a password. */
export type SignInContext = {
  readonly access: AdminAccess
  /** Path of the page, where the sign-in form is shown. */
  readonly path: string
  readonly pages: { readonly signIn: AdminPages['signIn'] }
  /** Logs an action with the client's IP address. */
  readonly audit: (request: Request, done: string, on?: Readonly<Record<string, string>>) => void
  /** Redirects to the page, or to the path and query string below it. */
  readonly home: (response: Response, rest?: string) => void
  /** Returns the CSRF token that forms in this session must send. */
  readonly tokenOf: (request: Request) => string
  readonly clock: TimeSource
  readonly log: Logger
}

/** A site's context with the parts that only its admin page has. */
export type AdminSite = SiteContext & {
  readonly actions: AdminActions
  readonly access: AdminAccess
}

/** Everything that the admin routes of a site share. */
export type AdminContext = AdminSite &
  SignInContext & { readonly pages: AdminPages; readonly linkPages: LinkPages }

/** Shows the sign-in form to clients that are not signed in. */
export function requireSession({ access, path, pages, home }: SignInContext): RequestHandler {
  return async (request, response, next) => {
    if (await access.isSignedIn(request)) return next()
    if (request.method === 'POST' || request.originalUrl !== path) return home(response)
    response.send(pages.signIn())
  }
}

/** Rejects forms that another site could have sent. */
export function requireToken({ tokenOf }: SignInContext): RequestHandler {
  return (request, response, next) => {
    if (isSameText(formOf(request).get('token') ?? '', tokenOf(request))) return next()
    sendMessage(response, 403, 'Your session has expired. Reload the admin page.')
  }
}

/** Starts a session if the password is correct. */
export function signIn({ access, pages, audit, home, clock, log }: SignInContext): RequestHandler {
  const { sessions, cookie, browsers, browserCookie } = access
  const limit = createTryLimit(clock, signInTries)
  return async (request, response) => {
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
  }
}

/** Ends the session. */
export function signOut({
  access: { sessions, cookie },
  audit,
  home,
}: SignInContext): RequestHandler {
  return async (request, response) => {
    await sessions.end(cookieFrom(request, cookie))
    audit(request, 'admin signed out')
    response.clearCookie(cookie.name, { ...cookie.options, maxAge: 0 })
    home(response)
  }
}
