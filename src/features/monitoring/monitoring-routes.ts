import type { Request, RequestHandler } from 'express'
import { publicStoreFailure } from '../../collections/status/status.ts'
import { siteOf, type SiteContext } from '../../web/context.ts'
import { isBrowser } from '../../web/send-message.ts'

/** Describes how a request from the `check` command reached the service. */
export type ProbeResponse = {
  /** The client's IP address, as used for rate limits and logs. */
  readonly client: string
  readonly forwarded: readonly string[]
}

export const sendLive: RequestHandler = (_request, response) => {
  response.type('text/plain').send('ok\n')
}

/** Returns a function that logs a change in whether the site is ready. */
function readyLog({ log }: SiteContext) {
  let wasReady: boolean | undefined
  return (ready: boolean, waitingFor: readonly string[]) => {
    if (ready !== wasReady) log.info({ waitingFor }, ready ? 'ready' : 'not ready')
    wasReady = ready
  }
}

/** Ready if every public feed that is turned on has records, even if the store fails. */
export const sendReady: RequestHandler = async (_request, response) => {
  const { publicFeeds, collections, isOffered, isStopping, storeFailure, kept } = siteOf(response)
  const waitingFor = publicFeeds
    .filter((feed) => !collections.copyOf(feed.resource) && isOffered(feed))
    .map((feed) => feed.id)
  const ready = waitingFor.length === 0 && !isStopping()
  kept(readyLog)(ready, waitingFor)
  const failure = await storeFailure()
  response.status(ready ? 200 : 503).json({
    ready,
    waitingFor,
    stopping: isStopping() || undefined,
    store: failure && publicStoreFailure(failure).message,
  })
}

type IsAdmin = (request: Request, site: SiteContext) => Promise<boolean>

/** Sends the status. Only signed-in admins see private feeds. */
export const statusSender =
  (isAdmin: IsAdmin): RequestHandler =>
  async (request, response) => {
    const site = siteOf(response)
    const isForAdmin = await isAdmin(request, site)
    const status = await (isForAdmin ? site.status() : site.publicStatus())
    const titleOf = (resource: string) =>
      site.catalog.feeds.find((feed) => feed.resource === resource)?.textIn('en').title ?? resource
    response.vary('Accept')
    const isPage = request.path.endsWith('/status') && isBrowser(request)
    if (isPage) response.type('html').send(site.render('monitoring/status', { status, titleOf }))
    else response.json(status)
  }

export const sendMetrics: RequestHandler = async (_request, response) => {
  const { metrics } = siteOf(response)
  response.set('Content-Type', metrics.contentType)
  response.send(await metrics.text())
}

/** Responds to the `check` command, which stores the key beforehand. */
export const sendProbe: RequestHandler = async (request, response, next) => {
  if (!(await siteOf(response).isProbe(String(request.params['key'])))) return next()
  const forwarded = request.get('X-Forwarded-For') ?? ''
  const body: ProbeResponse = {
    client: request.ip ?? '',
    forwarded: forwarded.split(',').flatMap((address) => address.trim() || []),
  }
  response.json(body)
}
