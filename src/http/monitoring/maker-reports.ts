import { request as sendRequest, type IncomingMessage, type RequestListener } from 'node:http'
import { json } from 'node:stream/consumers'
import type { OtherMaker } from '../front/protocol.ts'
import type { MakerMetrics } from './server-metrics.ts'

/* The first of several makers reports on all sites. It asks the other makers on their Unix sockets. */

/** A site in the `/status` of all sites. */
export type SiteStatus = {
  readonly name: string
  readonly publicUrl: string | null
  readonly ok: boolean
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
  sentences: ["The site's status could not be determined in time."],
}

const notRunning = {
  ok: false,
  sentences: [
    'The process that reads this website is not running. It is started again automatically. Until then, feeds are served as they were. The log shows why.',
  ],
}

/** A maker waits up to three seconds for each of its sites. */
const makerMs = 4_000

/** What a maker reports about its own sites. */
type Reports = {
  readonly overview: () => Promise<MakerOverview>
  readonly metrics: () => Promise<MakerMetrics>
}

/** Serves the reports of a maker. */
export function createMakerReports({ overview, metrics }: Reports): RequestListener {
  return ({ url }, response) => {
    const report: Promise<unknown> = url === '/overview' ? overview() : metrics()
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
  { timeoutMs = makerMs }: { readonly timeoutMs?: number } = {},
): OtherMakerReports {
  const reportAt = (path: string) => requestReport(socketPath, path, timeoutMs)
  return {
    index,
    async overview() {
      try {
        return (await reportAt('/overview')) as MakerOverview
      } catch (error) {
        const status = isNotListening(error) ? notRunning : statusUnknown
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

/** Requests a report on a new connection, because the maker may have been replaced. */
async function requestReport(
  socketPath: string,
  path: string,
  timeoutMs: number,
): Promise<unknown> {
  const signal = AbortSignal.timeout(timeoutMs)
  const received = Promise.withResolvers<IncomingMessage>()
  const request = sendRequest({ socketPath, path, agent: false, signal }, received.resolve)
  request.on('error', received.reject).end()
  return json(await received.promise)
}

function isNotListening(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ECONNRESET'
}
