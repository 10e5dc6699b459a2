import { Router, type Request, type RequestHandler, type Response } from 'express'
import { minuteMs, type Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { TooManyRequests } from './errors.ts'
import type { RateLimiter } from '../store/store.ts'
import { allowForms, keepPrivate } from './security-headers.ts'
import { sendMessage } from './send-message.ts'
import { createTryLimit, type TryLimit, type TryLimits } from './try-limit.ts'
import type { PageLinks } from './translation.ts'
import { basePathOf, queryOf } from './urls.ts'
import type { RenderPage } from './templates.ts'
import { formOf, readForm, readUpload } from './forms.ts'
import { requireConfiguredOrigin, requireOwnHost } from './same-origin.ts'
import { cookieFrom, isSameText, type AdminAccess } from './sessions.ts'

export const signInTries: TryLimits = {
  windowMs: minuteMs,
  ofClient: 5,
  ofNetwork: 15,
  // Together with the places below, 3,600 per hour.
  ofAll: 24,
  firstPerHour: [1_200, 480, 480],
  // Less than the nine seconds for which the front waits for a response.
  maxWaitMs: 8_000,
}

export type Page = { readonly template: string; readonly shown?: object; readonly status?: number }

/** Result of a form: a page, or a redirect to a path and query string below the first page. */
export type FormResult = (Page | { readonly redirect: string }) & {
  /** Description of the form's change, for the log. */
  readonly done?: string
  readonly about?: Readonly<Record<string, string>>
}

/** Undefined if it does not exist. */
type Result<T> = T | undefined | Promise<T | undefined>

/** A site, or the server, with pages that require a password. */
export type PasswordSite = {
  readonly publicUrl: string
  /** False if the setting is missing. The public URL is then the URL that the server listens on. */
  readonly isPublicUrlSet: boolean
  readonly access: AdminAccess
  readonly signIns: TryLimit
  readonly render: RenderPage
  readonly linkTo: PageLinks['linkTo']
  readonly log: Logger
}

type ReadPage<Site> = (site: Site, query: URLSearchParams, id: string) => Result<Page>
type SubmitForm<Site> = (
  site: Site,
  sent: URLSearchParams,
  id: string,
  query: URLSearchParams,
) => Result<FormResult>

export type PasswordPages<Site> = {
  readonly router: Router
  /** Adds a page. Paths can have one parameter, `:id`. */
  readonly page: (below: string, read: ReadPage<Site>) => void
  readonly form: (below: string, submit: SubmitForm<Site>) => void
}

/** Limits failed sign-ins on the pages below a path. */
export const signInLimit = (path: string, windows: RateLimiter, clock: Clock): TryLimit =>
  createTryLimit({ name: `sign-ins ${path}`, limits: signInTries, windows, clock })

/**
 * Creates pages and forms that require a password, below a path under which logs and metrics list
 * all of them. `siteFor` returns undefined for a site without these pages.
 */
export function createPasswordPages<Site extends PasswordSite>(
  path: '/admin' | '/sites',
  siteFor: (request: Request, response: Response) => Site | undefined,
): PasswordPages<Site> {
  const siteOf = (response: Response) => response.locals['passwordSite'] as Site

  /** Redirects to a path and query string below the first page, in the language of the request. */
  function redirect(response: Response, below = '', status = 303): void {
    const site = siteOf(response)
    response.redirect(status, site.linkTo(`${basePathOf(site)}${path}${below}`))
  }

  const enter: RequestHandler = (request, response, next) => {
    const site = siteFor(request, response)
    response.locals['passwordSite'] = site
    next(site ? undefined : 'router')
  }

  const requireSession: RequestHandler = async (request, response, next) => {
    const site = siteOf(response)
    if (await site.access.isSignedIn(request)) return next()
    if (request.method === 'POST' || request.originalUrl !== site.linkTo(path)) {
      return redirect(response)
    }
    response.send(signInPage(path, site))
  }

  const signOut: RequestHandler = async (request, response) => {
    const { access, log } = siteOf(response)
    const { sessions, cookie } = access
    await sessions.end(cookieFrom(request, cookie))
    audit(log, request, 'admin signed out')
    response.clearCookie(cookie.name, { ...cookie.options, maxAge: 0 })
    redirect(response)
  }

  const signIn: RequestHandler = async (request, response) => {
    const site = siteOf(response)
    const { access, signIns, log } = site
    const { sessions, cookie, browsers, browserCookie } = access
    const { ip: address = '' } = request
    const browserId = await browsers.identify(cookieFrom(request, browserCookie))
    const attempt = await signIns.begin(address, browserId)
    if (!attempt.ok) throw new TooManyRequests('too many sign-ins', attempt.retryAfterMs)
    if (!sessions.isPassword(formOf(request).get('password') ?? '')) {
      log.warn({ address }, 'admin sign-in failed')
      return void response.status(403).send(signInPage(path, site, { isIncorrect: true }))
    }
    await attempt.succeeded()
    const id = await sessions.begin()
    log.info({ address }, 'admin signed in')
    response.cookie(cookie.name, id, cookie.options)
    const browser = await browsers.issue(browserId)
    if (browser !== undefined) response.cookie(browserCookie.name, browser, browserCookie.options)
    redirect(response)
  }

  /** Rejects forms that another site could have sent. */
  const requireToken: RequestHandler = (request, response, next) => {
    const token = tokenOf(request, siteOf(response))
    if (isSameText(formOf(request).get('token') ?? '', token)) return next()
    sendMessage(response, 403, ({ forms }) => forms.expired)
  }

  const reached = (response: Response) => ({ ...siteOf(response), path })
  const router = Router({ caseSensitive: true, strict: true })
  router.use(path, enter, allowForms, keepPrivate, setRoute(path), requireOwnHost(reached))
  router.post(`${path}{/*rest}`, requireConfiguredOrigin(reached))
  router.post(`${path}/sign-in`, readForm, signIn)
  router.use(path, requireSession)
  router.post(`${path}{/*rest}`, readForm, ...readUpload, requireToken)
  router.post(`${path}/sign-out`, signOut)
  router.get(`${path}/`, (_request, response) => redirect(response, '', 301))
  return {
    router,
    page(below, read) {
      router.get(`${path}${below}`, async (request, response, next) => {
        const site = siteOf(response)
        const page = await read(site, queryOf(request.originalUrl), idIn(request))
        return page ? send(request, response, site, page) : next()
      })
    },
    form(below, submit) {
      router.post(`${path}${below}`, async (request, response, next) => {
        const site = siteOf(response)
        const query = queryOf(request.originalUrl)
        const result = await submit(site, formOf(request), idIn(request), query)
        if (!result) return next()
        if (result.done !== undefined) audit(site.log, request, result.done, result.about)
        if ('redirect' in result) {
          return redirect(response, result.redirect)
        }
        send(request, response, site, result)
      })
    },
  }
}

function audit(log: Logger, { ip: address }: Request, done: string, about = {}): void {
  log.info({ address, ...about }, done)
}

function tokenOf(request: Request, { access }: PasswordSite): string {
  return access.sessions.formTokenOf(cookieFrom(request, access.cookie))
}

function send(
  request: Request,
  response: Response,
  site: PasswordSite,
  { template, shown, status = 200 }: Page,
): void {
  const page = { token: tokenOf(request, site), ...shown }
  response.status(status).send(site.render(template, page))
}

const idIn = ({ params }: Request) => String(params['id'] ?? '')

function setRoute(route: string): RequestHandler {
  return ({ method }, response, next) => {
    response.locals['route'] = route
    if (['GET', 'HEAD', 'POST'].includes(method)) return next()
    response.set('Allow', 'GET, HEAD, POST')
    sendMessage(response, 405, 'Only GET, HEAD and POST are allowed here.')
  }
}

function signInPage(path: string, { render }: PasswordSite, { isIncorrect = false } = {}): string {
  return render(path === '/sites' ? 'hosting/sign-in' : 'admin/sign-in', { isIncorrect })
}
