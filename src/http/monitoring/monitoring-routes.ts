import { Router, type Request, type RequestHandler } from 'express'
import { publicStoreFailure } from '../../collections/status/status.ts'
import type { SiteContext } from '../context.ts'
import { isBrowser } from '../responses/send-message.ts'

/** Describes how a request from the `check` command reached the service. */
export type ProbeResponse = {
  /** The client's IP address, as used for rate limits and logs. */
  readonly client: string
  readonly forwarded: readonly string[]
}

/** Serves health, status and metrics, and requests from the `check` command. */
export function monitoringRoutes(
  context: SiteContext,
  /** Undefined if there is no admin page. */
  isAdmin: ((request: Request) => Promise<boolean>) | undefined,
): Router {
  const { catalog, publicFeeds, collections, isOffered, isStopping, metrics } = context
  const router = Router()
  const titleOf = (resource: string) =>
    catalog.feeds.find((feed) => feed.resource === resource)?.textIn('en').title ?? resource
  let wasReady: boolean | undefined

  router.get('/livez', (_request, response) => {
    response.set('Cache-Control', 'no-store').type('text/plain').send('ok\n')
  })

  /** Ready if every public feed that is turned on has records, even if the store fails. */
  router.get('/readyz', async (_request, response) => {
    const waitingFor = publicFeeds
      .filter((feed) => !collections.copyOf(feed.resource) && isOffered(feed))
      .map((feed) => feed.id)
    const ready = waitingFor.length === 0 && !isStopping()
    if (ready !== wasReady) context.log.info({ waitingFor }, ready ? 'ready' : 'not ready')
    wasReady = ready
    const failure = await context.storeFailure()
    response.status(ready ? 200 : 503).set('Cache-Control', 'no-store')
    response.json({
      ready,
      waitingFor,
      stopping: isStopping() || undefined,
      store: failure && publicStoreFailure(failure).message,
    })
  })

  // Only signed-in admins see private feeds.
  const sendStatus: RequestHandler = async (request, response) => {
    const isForAdmin = (await isAdmin?.(request)) === true
    const status = await (isForAdmin ? context.status() : context.publicStatus())
    response.set('Cache-Control', 'no-store').vary('Accept')
    const isPage = request.path.endsWith('/status') && isBrowser(request)
    if (isPage) response.type('html').send(context.render('status', { status, titleOf }))
    else response.json(status)
  }
  router.get('/status', sendStatus)
  router.get('/status.json', sendStatus)

  router.get('/metrics', async (_request, response) => {
    response.set({ 'Cache-Control': 'no-store', 'Content-Type': metrics.contentType })
    response.send(await metrics.text())
  })

  // The check command stores the key beforehand.
  router.get('/probe/:key', async (request, response, next) => {
    if (!(await context.isProbe(request.params.key))) return next()
    const forwarded = request.get('X-Forwarded-For') ?? ''
    const body: ProbeResponse = {
      client: request.ip ?? '',
      forwarded: forwarded.split(',').flatMap((address) => address.trim() || []),
    }
    response.set('Cache-Control', 'no-store').json(body)
  })
  return router
}
