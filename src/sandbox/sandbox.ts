import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpsServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { createServer as createHttpServer } from '../node-http.ts'
import { serveCalls } from './calls.ts'
import { localhostCertificate } from './certificate.ts'
import { createDataService } from './data-service.ts'
import { listen } from './listen.ts'
import { managerPath } from './manager/paths.ts'
import { managerRoutes } from './manager/routes.ts'
import { createSessions } from './manager/sessions.ts'
import { newProject } from './project-settings.ts'
import type { Dataset } from './resources/resources.ts'
import { sampleSiteName, sampleTimeZone } from './sample/sample-dataset.ts'
import type { Projects } from './state/projects.ts'
import { openState } from './state/state.ts'
import { tokenLifetimes } from './state/tokens.ts'
import { openWebsiteRecords } from './website-records.ts'
import { createWebsite } from './website.ts'

const passwordBytes = 12

const httpOptions = {
  // Node's default of 16 KiB is too small for the longest allowed query.
  maxHeaderSize: 64 * 1024,
  // Node's response to a missing Host header would violate the specification.
  requireHostHeader: false,
}

/** Defaults from the specification. */
export const sandboxDefaults = {
  ...tokenLifetimes,
  httpsPort: 0,
  httpPort: 0,
  timeZone: sampleTimeZone,
  callsPerMinute: 30,
  callsPerDay: 5000,
  lockoutSeconds: 60 * 60,
  apiEnabled: true,
  now: Date.now,
  report: (error: unknown): void => {
    process.stderr.write(`sandbox: ${typeof error === 'string' ? error : inspect(error)}\n`)
  },
}

export type SandboxOptions = Partial<typeof sandboxDefaults> & {
  /** Directory for projects, tokens, calls and the certificate authority. Without it, nothing is persisted. */
  readonly dataDirectory?: string
  /** Directory for the certificate authority only, if nothing else should be persisted. */
  readonly certificateDirectory?: string
  /** Directory with the organization's own records. Without it, the sandbox serves sample records. */
  readonly datasetDirectory?: string
  /** Returns the records for a day. Overrides the dataset directory and the sample. */
  readonly datasetOn?: (today: string) => Dataset
}

/** API Project. The refresh token is only set if the project was created by this run. */
export type SandboxProject = {
  readonly id: number
  readonly name: string
  readonly refreshToken?: string
}

export type Sandbox = AsyncDisposable & {
  readonly url: string
  readonly httpUrl: string
  readonly caFile: string
  readonly siteName: string
  readonly timeZone: string
  readonly projects: readonly SandboxProject[]
  /** URL and password of the page that manages API Projects. */
  readonly manager: { readonly url: string; readonly password: string }
}

/** Starts the data service. If there is no API Project, creates one named demo. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = { ...sandboxDefaults, ...options }
  const { dataDirectory, certificateDirectory = dataDirectory, now, report } = settings
  await using starting = new AsyncDisposableStack()
  const records = openWebsiteRecords(options.datasetDirectory, report)
  const state = starting.use(openState(dataDirectory, settings))
  const { caFile, cert, key } = await localhostCertificate(
    certificateDirectory ?? temporaryDirectory(starting),
  )

  const https = createHttpsServer({ ...httpOptions, cert, key })
  const url = `https://localhost:${await listen(https, settings.httpsPort, starting)}`
  const datasetOn = options.datasetOn ?? records.datasetOn
  const service = createDataService({ ...settings, ...state, datasetOn, url })
  const password = randomBytes(passwordBytes).toString('base64url')
  const sessions = createSessions({ password, now })
  const manager = managerRoutes({ ...records, ...settings, ...state, sessions })
  serveCalls(https, service, { isSecure: true, website: createWebsite(records.files, manager) })

  const http = createHttpServer(httpOptions)
  serveCalls(http, service, { isSecure: false })
  const httpUrl = `http://localhost:${await listen(http, settings.httpPort, starting)}`

  const running = starting.move()
  return {
    url,
    httpUrl,
    caFile,
    siteName: sampleSiteName,
    timeZone: settings.timeZone,
    projects: projectsAtStart(state.projects),
    manager: { url: `${url}${managerPath}`, password },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function projectsAtStart(projects: Projects): readonly SandboxProject[] {
  const known = projects.all()
  if (known.length > 0) return known.map(({ id, name }) => ({ id, name }))
  const { id, name, refreshToken } = projects.add({ ...newProject, name: 'demo' })
  return [{ id, name, refreshToken }]
}

function temporaryDirectory(starting: AsyncDisposableStack): string {
  const directory = mkdtempSync(join(tmpdir(), 'feedhouse-sandbox-'))
  starting.defer(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
