import { Router } from 'express'

/** `/status`: how every collection and feed, the budget, the token and the store stand, as JSON. */
export function statusRoutes(status: () => Promise<object>): Router {
  const router = Router()
  router.get('/status', async (_request, response) => {
    response.set('Cache-Control', 'no-store').json(await status())
  })
  return router
}
