import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { z } from 'zod'
import { maxWorkers } from '../../config/settings.ts'
import { maxSites } from '../../config/sites-file.ts'
import { connectToHost, startOf } from '../../front/host-connection.ts'
import type { OtherHost, OtherWorker, WorkerExit } from '../../front/protocol.ts'
import { request as sendRequest } from '../../node-http.ts'
import type { OwnMetrics, WorkerMetrics } from './metrics.ts'

/*
 * The first of several workers reports on all sites. It asks the other workers on their Unix
 * sockets, and the first workers of other hosts.
 */

const siteOverview = z.object({
  name: z.string(),
  publicUrl: z.url({ protocol: /^https?$/ }).nullable(),
  ok: z.boolean().nullable(),
  state: z.enum(['starting', 'ok', 'failing']),
  sentences: z.array(z.string()).readonly(),
  /** API calls of the website, or undefined if unknown. */
  callsToday: z.object({ used: z.number(), max: z.number() }).readonly().exactOptional(),
  /** Latest time at which any records were read, as ISO 8601, or null if none were. */
  readAt: z.iso.datetime().nullable(),
})

const workerOverview = z.object({
  /** Null if the worker does not respond. */
  residentBytes: z.number().nullable(),
  sites: z.array(siteOverview.readonly()).readonly(),
})

const hostReport = z
  .array(workerOverview)
  .max(maxWorkers)
  .refine((workers) => workers.flatMap(({ sites }) => sites).length <= maxSites)

/** Maximum number of characters in the report of another host: 4 KB for each site. */
const maxReportLength = 8 * 1024 * 1024

export type SiteOverview = Readonly<z.infer<typeof siteOverview>>

export type WorkerOverview = Readonly<z.infer<typeof workerOverview>> & {
  /** Host and port of the worker's host, or undefined if it is this one. */
  readonly host?: string
}

export const failingBecause = (sentence: string) =>
  ({ ok: false, state: 'failing', sentences: [sentence] }) as const

export const statusUnknown = failingBecause("The site's status could not be determined in time.")

const notRunning = failingBecause(
  'The process that reads this website is not running. It is being restarted automatically. Until then, feeds are served from the last good copies. The log shows why.',
)

const hostUnknown = (url: string) =>
  failingBecause(
    `The host that reads this website does not respond at ${url}. If it has failed, another host takes over within seconds. Otherwise, allow connections from this host to that URL.`,
  )

export const starting = {
  ok: null,
  state: 'starting',
  sentences: ['The site is starting.'],
} as const

export const restoring = { ...starting, sentences: ['A backup is being restored.'] } as const

const reportUnusable = (url: string) =>
  failingBecause(
    `The host at ${url} reads this website, but its status report cannot be used. Make sure that all hosts run the same version of Feedhouse.`,
  )

/** A worker waits up to three seconds for each of its sites, and so does a host for its workers. */
export const workerMs = 4_000

/** An alert waits for up to a minute, and then for its receiver. */
export const alertMs = 120_000

export type SendForWorker = (alert: unknown, signal: AbortSignal) => Promise<unknown>

/** Serves a worker's reports, and sends alerts for the other workers if it is the first one. */
export function createWorkerReports(
  reports: OwnMetrics & {
    readonly ownOverview: () => Promise<WorkerOverview>
    readonly hostOverview: () => Promise<readonly WorkerOverview[]>
  },
  sendAlert?: SendForWorker,
): RequestListener {
  async function sendFrom(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const ended = new AbortController()
    response.once('close', () => ended.abort())
    return sendAlert?.(await json(request), ended.signal)
  }

  async function reportAt(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://worker')
    if (pathname === '/alerts') return sendFrom(request, response)
    if (pathname === '/overview') return reports.ownOverview()
    if (pathname === '/host') return reports.hostOverview()
    const site = searchParams.get('site')
    return site === null ? reports.values() : reports.ownSiteText(site)
  }

  return (request, response) => {
    reportAt(request, response)
      .then((value) => JSON.stringify(value))
      .then(
        (text) => response.end(text),
        // The first worker reports the status as unknown.
        () => response.writeHead(500).end(),
      )
  }
}

export type OtherWorkerReports = {
  readonly index: number
  /** Has an entry for each site, even if the worker does not respond. */
  readonly overview: () => Promise<WorkerOverview>
  /** Resolves to undefined if the worker does not respond. */
  readonly metrics: () => Promise<WorkerMetrics | undefined>
  /** Resolves to a site's metrics as Prometheus text, or to undefined if it is not served here. */
  readonly siteMetrics: (site: string) => Promise<string | undefined>
}

/** Returns the reports of another worker, which never reject. */
export function reportsOf(
  { index, socketPath, sites }: OtherWorker,
  isStarting = false,
  timeoutMs = workerMs,
): OtherWorkerReports {
  const reportAt = <T>(path: string) =>
    requestJson<T>({ socketPath, path, signal: AbortSignal.timeout(timeoutMs) })
  return {
    index,
    async overview() {
      try {
        return await reportAt('/overview')
      } catch (error) {
        const absent = isStarting ? starting : notRunning
        const status = { ...(isNotListening(error) ? absent : statusUnknown), readAt: null }
        return { residentBytes: null, sites: sites.map((site) => ({ ...site, ...status })) }
      }
    },
    metrics: () => reportAt<WorkerMetrics>('/metrics').catch(() => undefined),
    siteMetrics: async (site) =>
      sites.some(({ name }) => name === site)
        ? reportAt<string>(`/metrics?site=${encodeURIComponent(site)}`).catch(() => undefined)
        : undefined,
  }
}

/** Returns the overviews of another host's workers. Never rejects. */
export async function overviewsOf(
  { url, keys, sites }: OtherHost,
  timeoutMs = workerMs,
): Promise<readonly WorkerOverview[]> {
  const { host } = new URL(url)
  const connection = connectToHost(url, () => keys)
  let fault = hostUnknown(url)
  try {
    const response = await connection.get('', '/host', ['Host', host], timeoutMs)
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
    const text = await startOf(response, timeoutMs, maxReportLength)
    fault = reportUnusable(url)
    return hostReport.parse(JSON.parse(text)).map((worker) => ({ ...worker, host }))
  } catch {
    const unknown = { ...fault, readAt: null }
    return [{ host, residentBytes: null, sites: sites.map((site) => ({ ...site, ...unknown })) }]
  } finally {
    connection.close()
  }
}

export function sendThroughFirst(socketPath: string, alert: unknown, signal: AbortSignal) {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(alertMs)])
  return requestJson({ socketPath, path: '/alerts', signal: limited }, JSON.stringify(alert))
}

/** Opens a new connection, because the worker may have been replaced. */
async function requestJson<T = unknown>(
  target: { readonly socketPath: string; readonly path: string; readonly signal: AbortSignal },
  body?: string,
): Promise<T> {
  const received = Promise.withResolvers<IncomingMessage>()
  const method = body === undefined ? 'GET' : 'POST'
  const request = sendRequest({ ...target, method, agent: false }, received.resolve)
  request.on('error', received.reject).end(body)
  return (await json(await received.promise)) as T
}

function isNotListening(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ECONNRESET'
}

/** How long `/status` reports that a worker exited. */
const exitsShownMs = 60 * 60_000

export function exitSentences(exits: readonly WorkerExit[], now: number): readonly string[] {
  const recent = exits.filter(({ at }) => at > now - exitsShownMs)
  if (recent.length === 0) return []
  const count = recent.length === 1 ? 'once' : `${recent.length} times`
  return [
    `The process that reads the website exited unexpectedly ${count} in the last hour and was restarted. The log shows why.`,
  ]
}
