import type { IncomingMessage } from 'node:http'
import type { PublicSite } from '../http/front/protocol.ts'
import { createPlaceLookup } from '../http/server/virtual-hosts.ts'

/** Finds the worker, by index, that a request or a site belongs to. */
export type WorkerRoutes = {
  readonly ofRequest: (request: IncomingMessage) => number
  readonly ofSite: (name: string) => number
}

/** Routes requests to several workers. The first worker gets everything that belongs to no site. */
export function createWorkerRoutes(shares: readonly (readonly PublicSite[])[]): WorkerRoutes {
  const sites = shares.flatMap((share, index) => share.map((site) => ({ ...site, value: index })))
  const placeOf = createPlaceLookup(sites)
  const byName = new Map(sites.map(({ name, value }) => [name, value]))
  return {
    ofRequest: (request) => placeOf(request).value ?? 0,
    ofSite: (name) => byName.get(name) ?? 0,
  }
}
