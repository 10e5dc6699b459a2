import express, { type Express } from 'express'
import { withTimeout } from '../../clock.ts'
import { createServerMetrics, type MetricValues } from './metrics.ts'
import { allowSafeMethods } from '../server/allow-safe-methods.ts'
import type { Rejections } from '../server/rejections.ts'
import { securityHeaders } from '../server/security-headers.ts'
import { sendMessage } from '../server/send-message.ts'
import type { ServiceStatus } from './monitoring-routes.ts'

/** A site, as shown to the operator of the process. */
export type HostedSite = {
  readonly name: string
  readonly publicUrl: string | undefined
  /** Undefined until the site has started. */
  readonly status: () => Promise<Pick<ServiceStatus, 'ok' | 'sentences'> | undefined>
  readonly metrics: () => Promise<MetricValues | undefined>
}

/** Cache lifetime of the combined status and metrics. */
const freshMs = 1_000

/** A site that does not report its status within this time counts as failed. */
const siteMs = 3_000

const notStarted = {
  ok: false,
  sentences: ['The site has not started. See the log for the reason.'],
}
const statusUnknown = {
  ok: false,
  sentences: ["The site's status could not be determined in time."],
}

/**
 * Serves health, status and metrics for a process with several sites. A broken site does not affect the
 * other sites.
 */
export function createServerPages(options: {
  readonly sites: readonly HostedSite[]
  readonly rejections: Pick<Rejections, 'counts'>
  readonly frontFigures: Parameters<typeof createServerMetrics>[0]['frontFigures']
  readonly isStopping: () => boolean
}): Express {
  const { sites, rejections, frontFigures, isStopping } = options
  const metrics = createServerMetrics({
    rejections,
    frontFigures,
    sites: sites.map((site) => ({ ...site, metrics: () => inTime(site.metrics(), undefined) })),
  })
  const statusText = cachedBriefly(async () => {
    const statuses = await Promise.all(
      sites.map(async ({ name, publicUrl = null, status }) => {
        const { ok, sentences } = (await inTime(status(), statusUnknown)) ?? notStarted
        return { name, publicUrl, ok, sentences }
      }),
    )
    return JSON.stringify({ ok: statuses.every(({ ok }) => ok), sites: statuses })
  })
  const metricsText = cachedBriefly(metrics.text)
  const pages = express()
  pages.disable('x-powered-by')
  pages.use(securityHeaders())
  pages.use(allowSafeMethods(new Set()))
  pages.use((_request, response, next) => {
    response.set('Cache-Control', 'no-store')
    next()
  })
  pages.get('/livez', (_request, response) => void response.type('text/plain').send('ok\n'))
  pages.get('/readyz', (_request, response) => {
    const ready = !isStopping()
    response.status(ready ? 200 : 503).json({ ready, ...(ready ? {} : { stopping: true }) })
  })
  pages.get('/status', async (_request, response) => {
    response.type('json').send(await statusText())
  })
  pages.get('/metrics', async (_request, response) => {
    response.set('Content-Type', metrics.contentType).send(await metricsText())
  })
  pages.use((_request, response) => {
    sendMessage(response, 404, 'No site at this address.')
  })
  return pages
}

/** Returns `fallback` for a slow or failing site, so that other sites are not affected. */
function inTime<T>(result: Promise<T>, fallback: T): Promise<T> {
  // The site's own pages show the error.
  return withTimeout(result, siteMs, () => fallback).catch(() => fallback)
}

/** Caches a result for a short time. */
function cachedBriefly(work: () => Promise<string>): () => Promise<string> {
  let cached: Promise<string> | undefined
  return () => {
    cached ??= work().finally(() => {
      setTimeout(() => (cached = undefined), freshMs).unref()
    })
    return cached
  }
}
