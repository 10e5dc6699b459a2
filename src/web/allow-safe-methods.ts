import type { RequestHandler, Response } from 'express'
import { sendMessage } from './send-message.ts'

const allow = 'GET, HEAD'

/** Cache lifetime of preflight responses, which never change. */
const preflightSeconds = 86_400

type Options = {
  /** Returns true for a path that scripts from any origin may read. */
  readonly isOpen?: (response: Response, path: string) => boolean
  /** The routes with other methods. */
  readonly changing?: readonly { readonly method: string; readonly path: string }[]
}

/**
 * Allows only GET, HEAD and the other methods that the routes of a path have, and responds to
 * OPTIONS. Scripts from any origin may read open paths, including with conditional requests.
 */
export function allowSafeMethods(options: Options = {}): RequestHandler {
  const { isOpen = () => false, changing = [] } = options
  const routes = changing.map(({ method, path }) => {
    return { method: method.toUpperCase(), pattern: new URLPattern({ pathname: path }) }
  })
  return (request, response, next) => {
    const { method, path } = request
    // Scripts may also read error responses.
    if (isOpen(response, path)) response.set('Access-Control-Allow-Origin', '*')
    if (method === 'GET' || method === 'HEAD') return next()
    const others = routes
      .filter(({ pattern }) => pattern.test({ pathname: path }))
      .map((route) => route.method)
    if (others.includes(method)) return next()
    response.set('Allow', [allow, ...others].join(', '))
    if (method !== 'OPTIONS')
      return sendMessage(response, 405, 'Only GET and HEAD are allowed here.')
    if (isOpen(response, path)) {
      response.set({
        'Access-Control-Allow-Methods': allow,
        'Access-Control-Allow-Headers': '*',
        'Access-Control-Max-Age': String(preflightSeconds),
      })
    }
    response.status(204).end()
  }
}
