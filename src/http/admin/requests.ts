import { isIP } from 'node:net'
import express, { type CookieOptions, type Request, type RequestHandler } from 'express'
import type { Clock } from '../../clock.ts'
import { basePathOf } from '../server/urls.ts'
import { sendMessage } from '../server/send-message.ts'
import { createKnownBrowsers, knownBrowserMs, type KnownBrowsers } from './known-browsers.ts'
import { createSessions, sessionMs, type Sessions } from './sessions.ts'

const maxFormSize = '16kb'

export type AdminCookie = { readonly name: string; readonly options: CookieOptions }

/**
 * Over https, the name has a prefix that binds the cookie to this host (RFC 6265bis 4.1.3). The path
 * separates the cookies of sites that share a host.
 */
function adminCookie(publicUrl: string, name: string, maxAge: number): AdminCookie {
  const secure = publicUrl.startsWith('https:')
  const path = `${basePathOf({ publicUrl })}/`
  const prefix = path === '/' ? '__Host-' : '__Secure-'
  return {
    name: `${secure ? prefix : ''}${name}`,
    options: { httpOnly: true, secure, sameSite: 'strict', path, maxAge },
  }
}

export type AdminSessions = {
  readonly sessions: Sessions
  readonly cookie: AdminCookie
  readonly browsers: KnownBrowsers
  readonly browserCookie: AdminCookie
  readonly isSignedIn: (request: Request) => Promise<boolean>
}

/** Creates the admin page's sessions, and the cookies that identify them. */
export function createAdminSessions(options: {
  readonly site: { readonly publicUrl: string }
  readonly documents: Parameters<typeof createSessions>[0]
  readonly password: string
  readonly clock: Pick<Clock, 'now'>
}): AdminSessions {
  const { publicUrl } = options.site
  const cookie = adminCookie(publicUrl, 'feedhouse', sessionMs)
  const sessions = createSessions(options.documents, options)
  return {
    sessions,
    cookie,
    browsers: createKnownBrowsers(options.documents),
    browserCookie: adminCookie(publicUrl, 'feedhouse-browser', knownBrowserMs),
    async isSignedIn(request) {
      const id = cookieFrom(request, cookie)
      return id !== '' && sessions.isSignedIn(id)
    },
  }
}

/** Returns the value of a cookie, or an empty string. */
export function cookieFrom({ headers }: Request, { name }: AdminCookie): string {
  const cookies = (headers.cookie ?? '').split('; ')
  const cookie = cookies.find((text) => text.startsWith(`${name}=`))
  return cookie?.slice(name.length + 1) ?? ''
}

/** Rejects forms from other origins. Without `PUBLIC_URL`, also accepts the requested host as origin. */
export function requireSameOrigin(publicUrl: string, isPublicUrlSet: boolean): RequestHandler {
  return ({ headers }, response, next) => {
    const { origin, host } = headers
    const publicOrigin = new URL(publicUrl).origin
    const own = isPublicUrlSet ? [publicOrigin] : [publicOrigin, `http://${host}`]
    if (origin === undefined || own.includes(origin)) return next()
    const where = isPublicUrlSet ? ` PUBLIC_URL is ${publicUrl}.` : ''
    sendMessage(
      response,
      403,
      `This form was sent from an address that is not Feedhouse’s own.${where}`,
    )
  }
}

/**
 * Rejects unknown host names if `PUBLIC_URL` is not set. This prevents DNS rebinding: an attacker's
 * host name that resolves to this server would count as the same origin. IP addresses are safe.
 */
export function requireOwnHost(publicUrl: string, isPublicUrlSet: boolean): RequestHandler {
  const { hostname: own } = new URL(publicUrl)
  return ({ headers: { host } }, response, next) => {
    const address = `http://${host}`
    const name = URL.canParse(address) ? new URL(address).hostname : ''
    const isOwn = [own, 'localhost'].includes(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0
    if (isPublicUrlSet || isOwn) return next()
    sendMessage(
      response,
      403,
      'The admin page is not available at this host name. Set PUBLIC_URL to the address of Feedhouse, or open the page by IP address.',
    )
  }
}

export const readForm = express.text({
  type: 'application/x-www-form-urlencoded',
  limit: maxFormSize,
})

export function formOf(request: Request): URLSearchParams {
  return new URLSearchParams(typeof request.body === 'string' ? request.body : '')
}
