import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { createPlainApplication, createServiceApplication } from './application.ts'
import { localhostCertificate } from './certificate.ts'
import { createCredentials, type Project } from './credentials.ts'
import { createLockout, createThrottle } from './limits.ts'
import { sampleSiteOn, sampleSiteName, sampleTimeZone } from './sample/sample-site.ts'

const host = '127.0.0.1'

/** As the specification has them. */
const defaults = {
  httpsPort: 0,
  httpPort: 0,
  accessTokenSeconds: 24 * 60 * 60,
  refreshTokenSeconds: 365 * 24 * 60 * 60,
  callsPerMinute: 30,
  callsPerDay: 5000,
  lockoutSeconds: 60 * 60,
  apiEnabled: true,
  siteOn: sampleSiteOn,
  now: Date.now,
  report: (error: unknown): void => {
    process.stderr.write(`sandbox: ${inspect(error)}\n`)
  },
}

export type SandboxOptions = Partial<typeof defaults> & {
  /** Where the certificate authority is kept; without it, for this run alone. */
  readonly certificateDirectory?: string
}

export type Sandbox = AsyncDisposable & {
  readonly url: string
  readonly httpUrl: string
  readonly caFile: string
  readonly siteName: string
  readonly timeZone: string
  readonly projects: readonly (Project & { readonly refreshToken: string })[]
}

/** Starts the data service of a made-up fire department, with one API Project named demo. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = { ...defaults, ...options }
  await using starting = new AsyncDisposableStack()
  const directory = options.certificateDirectory ?? temporaryDirectory(starting)
  const { caFile, cert, key } = await localhostCertificate(directory)
  const credentials = createCredentials(settings)
  const { project, refreshToken } = credentials.addProject('demo')
  const application = createServiceApplication({
    domain: 'localhost',
    timeZone: sampleTimeZone,
    now: settings.now,
    siteOn: settings.siteOn,
    credentials,
    throttle: createThrottle(settings),
    lockout: createLockout(settings),
    apiEnabled: settings.apiEnabled,
    report: settings.report,
  })
  const https = createHttpsServer({ cert, key }, application)
  const http = createHttpServer(createPlainApplication(settings))
  const httpsPort = await listen(https, settings.httpsPort, starting)
  const httpPort = await listen(http, settings.httpPort, starting)
  const running = starting.move()
  return {
    url: `https://localhost:${httpsPort}`,
    httpUrl: `http://localhost:${httpPort}`,
    caFile,
    siteName: sampleSiteName,
    timeZone: sampleTimeZone,
    projects: [{ ...project, refreshToken }],
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function temporaryDirectory(starting: AsyncDisposableStack): string {
  const directory = mkdtempSync(join(tmpdir(), 'feedhouse-sandbox-'))
  starting.defer(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

async function listen(
  server: Server & { closeAllConnections(): void },
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
