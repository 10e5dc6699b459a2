import { Router, type Request, type RequestHandler, type Response } from 'express'
import { minuteMs, type TimeSource } from '../../clock.ts'
import type { Logger } from '../../log.ts'
import { TooManyRequests } from '../responses/errors.ts'
import { defaultLanguage } from '../../records/language.ts'
import type { RateLimiter } from '../../store/store.ts'
import { pageMessages } from '../pages/messages.ts'
import { allowForms } from '../responses/security-headers.ts'
import { sendMessage } from '../responses/send-message.ts'
import { createTryLimit, type TryLimits } from '../server/try-limit.ts'
import { basePathOf, queryOf } from '../server/urls.ts'
import type { RenderPage } from '../templates.ts'
import { formOf, readForm, readUpload, requireOwnHost, requireSameOrigin } from './requests.ts'
import { cookieFrom, isSameText, type AdminAccess } from './sessions.ts'

export const signInTries: TryLimits = { windowMs: minuteMs, ofClient: 5, ofAll: 60 }

export type Page = { readonly template: string; readonly shown?: object; readonly status?: number }

/** Result of a form: a page, or a redirect to a path and query string below the first page. */
export type FormResult = (Page | { readonly redirect: string }) & {
  /** Description of the form's change, for the log. */
  readonly done?: string
  readonly about?: Readonly<Record<string, string>>
}

/** Undefined if it does not exist. */
type Result<T> = T | undefined | Promise<T | undefined>

export type PasswordPages = ReturnType<typeof createPasswordPages>

type ReadPage = (query: URLSearchParams, id: string) => Result<Page>
type SubmitForm = (sent: URLSearchParams, id: string, query: URLSearchParams) => Result<FormResult>

type Options = Parameters<typeof requireOwnHost>[0] & {
  readonly access: AdminAccess
  readonly render: RenderPage
  readonly windows: RateLimiter
  readonly clock: TimeSource
  readonly log: Logger
}

/** Pages that require a password are in English. */
const english = pageMessages(defaultLanguage)

/** Creates pages and forms that require a password. Paths can have one parameter, `:id`. */
export function createPasswordPages(options: Options) {
  // Path of the first page, under which logs and metrics list all of the pages.
  const { path, publicUrl, access, render, log } = options
  const { sessions, cookie } = access
  const home = `${basePathOf({ publicUrl })}${path}`
  const tokenOf = (request: Request) => sessions.formTokenOf(cookieFrom(request, cookie))

  const audit = ({ ip: address }: Request, done: string, about = {}) =>
    log.info({ address, ...about }, done)

  function send(request: Request, response: Response, { template, shown, status = 200 }: Page) {
    response
      .status(status)
      .send(render(template, { token: tokenOf(request), t: english, ...shown }))
  }

  const requireSession: RequestHandler = async (request, response, next) => {
    if (await access.isSignedIn(request)) return next()
    if (request.method === 'POST' || request.originalUrl !== path) {
      return response.redirect(303, home)
    }
    response.send(signInPage(options))
  }

  /** Rejects forms that another site could have sent. */
  const requireToken: RequestHandler = (request, response, next) => {
    if (isSameText(formOf(request).get('token') ?? '', tokenOf(request))) return next()
    sendMessage(response, 403, 'Your session has expired. Reload the admin page.')
  }

  const signOut: RequestHandler = async (request, response) => {
    await sessions.end(cookieFrom(request, cookie))
    audit(request, 'admin signed out')
    response.clearCookie(cookie.name, { ...cookie.options, maxAge: 0 })
    response.redirect(303, home)
  }

  const router = Router({ caseSensitive: true, strict: true })
  router.use(path, allowForms, setHeaders(path), requireOwnHost(options))
  router.post(`${path}{/*rest}`, requireSameOrigin(options))
  router.post(`${path}/sign-in`, readForm, signIn(options, home))
  router.use(path, requireSession)
  router.post(`${path}{/*rest}`, readForm, ...readUpload, requireToken)
  router.post(`${path}/sign-out`, signOut)
  router.get(`${path}/`, (_request, response) => response.redirect(301, home))
  return {
    router,
    page: (below: string, read: ReadPage) =>
      router.get(`${path}${below}`, async (request, response, next) => {
        const page = await read(queryOf(request.originalUrl), idIn(request))
        return page ? send(request, response, page) : next()
      }),
    form: (below: string, submit: SubmitForm) =>
      router.post(`${path}${below}`, async (request, response, next) => {
        const query = queryOf(request.originalUrl)
        const result = await submit(formOf(request), idIn(request), query)
        if (!result) return next()
        if (result.done !== undefined) audit(request, result.done, result.about)
        if ('redirect' in result) return response.redirect(303, `${home}${result.redirect}`)
        send(request, response, result)
      }),
  }
}

const idIn = ({ params }: Request) => String(params['id'] ?? '')

function setHeaders(route: string): RequestHandler {
  return ({ method }, response, next) => {
    response.locals['route'] = route
    response.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' })
    // With no-referrer, browsers would send forms with `Origin: null`.
    response.set('Referrer-Policy', 'same-origin')
    if (['GET', 'HEAD', 'POST'].includes(method)) return next()
    response.set('Allow', 'GET, HEAD, POST')
    sendMessage(response, 405, 'Only GET, HEAD and POST are allowed here.')
  }
}

function signInPage({ path, render }: Options, fault = ''): string {
  return render(path === '/sites' ? 'sites-sign-in' : 'admin-sign-in', { t: english, fault })
}

function signIn(options: Options, home: string): RequestHandler {
  const { path, windows, clock, log } = options
  const { sessions, cookie, browsers, browserCookie } = options.access
  const limit = createTryLimit({ name: `sign-ins ${path}`, limits: signInTries, windows, clock })
  return async (request, response) => {
    const { ip: address = '' } = request
    const browserId = await browsers.identify(cookieFrom(request, browserCookie))
    const attempt = await limit.begin(address, browserId)
    if (!attempt.ok) throw new TooManyRequests('too many sign-ins', attempt.retryAfterMs)
    if (!sessions.isPassword(formOf(request).get('password') ?? '')) {
      log.warn({ address }, 'admin sign-in failed')
      return void response.status(403).send(signInPage(options, 'Incorrect password.'))
    }
    await attempt.succeeded()
    const id = await sessions.begin()
    log.info({ address }, 'admin signed in')
    response.cookie(cookie.name, id, cookie.options)
    const browser = await browsers.issue(browserId)
    if (browser !== undefined) response.cookie(browserCookie.name, browser, browserCookie.options)
    response.redirect(303, home)
  }
}
