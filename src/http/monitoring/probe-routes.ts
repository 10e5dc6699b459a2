import { Router } from 'express'

/** How a probe of `check` reached the service. */
export type ProbeResponse = {
  /** The client's address, as limits and logs see it. */
  readonly client: string
  /** Addresses in X-Forwarded-For, the first hop first. */
  readonly forwarded: readonly string[]
}

/** `/probe/{key}`: responds to `check`, which has put the key into the store. */
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
