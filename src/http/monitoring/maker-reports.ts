import {
  request as sendRequest,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { json } from 'node:stream/consumers'
import type { SiteState } from '../../collections/status/status-sentences.ts'
import type { OtherMaker } from '../front/protocol.ts'
import type { MakerMetrics } from './server-metrics.ts'

/* The first of several makers reports on all sites. It asks the other makers on their Unix sockets. */

/** A site in the `/status` of all sites. */
export type SiteStatus = {
  readonly name: string
  /** Name for people. Only the first maker adds it. */
  readonly title?: string | undefined
  readonly publicUrl: string | null
  readonly ok: boolean | null
  readonly state: SiteState
  readonly sentences: readonly string[]
}

/** A site on the page with all sites. */
export type SiteOverview = SiteStatus & {
  /** API calls of the website; undefined if unknown. */
  readonly callsToday?: { readonly used: number; readonly max: number }
  /** Latest time at which any records were read, as ISO 8601; null if there are none. */
  readonly readAt: string | null
}

/** A maker and its sites. */
export type MakerOverview = {
  /** Null if the maker does not respond. */
  readonly residentBytes: number | null
  readonly sites: readonly SiteOverview[]
}

export const statusUnknown = {
  ok: false,
  state: 'failing',
  sentences: ["The site's status could not be determined in time."],
} as const

export const starting = {
  ok: null,
  state: 'starting',
  sentences: ['The site is starting.'],
} as const

const notRunning = {
  ok: false,
  state: 'failing',
  sentences: [
    'The process that reads this website is not running. It is started again automatically. Until then, feeds are served as they were. The log shows why.',
  ],
} as const

/** A maker waits up to three seconds for each of its sites. */
const makerMs = 4_000

/** An alert waits for up to a minute, and then for its receiver. */
const alertMs = 120_000

/** What a maker reports about its own sites. */
type Reports = {
  readonly overview: () => Promise<MakerOverview>
  readonly metrics: () => Promise<MakerMetrics>
}

/** Sends an alert of another maker's site. Resolves to the result. */
export type SendForMaker = (alert: unknown, signal: AbortSignal) => Promise<unknown>

/** Serves the reports of a maker, and sends alerts for others if it is the first one. */
export function createMakerReports(
  { overview, metrics }: Reports,
  sendAlert?: SendForMaker,
): RequestListener {
  async function sendFrom(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const ended = new AbortController()
    response.once('close', () => ended.abort())
    return sendAlert?.(await json(request), ended.signal)
  }

  return (request, response) => {
    const { url } = request
    const report: Promise<unknown> =
      url === '/alerts' ? sendFrom(request, response) : url === '/overview' ? overview() : metrics()
    report
      .then((value) => JSON.stringify(value))
      .then(
        (text) => response.end(text),
        // The first maker reports the status as unknown.
        () => response.writeHead(500).end(),
      )
  }
}

/** Reports of another maker. They never reject. */
export type OtherMakerReports = {
  readonly index: number
  /** Has an entry for each site, even if the maker does not respond. */
  readonly overview: () => Promise<MakerOverview>
  /** Undefined if the maker does not respond. */
  readonly metrics: () => Promise<MakerMetrics | undefined>
}

/** Returns the reports of another maker, which are requested when needed. */
export function reportsOf(
  { index, socketPath, sites }: OtherMaker,
  {
    timeoutMs = makerMs,
    isStarting = false,
  }: { readonly timeoutMs?: number; readonly isStarting?: boolean } = {},
): OtherMakerReports {
  const reportAt = (path: string) => requestReport(socketPath, path, timeoutMs)
  return {
    index,
    async overview() {
      try {
        return (await reportAt('/overview')) as MakerOverview
      } catch (error) {
        const absent = isStarting ? starting : notRunning
        const status = isNotListening(error) ? absent : statusUnknown
        return {
          residentBytes: null,
          sites: sites.map((site) => ({ ...site, ...status, readAt: null })),
        }
      }
    },
    metrics: () =>
      reportAt('/metrics').then(
        (report) => report as MakerMetrics,
        () => undefined,
      ),
  }
}

/** Makes the first maker send an alert. Resolves to the result. */
export function sendThroughFirst(
  socketPath: string,
  alert: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(alertMs)])
  return requestJson({ socketPath, path: '/alerts', signal: limited }, JSON.stringify(alert))
}

/** Requests a report on a new connection, because the maker may have been replaced. */
async function requestReport(
  socketPath: string,
  path: string,
  timeoutMs: number,
): Promise<unknown> {
  return requestJson({ socketPath, path, signal: AbortSignal.timeout(timeoutMs) })
}

async function requestJson(
  target: { readonly socketPath: string; readonly path: string; readonly signal: AbortSignal },
  body?: string,
): Promise<unknown> {
  const received = Promise.withResolvers<IncomingMessage>()
  const method = body === undefined ? 'GET' : 'POST'
  const request = sendRequest({ ...target, method, agent: false }, received.resolve)
  request.on('error', received.reject).end(body)
  return json(await received.promise)
}

function isNotListening(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ECONNRESET'
}
