import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { workerAllocation } from '../../src/hosting/front-process.ts'
import { startProcess } from './child-process.ts'
import { timeZone, type DatasetEvent } from './dataset.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** The flags that `npm start` uses. */
const flags = ['--max-semi-space-size=8']

const main = join(import.meta.dirname, '../../src/main.ts')
/** What `npm start` runs. It reuses compiled code from earlier starts, which saves memory. */
export const command = join(import.meta.dirname, '../../bin/feedhouse')
/** Reading 50,000 events takes over two minutes, because of the API call limit. */
const readyTimeoutMs = 300_000
const readyPollMs = 100

/** A service and its sandbox, each running in a separate process. */
export type RunningService = AsyncDisposable & {
  readonly url: string
  readonly pid: number
  /** Replaces the website's events. */
  readonly writeEvents: (events: readonly DatasetEvent[]) => void
}

/** Starts a service with the given events, and resolves once it is ready. */
export async function startService(
  events: readonly DatasetEvent[],
  {
    settings = {},
    nodeOptions = [],
    records = {},
  }: {
    readonly settings?: Readonly<Record<string, string>>
    readonly nodeOptions?: readonly string[]
    /** The website's other records, by resource. */
    readonly records?: Readonly<Record<string, readonly object[]>>
  } = {},
): Promise<RunningService> {
  const cwd = temporaryDirectory()
  const dataset = join(cwd, 'dataset')
  mkdirSync(dataset)
  const writeEvents = (events: readonly DatasetEvent[]) => {
    writeFileSync(join(cwd, 'events.json'), JSON.stringify(events))
    renameSync(join(cwd, 'events.json'), join(dataset, 'events.json'))
  }
  writeEvents(events)
  for (const [name, list] of Object.entries(records)) {
    writeFileSync(join(dataset, `${name}.json`), JSON.stringify(list))
  }

  await using starting = new AsyncDisposableStack()
  const limits = ['--calls-per-minute', '1000', '--calls-per-day', '1000000']
  const sandbox = starting.use(
    startProcess(process.execPath, [main, 'sandbox', '--dataset', dataset, ...limits], { cwd }),
  )
  const [line] = await sandbox.waitForOutput(/^\{.*\}$/m)
  const { url: siteUrl, caFile, projects } = JSON.parse(line)
  const service = starting.use(
    startProcess(process.execPath, [...flags, ...nodeOptions, command, 'serve'], {
      cwd,
      env: {
        ...workerAllocation,
        SITE_URL: siteUrl,
        SITE_REFRESH_TOKEN: projects[0].refreshToken,
        SITE_CA_FILE: caFile,
        SITE_TIME_ZONE: timeZone,
        SITE_NAME: 'Cedar Hollow',
        DATA_DIR: join(cwd, 'data'),
        PUBLIC_FEEDS: 'events',
        LOG_LEVEL: 'info',
        PORT: '0',
        ...settings,
      },
    }),
  )
  const [, url = ''] = await service.waitForOutput(/(http:\/\/\S+)\/$/m)
  await waitUntilReady(url)
  const running = starting.move()
  return {
    url,
    pid: service.pid,
    writeEvents,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function waitUntilReady(url: string): Promise<void> {
  const timeout = AbortSignal.timeout(readyTimeoutMs)
  while (!(await fetch(`${url}/readyz`, { signal: timeout })).ok) await sleep(readyPollMs)
}
