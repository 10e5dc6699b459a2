import type { RequestHandler, Response } from 'express'
import helmet from 'helmet'

/** Policy for pages, which load nothing from other origins. Pictures come from Feedhouse's cache. */
const page = {
  defaultSrc: ["'none'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'"],
  manifestSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
}

const pageWithForms = {
  ...page,
  scriptSrc: ["'self'"],
  connectSrc: ["'self'"],
  formAction: ["'self'"],
}

export function securityHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: page },
    // Feedhouse speaks plain HTTP; HSTS is up to the proxy that terminates TLS.
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  })
}

function withPolicy(directives: Record<string, string[]>): RequestHandler {
  return helmet.contentSecurityPolicy({ useDefaults: false, directives })
}

export const allowForms = withPolicy(pageWithForms)

/** Keeps pages with forms out of caches, search engines and the referrers of other sites. */
export const keepPrivate: RequestHandler = (_request, response, next) => {
  response.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' })
  sendOrigin(response)
  next()
}

/** Makes browsers send the origin with forms. With no-referrer, they would send `Origin: null`. */
export function sendOrigin(response: Response): void {
  response.set('Referrer-Policy', 'same-origin')
}

/** Policy for pages that show another page of the site in a frame. */
export const allowOwnFrames = withPolicy({ ...pageWithForms, frameSrc: ["'self'"] })

/**
 * Lets other sites embed a page, such as a board in a signage player or a list on the
 * organization's site. Also allows inline scripts with these hashes.
 */
export function allowFraming(...scriptHashes: readonly string[]): RequestHandler {
  const framed = withPolicy({
    ...pageWithForms,
    scriptSrc: ["'self'", ...scriptHashes],
    workerSrc: ["'self'"],
    frameAncestors: ['*'],
  })
  return (request, response, next) => {
    response.removeHeader('X-Frame-Options')
    response.removeHeader('Cross-Origin-Opener-Policy')
    framed(request, response, next)
  }
}
