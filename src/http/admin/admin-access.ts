import type { CookieOptions, Request } from 'express'
import type { TimeSource } from '../../clock.ts'
import { basePathOf } from '../server/urls.ts'
import { createKnownBrowsers, knownBrowserMs, type KnownBrowsers } from './known-browsers.ts'
import { createSessions, sessionMs, type Sessions } from './sessions.ts'

export type AdminCookie = { readonly name: string; readonly options: CookieOptions }

/**
 * Returns a cookie's name and options. Over https, the name has a prefix that makes browsers reject
 * insecure cookies (RFC 6265bis 4.1.3). The path separates the cookies of sites that share a host.
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

export type AdminAccess = {
  readonly sessions: Sessions
  readonly cookie: AdminCookie
  readonly browsers: KnownBrowsers
  readonly browserCookie: AdminCookie
  readonly isSignedIn: (request: Request) => Promise<boolean>
}

/** Creates the admin sessions and the cookies that identify them. */
export function createAdminAccess(options: {
  readonly site: { readonly publicUrl: string }
  readonly documents: Parameters<typeof createSessions>[0]
  readonly password: string
  readonly clock: TimeSource
  readonly cookieName?: string
}): AdminAccess {
  const { publicUrl } = options.site
  const { cookieName = 'feedhouse' } = options
  const cookie = adminCookie(publicUrl, cookieName, sessionMs)
  const sessions = createSessions(options.documents, options)
  return {
    sessions,
    cookie,
    browsers: createKnownBrowsers(options.documents),
    browserCookie: adminCookie(publicUrl, `${cookieName}-browser`, knownBrowserMs),
    async isSignedIn(request) {
      const id = cookieFrom(request, cookie)
      return id !== '' && sessions.isSignedIn(id)
    },
  }
}

/** Returns the cookie's value, or an empty string if the request does not have it. */
export function cookieFrom({ headers }: Request, { name }: AdminCookie): string {
  const cookies = (headers.cookie ?? '').split('; ')
  const cookie = cookies.find((text) => text.startsWith(`${name}=`))
  return cookie?.slice(name.length + 1) ?? ''
}
