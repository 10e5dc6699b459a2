import type { RequestListener } from 'node:http'
import type { Origin } from '../front/origin.ts'
import type { RequestContext } from '../front/request-context.ts'
import type { CallsToWorker, ListenRequest, PublicSite, WorkerShare } from '../front/protocol.ts'
import { createPlaceLookup, type PlaceLookup } from './virtual-hosts.ts'
import type { Logger } from '../log.ts'
import { createOtherHosts, type OtherHosts } from './other-hosts.ts'
import { ownerOf, siteShares } from './site-shares.ts'

export type PlacedWorker = {
  readonly origin: Origin
  readonly socketPath: string
  readonly process: () => CallsToWorker
}

type Place = { readonly origin: Origin; readonly isHere: boolean }

type Places = {
  /** The host of each site, if there are several hosts. */
  readonly owners: ReadonlyMap<string, string | undefined>
  /** Sites of each worker of this host. */
  readonly shares: readonly (readonly PublicSite[])[]
  /** Undefined if all of them are at the first worker. */
  readonly placeOf: PlaceLookup<Place> | undefined
}

export type Placement = AsyncDisposable & {
  readonly start: (request: ListenRequest, log: Logger) => Promise<void>
  /** Passes a request to its site's origin, or to the first worker if it is not for any site. */
  readonly route: RequestListener
  readonly changeSites: (text: string, listed: readonly PublicSite[]) => void
  readonly shareOf: (index: number) => WorkerShare | undefined
  readonly sitesText: () => string | undefined
  readonly hosts: OtherHosts
}

/** Decides which worker of which host has each site. */
export function createPlacement(
  front: RequestContext,
  workers: readonly [PlacedWorker, ...PlacedWorker[]],
): Placement {
  const { cache } = front
  const [first] = workers
  let sites: readonly PublicSite[] = []
  let sitesText: string | undefined
  let places: Places = { owners: new Map(), shares: [], placeOf: undefined }
  const hosts = createOtherHosts(front, {
    workers,
    originOf(request, isReport) {
      if (isReport) return first.origin
      const place = places.placeOf?.(request).value
      return place?.isHere ? place.origin : undefined
    },
    changed() {
      place()
      tellWorkers()
    },
    // Marks everything as outdated that the hosts may have changed without this host noticing.
    missed(host) {
      for (const [name, owner] of places.owners) {
        if (owner !== hosts.self() && (host ?? owner) === owner) cache.distrustSite(name)
      }
    },
  })

  /** Assigns each site to its owner. Only the sites of hosts that have joined or left move. */
  function place(): void {
    const before = places.owners
    const left = hosts.follow()
    places = placesOf(sites, workers, hosts)
    for (const [name, owner] of before) {
      if (owner !== undefined && owner !== places.owners.get(name)) cache.expireSite(name)
    }
    for (const { origin } of left) origin.left(route)
    for (const { origin } of hosts.byUrl.values()) origin.stopWaiting(route)
  }

  function tellWorkers(): void {
    if (sitesText === undefined) return
    for (const [index, worker] of workers.entries()) {
      worker.process().sites({ text: sitesText, share: shareOf(index) })
    }
  }

  function shareOf(index: number): WorkerShare | undefined {
    const { shares, owners } = places
    const own = shares[index]
    if (!own || (shares.length < 2 && hosts.self() === undefined)) return undefined
    const names = own.map(({ name }) => name)
    if (index > 0) {
      return { names, otherWorkers: [], otherHosts: [], firstSocketPath: first.socketPath }
    }
    const all = workers.map(({ socketPath }, other) => ({
      index: other,
      socketPath,
      sites: shares[other] ?? [],
    }))
    const otherHosts = [...hosts.byUrl.keys()].map((url) => ({
      url,
      keys: hosts.keys(),
      sites: sites.filter(({ name }) => owners.get(name) === url),
    }))
    return { names, otherWorkers: all.slice(1), otherHosts, firstSocketPath: undefined }
  }

  const route: RequestListener = (request, response) =>
    (places.placeOf?.(request).value ?? first).origin.listener(request, response)

  return {
    async start(request, log) {
      const { proxies } = request
      sites = request.sites
      if (request.hosts) await hosts.open({ ...request.hosts, proxies }, log)
      place()
    },
    route,
    changeSites(text, listed) {
      const names = new Set(listed.map(({ name }) => name))
      const removed = sites.filter(({ name }) => !names.has(name))
      // Workers that start later start with the latest placement.
      const isFirst = sitesText === undefined
      sites = listed
      sitesText = text
      place()
      for (const { name } of removed) cache.remove(name)
      if (!isFirst) tellWorkers()
    },
    shareOf,
    sitesText: () => sitesText,
    hosts,
    [Symbol.asyncDispose]: hosts[Symbol.asyncDispose],
  }
}

function placesOf(
  sites: readonly PublicSite[],
  workers: readonly [PlacedWorker, ...PlacedWorker[]],
  hosts: OtherHosts,
): Places {
  const [first] = workers
  const self = hosts.self()
  const members = hosts.members()
  const owned = self === undefined ? [] : sites
  const owners = new Map(owned.map(({ name }) => [name, ownerOf(name, members)]))
  const own = self === undefined ? sites : sites.filter(({ name }) => owners.get(name) === self)
  const shares = siteShares(own, workers.length)
  const workerOf = new Map(
    shares.flatMap((share, index) => share.map(({ name }) => [name, workers[index]])),
  )
  const placed = sites.map((site) => {
    const here = workerOf.get(site.name)
    // The first worker answers for sites without an owner that they are starting.
    const { origin } = here ?? hosts.byUrl.get(owners.get(site.name) ?? '') ?? first
    return { ...site, value: { origin, isHere: here !== undefined } }
  })
  const isSplit = workers.length > 1 || self !== undefined
  return { owners, shares, placeOf: isSplit ? createPlaceLookup(placed) : undefined }
}
