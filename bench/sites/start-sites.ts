import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workerAllocation } from '../../src/hosting/front-process.ts'
import { startProcess } from '../running/child-process.ts'
import { command } from '../running/service.ts'
import { temporaryDirectory } from '../running/temporary-directory.ts'

const websites = join(import.meta.dirname, 'websites.ts')

/** Thousands of websites take minutes to start. */
const startTimeoutMs = 10 * 60_000

const serve = ['--max-semi-space-size=8', command, 'serve']
const environment = { ...workerAllocation, PORT: '0', LOG_LEVEL: 'warn', DATA_DIR: 'data' }

/** Starts a service with many sites, each of which reads its own sandbox every `freshSeconds`. */
export async function startSites(count: number, freshSeconds: number, workers?: string) {
  await using starting = new AsyncDisposableStack()
  const { cwd, control } = await startWebsites(starting, count, freshSeconds)
  const { settings, caFile } = await stateOf(control)
  writeFileSync(join(cwd, 'sites.json'), JSON.stringify(settings))
  const startedAt = performance.now()
  const service = starting.use(
    startProcess(process.execPath, serve, {
      cwd,
      env: {
        ...environment,
        SITES_FILE: 'sites.json',
        ...(workers === undefined ? {} : { WORKERS: workers }),
        // All sandboxes share this certificate authority. Real websites use authorities that Node
        // already trusts.
        NODE_EXTRA_CA_CERTS: caFile,
      },
    }),
  )
  const [, url = ''] = await service.waitForOutput(/sites? at (http:\S+)$/m, startTimeoutMs)
  const started = starting.move()
  return {
    service,
    url,
    listeningAfterMs: performance.now() - startedAt,
    /** Returns the number of calls to the sandboxes in each second. */
    calls: async () => (await stateOf(control)).calls,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

/** Starts a service with one site, whose settings are in the environment, as in most deployments. */
export async function startSite(freshSeconds: number) {
  await using starting = new AsyncDisposableStack()
  const { cwd, control } = await startWebsites(starting, 1, freshSeconds)
  const { settings, caFile } = await stateOf(control)
  const env = { ...environment, ...settings['site-1'], SITE_CA_FILE: caFile }
  const service = starting.use(startProcess(process.execPath, serve, { cwd, env }))
  await service.waitForOutput(/http:\S+$/m)
  const started = starting.move()
  return {
    service,
    /** Returns the number of calls to the sandbox in each second. */
    calls: async () => (await stateOf(control)).calls,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

/** Runs the sandboxes in a separate process, which serves their settings at `control`. */
async function startWebsites(starting: AsyncDisposableStack, count: number, freshSeconds: number) {
  const cwd = temporaryDirectory()
  const args = [websites, String(count), cwd, String(freshSeconds)]
  const website = starting.use(startProcess(process.execPath, args, { cwd }))
  const [control = ''] = await website.waitForOutput(/^http:\S+$/m, startTimeoutMs)
  return { cwd, control }
}

async function stateOf(control: string) {
  const response = await fetch(control)
  return (await response.json()) as {
    readonly settings: Readonly<Record<string, Readonly<Record<string, string>>>>
    readonly caFile: string
    readonly calls: readonly number[]
  }
}
