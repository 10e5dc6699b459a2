import express, { type Express } from 'express'
import { createServerMetrics, type MetricValues } from './metrics.ts'
import { readingMethodsOnly } from './methods.ts'
import type { Refusals } from './refusals.ts'
import { securityHeaders } from './security-headers.ts'
import { sentence } from './sentence.ts'
import type { ServiceStatus } from './status-routes.ts'

/** A site of the process, as whoever runs it looks at it. */
export type HostedSite = {
  readonly name: string
  readonly publicUrl: string
  /** Undefined while it has not been started. */
  readonly status: () => Promise<Pick<ServiceStatus, 'ok' | 'sentences'>> | undefined
  readonly metrics: () => Promise<MetricValues> | undefined
}

const notStarted = { ok: false, sentences: ['The site has not been started; the log says why.'] }

/**
 * What the process answers itself where it serves several sites: whether it lives, and how all of them
 * stand. One that is out of order does not keep requests from the others.
 */
export function createServerPages(options: {
  readonly sites: readonly HostedSite[]
  readonly refusals: Pick<Refusals, 'counts'>
  readonly isStopping: () => boolean
}): Express {
  const { sites, refusals, isStopping } = options
  const metrics = createServerMetrics({ refusals, sites })
  const pages = express()
  pages.disable('x-powered-by')
  pages.use(securityHeaders())
  pages.use(readingMethodsOnly(new Set()))
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
    const statuses = await Promise.all(
      sites.map(async ({ name, publicUrl, status }) => {
        const { ok, sentences } = (await status()) ?? notStarted
        return { name, publicUrl, ok, sentences }
      }),
    )
    response.json({ ok: statuses.every(({ ok }) => ok), sites: statuses })
  })
  pages.get('/metrics', async (_request, response) => {
    response.set('Content-Type', metrics.contentType).send(await metrics.text())
  })
  pages.use((_request, response) => {
    sentence(response, 404, 'There is no site at this address.')
  })
  return pages
}
