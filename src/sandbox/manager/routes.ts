import {
  Router,
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import { newProject, readProjectSettings } from '../project-settings.ts'
import type { Project } from '../state/projects.ts'
import { createPages, templates, type PageOptions } from './pages.ts'
import { projectFormFrom, typedSettingsOf } from './project-form.ts'
import {
  cookieName,
  cookieOptions,
  formOf,
  readForm,
  requireSameOrigin,
  sessionIdOf,
} from './requests.ts'
import type { Sessions } from './sessions.ts'

export const managerPath = '/manage/api/'
const signInPath = '/manage/sign-in/'

const headers = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
}

/** The manager's part of the Members Area: API Projects and their statistics. */
export function managerRoutes(
  options: PageOptions & {
    readonly sessions: Sessions
    readonly report: (error: unknown) => void
  },
): Router {
  const { sessions, projects, tokens } = options
  const pages = createPages(options)
  const router = Router({ caseSensitive: true, strict: true })

  const requireSession: RequestHandler = (request, response, next) => {
    if (sessions.isSignedIn(sessionIdOf(request))) return next()
    response.redirect(303, signInPath)
  }

  const withProject =
    (handle: (project: Project, request: Request, response: Response) => void): RequestHandler =>
    (request, response) => {
      const id = String(request.params['id'])
      const project = /^\d{1,15}$/.test(id) ? projects.find(Number(id)) : undefined
      if (project) handle(project, request, response)
      else response.status(404).send(pages.fault('There is no such API Project.'))
    }

  /** The page of the project shows the token, once. */
  function showToken(request: Request, response: Response, id: number, refreshToken: string): void {
    sessions.keepToken(sessionIdOf(request), id, refreshToken)
    response.redirect(303, `${managerPath}${id}/`)
  }

  router.use('/manage/', (_request, response, next) => {
    response.set(headers)
    next()
  })
  router.post('/manage/{*path}', requireSameOrigin, readForm)

  router.get('/manage/style.css', (_request, response) => {
    response.sendFile('style.css', { root: templates })
  })

  router.get(signInPath, (_request, response) => void response.send(pages.signIn()))

  router.post(signInPath, (request, response) => {
    const outcome = sessions.signIn(formOf(request).get('password') ?? '')
    if (outcome.ok) {
      response.cookie(cookieName, outcome.id, cookieOptions)
      response.redirect(303, managerPath)
    } else if (outcome.reason === 'wrong') {
      response.status(403).send(pages.signIn('The password is not right.'))
    } else {
      response.status(429).send(pages.signIn('Too many tries; wait a minute.'))
    }
  })

  router.post('/manage/sign-out/', (request, response) => {
    sessions.end(sessionIdOf(request))
    response.clearCookie(cookieName, cookieOptions)
    response.redirect(303, signInPath)
  })

  router.use(managerPath, requireSession)

  router.get(managerPath, (_request, response) => void response.send(pages.projects()))

  router.post(managerPath, (request, response) => {
    const name = formOf(request).get('name') ?? ''
    const reading = readProjectSettings({ name })
    if (!reading.ok) return void response.status(400).send(pages.projects(name, reading.faults))
    const { id, refreshToken } = projects.add({ ...newProject, ...reading.settings })
    showToken(request, response, id, refreshToken)
  })

  router.get(
    `${managerPath}:id/`,
    withProject((project, request, response) => {
      const isSeen = request.method === 'GET'
      const newToken = isSeen ? sessions.takeToken(sessionIdOf(request), project.id) : undefined
      response.send(pages.project(project, newToken))
    }),
  )

  router.post(
    `${managerPath}:id/`,
    withProject((project, request, response) => {
      const form = projectFormFrom(formOf(request))
      const reading = readProjectSettings(typedSettingsOf(form))
      if (!reading.ok) {
        const page = pages.projectWithFaults(project, form, reading.faults)
        return void response.status(400).send(page)
      }
      projects.set(project.id, reading.settings)
      response.redirect(303, managerPath)
    }),
  )

  router.post(
    `${managerPath}:id/regenerate/`,
    withProject(({ id }, request, response) => {
      showToken(request, response, id, tokens.regenerate(id))
    }),
  )

  router.get(`${managerPath}none/statistics/`, (_request, response) => {
    response.send(pages.statisticsOfNoProject())
  })

  router.get(
    `${managerPath}:id/statistics/`,
    withProject((project, _request, response) => void response.send(pages.statistics(project))),
  )

  const failure: ErrorRequestHandler = (error, _request, response, next) => {
    if (response.headersSent) return next(error)
    const status = error instanceof Error && 'status' in error ? Number(error.status) : 500
    if (status === 500) options.report(error)
    const sentence = status === 500 ? 'Something went wrong.' : 'The request cannot be read.'
    response.status(status).send(pages.fault(sentence))
  }
  router.use('/manage/', failure)
  return router
}
