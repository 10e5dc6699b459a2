import express, { type CookieOptions, type Request, type RequestHandler } from 'express'

const largestForm = '16kb'

/** Name of the cookie. The prefix makes browsers accept it only from this host over TLS. */
export const cookieName = '__Host-sandbox'
export const cookieOptions: CookieOptions = {
  httpOnly: true,
  secure: true,
  sameSite: 'strict',
  path: '/',
}

/** Rejects forms from other origins. Browsers send an `Origin` header with every form. */
export const requireSameOrigin: RequestHandler = (request, response, next) => {
  const { origin, host } = request.headers
  if (origin === undefined || origin === `https://${host}`) return next()
  response.status(403).type('text').send('This form was submitted from another website.')
}

export const readForm = express.text({
  type: 'application/x-www-form-urlencoded',
  limit: largestForm,
})

export function formOf(request: Request): URLSearchParams {
  return new URLSearchParams(typeof request.body === 'string' ? request.body : '')
}

export function sessionIdOf(request: Request): string | undefined {
  const cookies = (request.headers.cookie ?? '').split('; ')
  const cookie = cookies.find((text) => text.startsWith(`${cookieName}=`))
  return cookie?.slice(cookieName.length + 1)
}
