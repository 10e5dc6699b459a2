import { Router, type Request, type RequestHandler, type Response } from 'express'
import { newProject, readProjectSettings } from '../project-settings.ts'
import type { Project, Projects } from '../state/projects.ts'
import type { Tokens } from '../state/tokens.ts'
import type { Pages } from './pages.ts'
import { managerPath } from './paths.ts'
import { projectFormFrom, typedSettingsOf } from './project-form.ts'
import { formOf, sessionIdOf } from './requests.ts'
import type { Sessions } from './sessions.ts'

export type ProjectRouteOptions = {
  readonly sessions: Sessions
  readonly projects: Projects
  readonly tokens: Tokens
}

/** Serves the pages of API Projects to signed-in managers. */
export function projectRoutes(options: ProjectRouteOptions, pages: Pages): Router {
  const { sessions, projects, tokens } = options
  const router = Router({ caseSensitive: true, strict: true })

  const withProject =
    (handle: (project: Project, request: Request, response: Response) => void): RequestHandler =>
    (request, response) => {
      const id = String(request.params['id'])
      const project = /^\d{1,15}$/.test(id) ? projects.find(Number(id)) : undefined
      if (project) handle(project, request, response)
      else response.status(404).send(pages.fault('Unknown API Project.'))
    }

  /** Redirects to the project's page, which shows the token once. */
  function showToken(request: Request, response: Response, id: number, refreshToken: string): void {
    sessions.keepToken(sessionIdOf(request), id, refreshToken)
    response.redirect(303, `${managerPath}${id}/`)
  }

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

  return router
}
