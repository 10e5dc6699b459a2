import { Router, type Request } from 'express'
import type { Status } from '../../collections/status/status.ts'
import type { FeedStatus } from '../../representations/feed-diagnostics.ts'

export type ServiceStatus = Status & { readonly feeds: readonly FeedStatus[] }

/**
 * `/status`: how collections and feeds, the budget, the token and the store stand, as JSON. Who has
 * signed in to the admin page sees all of it, others what concerns public feeds.
 */
export function statusRoutes(options: {
  readonly status: () => Promise<ServiceStatus>
  readonly publicStatus: () => Promise<ServiceStatus>
  /** Undefined where there is no admin page. */
  readonly isAdmin: ((request: Request) => Promise<boolean>) | undefined
}): Router {
  const { status, publicStatus, isAdmin } = options
  const router = Router()
  router.get('/status', async (request, response) => {
    const isForAdmin = (await isAdmin?.(request)) === true
    response.set('Cache-Control', 'no-store')
    response.json(await (isForAdmin ? status() : publicStatus()))
  })
  return router
}
