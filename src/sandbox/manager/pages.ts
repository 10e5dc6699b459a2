import { resolve } from 'node:path'
import { Eta } from 'eta'
import { resourceNames } from '../resources/resources.ts'
import { siteDateTime } from '../site-dates.ts'
import type { CallLog } from '../state/call-log.ts'
import type { Project, Projects } from '../state/projects.ts'
import type { Throttle } from '../state/throttle.ts'
import type { Tokens } from '../state/tokens.ts'
import { projectFormOf, type ProjectForm } from './project-form.ts'

export const templates = resolve(import.meta.dirname, '../../../templates/sandbox')

export type PageOptions = {
  readonly timeZone: string
  readonly refreshTokenSeconds: number
  readonly projects: Projects
  readonly tokens: Tokens
  readonly throttle: Throttle
  readonly callLog: CallLog
  /** Returns sentences that describe the errors in the dataset. */
  readonly datasetFaults: () => readonly string[]
}

export type Pages = {
  readonly signIn: (fault?: string) => string
  readonly projects: (name?: string, faults?: readonly string[]) => string
  /** Renders a project's page. `newToken` is a new refresh token, which is shown only once. */
  readonly project: (project: Project, newToken?: string) => string
  /** Renders a project's page with errors, keeping the submitted values in the form. */
  readonly projectWithFaults: (
    project: Project,
    typed: ProjectForm,
    faults: readonly string[],
  ) => string
  readonly statistics: (project: Project) => string
  readonly statisticsOfNoProject: () => string
  readonly fault: (sentence: string) => string
}

/**
 * Creates functions that render the manager's pages. The errors are sentences about the submitted
 * form.
 */
export function createPages(options: PageOptions): Pages {
  const { projects, tokens, throttle, callLog } = options
  const eta = new Eta({ views: templates, autoTrim: false })

  function renderProject(
    project: Project,
    shown: {
      readonly typed: ProjectForm
      readonly newToken: string | undefined
      readonly faults: readonly string[]
    },
  ): string {
    const issuedAt = tokens.refreshTokenIssuedAt(project.id) ?? 0
    const expiresAt = issuedAt + options.refreshTokenSeconds * 1000
    const expires = siteDateTime(expiresAt, options.timeZone)
    return eta.render('./project', { project, resourceNames, expires, ...shown })
  }

  return {
    signIn: (fault = '') => eta.render('./sign-in', { fault }),

    projects(name = '', faults = []) {
      return eta.render('./projects', {
        projects: projects.all().map((project) => ({
          ...project,
          consumption: throttle.consumption(project.id),
        })),
        datasetFaults: options.datasetFaults(),
        name,
        faults,
      })
    },

    project(project, newToken) {
      return renderProject(project, { typed: projectFormOf(project), newToken, faults: [] })
    },

    projectWithFaults(project, typed, faults) {
      return renderProject(project, { typed, newToken: undefined, faults })
    },

    statistics(project) {
      const consumption = throttle.consumption(project.id)
      return eta.render('./statistics', {
        project,
        consumption,
        ...callLog.statistics(project.id),
      })
    },

    statisticsOfNoProject: () =>
      eta.render('./statistics', { consumption: [], ...callLog.statistics(undefined) }),

    fault: (sentence) => eta.render('./fault', { sentence }),
  }
}
