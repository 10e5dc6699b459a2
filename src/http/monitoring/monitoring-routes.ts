import { Router, type Request } from 'express'
import { publicStoreFailure, type Status } from '../../collections/status/status.ts'
import type { FeedStatus } from '../../representations/feed-diagnostics.ts'
import type { SiteContext } from '../context.ts'
import type { Metrics } from './metrics.ts'

/**
 * Serves `/livez` and `/readyz`. The service is ready if the process is not stopping, and if every
 * public feed that is switched on has records. A failure of the store is reported, but does
 * not make the service unready. Logs changes of readiness.
 */
export function healthRoutes(context: SiteContext): Router {
  const { publicFeeds, collections, isOffered, isStopping, storeFailure, log } = context
  const router = Router()
  let wasReady: boolean | undefined
  router.get('/livez', (_request, response) => {
    response.set('Cache-Control', 'no-store').type('text/plain').send('ok\n')
  })
  router.get('/readyz', async (_request, response) => {
    const waitingFor = publicFeeds
      .filter((feed) => !collections.copyOf(feed.resource) && isOffered(feed))
      .map((feed) => feed.id)
    const ready = waitingFor.length === 0 && !isStopping()
    if (ready !== wasReady) log.info({ waitingFor }, ready ? 'ready' : 'not ready')
    wasReady = ready
    const failure = await storeFailure()
    response
      .status(ready ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json({
        ready,
        waitingFor,
        ...(isStopping() ? { stopping: true } : {}),
        ...(failure ? { store: publicStoreFailure(failure).message } : {}),
      })
  })
  return router
}

export type ServiceStatus = Status & { readonly feeds: readonly FeedStatus[] }

/**
 * Serves `/status`: the state of collections, feeds, budget, token and store, as JSON. Only signed-in
 * admins see private feeds.
 */
export function statusRoutes(
  { status, publicStatus }: SiteContext,
  /** Undefined if there is no admin page. */
  isAdmin: ((request: Request) => Promise<boolean>) | undefined,
): Router {
  const router = Router()
  router.get('/status', async (request, response) => {
    const isForAdmin = (await isAdmin?.(request)) === true
    response.set('Cache-Control', 'no-store')
    response.json(await (isForAdmin ? status() : publicStatus()))
  })
  return router
}

export function metricsRoutes(metrics: Metrics): Router {
  const router = Router()
  router.get('/metrics', async (_request, response) => {
    response.set({ 'Cache-Control': 'no-store', 'Content-Type': metrics.contentType })
    response.send(await metrics.text())
  })
  return router
}

/** Describes how a request from the check command reached the service. */
export type ProbeResponse = {
  /** The client's IP address, as it is used for rate limits and logs. */
  readonly client: string
  readonly forwarded: readonly string[]
}

/** Serves `/probe/{key}` to the check command, which stores the key beforehand. */
export function probeRoutes(isProbe: (key: string) => Promise<boolean>): Router {
  const router = Router()
  router.get('/probe/:key', async (request, response, next) => {
    if (!(await isProbe(request.params.key))) return next()
    const forwarded = request.get('X-Forwarded-For') ?? ''
    const body: ProbeResponse = {
      client: request.ip ?? '',
      forwarded: forwarded.split(',').flatMap((address) => address.trim() || []),
    }
    response.set('Cache-Control', 'no-store').json(body)
  })
  return router
}
