import type { RequestHandler } from 'express'
import type { Route } from '../server/shared-router.ts'
import { sendMessage } from './send-message.ts'

const allow = 'GET, HEAD'

/** Cache lifetime of preflight responses, which never change. */
const preflightSeconds = 86_400

/**
 * Allows only GET, HEAD and the other methods that the routes of a path have, and responds to
 * OPTIONS. Scripts from any origin may read `openPaths`, including with conditional requests.
 */
export function allowSafeMethods(
  openPaths: ReadonlySet<string>,
  routes: readonly Route[] = [],
): RequestHandler {
  const changing = routes.filter((route) => route.method !== 'get')
  return (request, response, next) => {
    const { method, path } = request
    // Scripts may also read error responses.
    if (openPaths.has(path)) response.set('Access-Control-Allow-Origin', '*')
    if (method === 'GET' || method === 'HEAD') return next()
    const others = changing
      .filter((route) => new URLPattern({ pathname: route.path }).test({ pathname: path }))
      .map((route) => route.method.toUpperCase())
    if (others.includes(method)) return next()
    response.set('Allow', [allow, ...others].join(', '))
    if (method !== 'OPTIONS')
      return sendMessage(response, 405, 'Only GET and HEAD are allowed here.')
    if (openPaths.has(path)) {
      response.set({
        'Access-Control-Allow-Methods': allow,
        'Access-Control-Allow-Headers': '*',
        'Access-Control-Max-Age': String(preflightSeconds),
      })
    }
    response.status(204).end()
  }
}
