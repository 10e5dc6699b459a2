import express, { type CookieOptions, type Request, type RequestHandler } from 'express'
import { basePathOf } from '../base-path.ts'
import { sentence } from '../sentence.ts'
import { sessionMs } from './sessions.ts'

const largestForm = '16kb'

export type AdminCookie = { readonly name: string; readonly options: CookieOptions }

/**
 * Over https with a prefix by which a browser takes it only from here (RFC 6265bis 4.1.3); sites that
 * share a host have one each.
 */
export function adminCookie(publicUrl: string): AdminCookie {
  const secure = publicUrl.startsWith('https:')
  const path = `${basePathOf({ publicUrl })}/`
  const prefix = path === '/' ? '__Host-' : '__Secure-'
  return {
    name: `${secure ? prefix : ''}feedhouse`,
    options: { httpOnly: true, secure, sameSite: 'strict', path, maxAge: sessionMs },
  }
}

/** Empty for none. */
export function sessionIdOf({ headers }: Request, { name }: AdminCookie): string {
  const cookies = (headers.cookie ?? '').split('; ')
  const cookie = cookies.find((text) => text.startsWith(`${name}=`))
  return cookie?.slice(name.length + 1) ?? ''
}

/**
 * Forms come from the admin page itself; a browser says where from with every form it sends. Where no
 * `PUBLIC_URL` is set, that is wherever it was reached.
 */
export function requireSameOrigin(publicUrl: string, isPublicUrlSet: boolean): RequestHandler {
  return ({ headers }, response, next) => {
    const { origin, host } = headers
    const publicOrigin = new URL(publicUrl).origin
    const own = isPublicUrlSet ? [publicOrigin] : [publicOrigin, `http://${host}`]
    if (origin === undefined || own.includes(origin)) return next()
    const where = isPublicUrlSet ? ` PUBLIC_URL says that it is ${publicUrl}.` : ''
    sentence(
      response,
      403,
      `This form was sent from another address than that of Feedhouse.${where}`,
    )
  }
}

export const readForm = express.text({
  type: 'application/x-www-form-urlencoded',
  limit: largestForm,
})

export function formOf(request: Request): URLSearchParams {
  return new URLSearchParams(typeof request.body === 'string' ? request.body : '')
}
