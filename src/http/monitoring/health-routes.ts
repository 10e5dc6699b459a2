import { Router } from 'express'
import type { Collections } from '../../collections/collections.ts'
import type { Feed } from '../../feeds/feed.ts'

/**
 * `/livez`: the process answers. `/readyz`: every public feed that is not switched off has something to
 * show, and will go on to.
 */
export function healthRoutes(options: {
  readonly publicFeeds: readonly Feed[]
  readonly collections: Pick<Collections, 'copyOf' | 'isSwitchedOff'>
  readonly isStopping: () => boolean
}): Router {
  const { publicFeeds, collections, isStopping } = options
  const router = Router()
  router.get('/livez', (_request, response) => {
    response.set('Cache-Control', 'no-store').type('text/plain').send('ok\n')
  })
  router.get('/readyz', (_request, response) => {
    const waitingFor = publicFeeds
      .filter(
        ({ resource }) => !collections.copyOf(resource) && !collections.isSwitchedOff(resource),
      )
      .map((feed) => feed.id)
    const ready = waitingFor.length === 0 && !isStopping()
    response
      .status(ready ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json({ ready, waitingFor, ...(isStopping() ? { stopping: true } : {}) })
  })
  return router
}
