import { Router, type ErrorRequestHandler, type RequestHandler } from 'express'
import { createPages, templates, type PageOptions } from './pages.ts'
import { managerPath, signInPath } from './paths.ts'
import { projectRoutes } from './project-routes.ts'
import { readForm, requireSameOrigin, sessionIdOf } from './requests.ts'
import type { Sessions } from './sessions.ts'
import { signInRoutes } from './sign-in-routes.ts'

const headers = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
}

export type ManagerOptions = PageOptions & {
  readonly sessions: Sessions
  readonly report: (error: unknown) => void
}

/** Serves the manager pages in the Members Area, with API Projects and their statistics. */
export function managerRoutes(options: ManagerOptions): Router {
  const { sessions, report } = options
  const pages = createPages(options)
  const router = Router({ caseSensitive: true, strict: true })

  const requireSession: RequestHandler = (request, response, next) => {
    if (sessions.isSignedIn(sessionIdOf(request))) return next()
    response.redirect(303, signInPath)
  }

  const failure: ErrorRequestHandler = (error, _request, response, next) => {
    if (response.headersSent) return next(error)
    const status = error instanceof Error && 'status' in error ? Number(error.status) : 500
    if (status === 500) report(error)
    const sentence = status === 500 ? 'Something went wrong.' : 'The request is invalid.'
    response.status(status).send(pages.fault(sentence))
  }

  router.use('/manage/', (_request, response, next) => {
    response.set(headers)
    next()
  })
  router.get('/manage/style.css', (_request, response) => {
    response.sendFile('style.css', { root: templates })
  })
  router.post('/manage/{*path}', requireSameOrigin, readForm)
  router.use(signInRoutes(sessions, pages))
  router.use(managerPath, requireSession)
  router.use(projectRoutes(options, pages))
  router.use('/manage/', failure)
  return router
}
