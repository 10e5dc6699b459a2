import { Router } from 'express'
import type { Status } from '../collections/status.ts'
import type { FeedStatus } from '../representations/feed-reviews.ts'

export type ServiceStatus = Status & { readonly feeds: readonly FeedStatus[] }

/** `/status`: how every collection and feed, the budget, the token and the store stand, as JSON. */
export function statusRoutes(status: () => Promise<ServiceStatus>): Router {
  const router = Router()
  router.get('/status', async (_request, response) => {
    response.set('Cache-Control', 'no-store').json(await status())
  })
  return router
}
