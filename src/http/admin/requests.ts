import { isIP } from 'node:net'
import express, { type Request, type RequestHandler } from 'express'
import { sendMessage } from '../server/send-message.ts'

const maxFormSize = '16kb'

/**
 * Rejects forms from other origins. If `PUBLIC_URL` is not set, the request's own host is an accepted
 * origin.
 */
export function requireSameOrigin(publicUrl: string, isPublicUrlSet: boolean): RequestHandler {
  return ({ headers }, response, next) => {
    const { origin, host } = headers
    const publicOrigin = new URL(publicUrl).origin
    const own = isPublicUrlSet ? [publicOrigin] : [publicOrigin, `http://${host}`]
    if (origin === undefined || own.includes(origin)) return next()
    const advice = isPublicUrlSet
      ? ` Open the admin page at ${publicUrl}/admin, or correct PUBLIC_URL.`
      : ''
    sendMessage(response, 403, `This form was submitted from a page at another address.${advice}`)
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
