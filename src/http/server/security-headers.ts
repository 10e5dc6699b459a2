import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** Pages load nothing from elsewhere: their pictures are Feedhouse's own copies. */
const page = {
  defaultSrc: ["'none'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
}

/** Those with forms, and the script that goes with them. */
const pageWithForms = {
  ...page,
  scriptSrc: ["'self'"],
  connectSrc: ["'self'"],
  formAction: ["'self'"],
}

export function securityHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: page },
    // Feedhouse speaks plain HTTP; what terminates TLS decides about HSTS.
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  })
}

export const allowForms: RequestHandler = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: pageWithForms,
})

/** Pages that others may show within theirs: boards in players, lists on the organisation's pages. */
export const allowFraming: RequestHandler = (request, response, next) => {
  response.removeHeader('X-Frame-Options')
  response.removeHeader('Cross-Origin-Opener-Policy')
  framed(request, response, next)
}

const framed = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: { ...pageWithForms, workerSrc: ["'self'"], frameAncestors: ['*'] },
})
