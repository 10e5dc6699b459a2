import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { frontLimits, runFront } from '../../src/hosting/front-process.ts'
import { createLogger } from '../../src/log.ts'
import { exchangeUrl } from '../support/raw-http.ts'
import { temporaryDirectory } from '../support/service.ts'
import { startedOnce } from '../support/started-once.ts'
import { atTestEnd } from '../support/test-end.ts'
import { waitUntil } from '../support/wait-for.ts'

const program = join(import.meta.dirname, 'faulty-worker.ts')

/** The hosts that share sites. Each of them has one site. */
export type TestHosts = {
  readonly redisUrl: string
  readonly url: string
  readonly urls: readonly string[]
}

/** Limits for a front in tests. */
export const limits = {
  ...frontLimits,
  reportMs: 100,
  responseTimes: {
    ...frontLimits.responseTimes,
    recentMs: 5,
    hangingMs: 20,
    healthMs: 50,
    statusMs: 50,
    anyMs: 50,
    maxMs: 60_000,
  },
  pingMs: 50,
  restart: { initialMs: 10, maxMs: 100 },
}

export type FrontOptions = Partial<typeof frontLimits> & {
  readonly workers?: number
  readonly hosts?: TestHosts
  /** Registers a function that stops everything; by default, it runs at the end of the test. */
  readonly onEnd?: (end: () => Promise<void>) => void
}

/** Starts fronts on first use, and shares them among the tests in a file or suite. */
export const sharedFronts = <T extends object>(
  start: (options: Pick<FrontOptions, 'onEnd'>) => Promise<T>,
) =>
  startedOnce(async () => {
    await using starting = new AsyncDisposableStack()
    const started = await start({ onEnd: (end) => starting.defer(end) })
    const running = starting.move()
    return { ...started, [Symbol.asyncDispose]: () => running.disposeAsync() }
  })

/**
 * Runs a front with workers that misbehave on request. `argument` is the port, or how a worker fails to
 * start.
 */
export async function startFront(
  argument = '0',
  { workers = 1, hosts, onEnd = atTestEnd, ...changes }: FrontOptions = {},
) {
  const chosen = { ...limits, ...changes }
  const directory = temporaryDirectory()
  const urlFile = join(directory.path, 'url')
  const lines: string[] = []
  const stopping = Promise.withResolvers<'SIGINT' | 'SIGTERM'>()
  const exited = runFront({
    program,
    argsOf: (worker) => [
      String(worker),
      urlFile,
      argument,
      String(workers),
      hosts ? JSON.stringify(hosts) : '',
    ],
    createLogger: () => createLogger('info', { write: (line) => lines.push(line) }),
    stopped: stopping.promise,
    hasSitesFile: false,
    limits: chosen,
  })
  onEnd(async () => {
    stopping.resolve('SIGINT')
    await exited
    directory[Symbol.dispose]()
  })
  const isStarted = () => existsSync(urlFile) && textIn(urlFile) !== ''
  await Promise.race([exited, waitUntil(isStarted)])
  const url = existsSync(urlFile) ? textIn(urlFile) : ''
  return {
    url,
    lines,
    exited,
    /** Returns the worker's latest output. */
    written: () => textIn(urlFile),
    /** Sets when a silent worker is replaced. On a busy machine, workers are silent while they start. */
    setMaxSilence: (ms: number) => void (chosen.maxSilenceMs = ms),
    stop: () => stopping.resolve('SIGTERM'),
    /** Requests a path, and resolves to the status and body. */
    ask: async (path: string, init?: RequestInit) => {
      const response = await fetch(`${url}${path}`, init)
      return { status: response.status, text: await response.text(), headers: response.headers }
    },
    /** Requests a path on the site of a worker or host. */
    askSite: async (worker: number, path: string, more: Readonly<Record<string, string>> = {}) => {
      const headers = { Host: `site-${worker}.example`, ...more }
      const { status, body } = await exchangeUrl(`${url}${path}`, headers)
      return { status, text: body.toString() }
    },
  }
}

const textIn = (file: string) => readFileSync(file, 'utf8')
