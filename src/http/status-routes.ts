import { Router } from 'express'
import type { Status } from '../collections/status.ts'

/** `/status`: how every collection, the budget, the token and the store stand, as JSON. */
export function statusRoutes(status: () => Promise<Status>): Router {
  const router = Router()
  router.get('/status', async (_request, response) => {
    response.set('Cache-Control', 'no-store').json(await status())
  })
  return router
}
