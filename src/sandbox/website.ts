import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { Router, type ErrorRequestHandler, type Response } from 'express'
import type { Website } from './calls.ts'

const ownPaths = /^\/(?:files|manage)\//

/**
 * Creates the parts of the website outside the data service: the public files that records refer
 * to, and the manager's pages.
 */
export function createWebsite(files: string, manager: Router): Website {
  const application = express()
  application.disable('x-powered-by')
  application.disable('etag')
  application.set('query parser', false)
  application.use(fileRoutes(files), manager)
  return {
    owns: (path) => ownPaths.test(path),
    handle: (request: IncomingMessage, response: ServerResponse, next) =>
      application(request as express.Request, response as express.Response, next),
  }
}

function fileRoutes(directory: string): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.use('/files/', express.static(directory, { index: false, redirect: false, setHeaders }))
  router.use('/files/', refusedFile)
  return router
}

/** Sets headers that prevent scripts in uploaded HTML files from running with the website's privileges. */
function setHeaders(response: Response): void {
  response.setHeader('Content-Security-Policy', 'sandbox')
  response.setHeader('X-Content-Type-Options', 'nosniff')
}

/** Responds to unsatisfiable ranges and failed preconditions. */
const refusedFile: ErrorRequestHandler = (error, _request, response, next) => {
  const { status = 500, headers = {} } = error as { status?: number; headers?: object }
  if (response.headersSent || status >= 500) return next(error)
  response.status(status).set(headers).type('text').send('')
}
