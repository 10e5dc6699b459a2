import { Router } from 'express'
import type { Metrics } from './metrics.ts'

/** `/metrics`, for Prometheus. */
export function metricsRoutes(metrics: Metrics): Router {
  const router = Router()
  router.get('/metrics', async (_request, response) => {
    response.set({ 'Cache-Control': 'no-store', 'Content-Type': metrics.contentType })
    response.send(await metrics.text())
  })
  return router
}
