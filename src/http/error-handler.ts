import type { ErrorRequestHandler, RequestHandler, Response } from 'express'
import { CollectionUnavailable } from '../collections/collection.ts'
import type { Logger } from '../log.ts'
import { BadOption } from './bad-option.ts'
import { PrivateFeed } from './private-feed.ts'

/** The one place where errors become statuses. */
export function errorHandler(log: Logger): ErrorRequestHandler {
  return (error, request, response, next) => {
    if (response.headersSent) return next(error)
    if (error instanceof BadOption) return sentence(response, 400, error.message)
    if (error instanceof PrivateFeed) return sentence(response, 403, error.message)
    if (error instanceof CollectionUnavailable) {
      response.set('Retry-After', String(Math.max(1, Math.ceil(error.retryAfterMs / 1000))))
      return sentence(response, 503, 'The website has not been read yet. Please try again shortly.')
    }
    if (isClientError(error)) {
      return sentence(response, error.status, 'The request cannot be answered as it is.')
    }
    log.error({ err: error, method: request.method }, 'request failed')
    return sentence(response, 500, 'Something went wrong here. It has been logged.')
  }
}

export const notFound: RequestHandler = (_request, response) => {
  sentence(response, 404, 'There is nothing here.')
}

export const readingMethodsOnly: RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') return next()
  response.set('Allow', 'GET, HEAD')
  sentence(response, 405, 'Only GET and HEAD are answered here.')
}

/** As Express and its file sending throw them: a malformed address, a range out of reach. */
function isClientError(error: unknown): error is Error & { readonly status: number } {
  if (!(error instanceof Error) || !('status' in error)) return false
  return typeof error.status === 'number' && error.status >= 400 && error.status < 500
}

function sentence(response: Response, status: number, text: string): void {
  response.status(status).set('Cache-Control', 'no-store').type('text/plain').send(`${text}\n`)
}
