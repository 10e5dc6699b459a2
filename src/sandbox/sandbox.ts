import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { answerUnreadable, createPlainApplication, createSecureApplication } from './application.ts'
import { localhostCertificate } from './certificate.ts'
import { createDataService, type DataService } from './data-service.ts'
import { openDataset } from './dataset.ts'
import { fileRoutes } from './file-routes.ts'
import { managerPath, managerRoutes } from './manager/routes.ts'
import { createSessions } from './manager/sessions.ts'
import { newProject } from './project-settings.ts'
import type { Dataset } from './resources/resources.ts'
import {
  sampleDatasetOn,
  sampleFiles,
  sampleSiteName,
  sampleTimeZone,
} from './sample/sample-dataset.ts'
import { createCallLog } from './state/call-log.ts'
import { openDatabase } from './state/database.ts'
import { createLockout } from './state/lockout.ts'
import { createProjects, type Projects } from './state/projects.ts'
import { createThrottle } from './state/throttle.ts'
import { createTokens, type Tokens } from './state/tokens.ts'

const host = '127.0.0.1'

/** Node's own 16 KiB would leave little beside a query of ten thousand characters. */
const maxHeaderSize = 64 * 1024
const passwordBytes = 12

/** As the specification has them. */
const defaults = {
  httpsPort: 0,
  httpPort: 0,
  timeZone: sampleTimeZone,
  accessTokenSeconds: 24 * 60 * 60,
  refreshTokenSeconds: 365 * 24 * 60 * 60,
  callsPerMinute: 30,
  callsPerDay: 5000,
  lockoutSeconds: 60 * 60,
  apiEnabled: true,
  now: Date.now,
  report: (error: unknown): void => {
    process.stderr.write(`sandbox: ${typeof error === 'string' ? error : inspect(error)}\n`)
  },
}

export type SandboxOptions = Partial<typeof defaults> & {
  /** Keeps projects, tokens, calls and the certificate authority; without it, for this run alone. */
  readonly dataDirectory?: string
  /** Keeps the certificate authority, where that is to last and the rest is not. */
  readonly certificateDirectory?: string
  /** The organisation's own records; without it, the sample. */
  readonly datasetDirectory?: string
  /** The records on a day, instead of either. */
  readonly datasetOn?: (today: string) => Dataset
}

/** A refresh token is known only to who made it: the first start of a data directory. */
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
  /** Where API Projects are managed, and the password that lets in. */
  readonly manager: { readonly url: string; readonly password: string }
}

/** Starts the data service. When there is no API Project yet, it makes one named demo. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = { ...defaults, ...options }
  await using starting = new AsyncDisposableStack()
  const records = recordsOf(settings)
  const database = openDatabase(options.dataDirectory)
  starting.defer(() => database.close())
  const projects = createProjects(database)
  const tokens = createTokens(database, settings)
  const throttle = createThrottle(database, settings)
  const callLog = createCallLog(database, settings)
  const lockout = createLockout(database, settings)

  const certificateDirectory =
    options.certificateDirectory ?? options.dataDirectory ?? temporaryDirectory(starting)
  const { caFile, cert, key } = await localhostCertificate(certificateDirectory)
  const https = createHttpsServer({ cert, key, maxHeaderSize })
  const http = createHttpServer({ maxHeaderSize })
  const url = `https://localhost:${await listen(https, settings.httpsPort, starting)}`

  const state = { projects, tokens, throttle, callLog, lockout }
  const service = createDataService({ ...settings, ...records, ...state, url })
  const password = randomBytes(passwordBytes).toString('base64url')
  const sessions = createSessions({ password, now: settings.now })
  const website = [
    fileRoutes(records.files),
    managerRoutes({ ...settings, ...records, ...state, sessions }),
  ]
  answer(https, createSecureApplication(service, website), service)
  answer(http, createPlainApplication(service), service)
  const httpUrl = `http://localhost:${await listen(http, settings.httpPort, starting)}`

  const running = starting.move()
  return {
    url,
    httpUrl,
    caFile,
    siteName: sampleSiteName,
    timeZone: settings.timeZone,
    projects: projectsAtStart(projects, tokens),
    manager: { url: `${url}${managerPath}`, password },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** What the website shows: the organisation's own records and files, or the sample's. */
function recordsOf({ datasetDirectory, datasetOn, report }: SandboxOptions & typeof defaults) {
  if (datasetDirectory === undefined) {
    const sample = datasetOn ?? ofLatestDay(sampleDatasetOn)
    return { datasetOn: sample, datasetFaults: () => [], files: sampleFiles }
  }
  const dataset = openDataset(datasetDirectory, { report })
  return {
    datasetOn: dataset.current,
    datasetFaults: dataset.faults,
    files: join(datasetDirectory, 'files'),
  }
}

/** A day's records are made once. */
function ofLatestDay(datasetOn: (today: string) => Dataset): (today: string) => Dataset {
  let latest: { readonly today: string; readonly dataset: Dataset } | undefined
  return (today) => {
    if (latest?.today !== today) latest = { today, dataset: datasetOn(today) }
    return latest.dataset
  }
}

function projectsAtStart(projects: Projects, tokens: Tokens): readonly SandboxProject[] {
  const known = projects.all()
  if (known.length > 0) return known.map(({ id, name }) => ({ id, name }))
  const { id, name } = projects.add({ ...newProject, name: 'demo' })
  return [{ id, name, refreshToken: tokens.regenerate(id) }]
}

function temporaryDirectory(starting: AsyncDisposableStack): string {
  const directory = mkdtempSync(join(tmpdir(), 'feedhouse-sandbox-'))
  starting.defer(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

function answer(server: Server, application: RequestListener, service: DataService): void {
  server.on('request', application)
  answerUnreadable(server, service)
}

async function listen(
  server: Server,
  port: number,
  starting: AsyncDisposableStack,
): Promise<number> {
  server.listen(port, host)
  await once(server, 'listening')
  starting.defer(async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  })
  return (server.address() as AddressInfo).port
}
