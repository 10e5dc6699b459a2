import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { RequestHandler, Response } from 'express'
import { siteOf } from './context.ts'
import { sendMessage } from './send-message.ts'
import { pageMessages } from './messages.ts'

/** Returns true for forms from pages at the public URL or the request's host, or without an origin. */
export function isFromOwnPage({ origin, host }: IncomingHttpHeaders, publicUrl: string): boolean {
  const isPublic = origin === undefined || origin === new URL(publicUrl).origin
  return isPublic || URL.parse(origin)?.host === host
}

export const requireSameOrigin: RequestHandler = ({ headers }, response, next) => {
  const { publicUrl, language } = siteOf(response).site
  if (isFromOwnPage(headers, publicUrl)) return next()
  sendMessage(response, 403, pageMessages(language).follow.common.otherOrigin)
}

/** URL at which the admin page or the sites page is reached. */
type Reached = {
  readonly publicUrl: string
  /** False if the setting is missing. The public URL is then the URL that the server listens on. */
  readonly isPublicUrlSet: boolean
  readonly path: '/admin' | '/sites'
}

const settingFor = ({ path }: Reached) => (path === '/sites' ? 'SITES_URL' : 'PUBLIC_URL')

type ReachedBy = (response: Response) => Reached

/** Rejects forms from other origins. Without a public URL, the request's own host is accepted too. */
export function requireConfiguredOrigin(reachedBy: ReachedBy): RequestHandler {
  return ({ headers: { origin, host } }, response, next) => {
    const reached = reachedBy(response)
    const { publicUrl, isPublicUrlSet, path } = reached
    const publicOrigin = new URL(publicUrl).origin
    const own = isPublicUrlSet ? [publicOrigin] : [publicOrigin, `http://${host}`]
    if (origin === undefined || own.includes(origin)) return next()
    sendMessage(response, 403, ({ forms }) =>
      isPublicUrlSet
        ? forms.otherAddressThan(`${publicUrl}${path}`, settingFor(reached))
        : forms.otherAddress,
    )
  }
}

/**
 * Rejects unknown host names if there is no public URL. This prevents DNS rebinding: an attacker's host
 * name that resolves to this server would count as the same origin. IP addresses are safe.
 */
export function requireOwnHost(reachedBy: ReachedBy): RequestHandler {
  return ({ headers: { host } }, response, next) => {
    const reached = reachedBy(response)
    const { hostname: own } = new URL(reached.publicUrl)
    const name = URL.parse(`http://${host}`)?.hostname ?? ''
    const isOwn = [own, 'localhost'].includes(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0
    if (reached.isPublicUrlSet || isOwn) return next()
    sendMessage(response, 403, ({ forms }) => forms.otherHost(settingFor(reached)))
  }
}
