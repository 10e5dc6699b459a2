import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { HostMessage, Hosts } from '../hosts/hosts.ts'
import { connectToHost } from '../http/front/host-connection.ts'
import {
  challengeIn,
  createHostGate,
  unprovenHeaders,
  type HostGate,
  type HostKeys,
} from '../http/front/host-proof.ts'
import { admitFrom } from '../http/front/front-listener.ts'
import { createOrigin, type Origin } from '../http/front/origin.ts'
import type { RequestContext } from '../http/front/request-context.ts'
import {
  clientHeader,
  hostHeader,
  type CallsToWorker,
  type ListenRequest,
  type PublicSite,
  type Purges,
  type SitePurges,
  type UseCount,
  type WorkerShare,
} from '../http/front/protocol.ts'
import { createUseCounts } from '../http/front/use-counts.ts'
import { clientAddress } from '../http/front/client-address.ts'
import { respondStarting } from '../http/front/starting.ts'
import { createPlaceLookup } from '../http/hosting/virtual-hosts.ts'
import type { Logger } from '../log.ts'
import { ownerOf, siteShares } from './site-shares.ts'

export type PlacedWorker = {
  readonly origin: Origin
  readonly socketPath: string
  readonly process: () => CallsToWorker
}

type Place = { readonly origin: Origin; readonly isHere: boolean }

export type Placement = ReturnType<typeof createPlacement>

/** Decides which worker of which host has each site, and follows the other hosts. */
export function createPlacement(
  front: RequestContext,
  workers: readonly [PlacedWorker, ...PlacedWorker[]],
) {
  const { cache, clock, times } = front
  const [first] = workers
  const remote = new Map<string, ReturnType<typeof createOtherHost>>()
  let proxies = 0
  let sites: readonly PublicSite[] = []
  let sitesText: string | undefined
  let shares: readonly (readonly PublicSite[])[] = []
  /** The host of each site, if there are several hosts. */
  let owners = new Map<string, string | undefined>()
  let placeOf: ReturnType<typeof createPlaceLookup<Place>> | undefined
  let hosts: Hosts | undefined
  let gate: HostGate | undefined
  const keys = () => hosts?.keys() ?? []

  async function start(request: ListenRequest, log: Logger) {
    const { hosts: shared } = request
    sites = request.sites
    proxies = request.proxies
    if (shared) {
      const elapsed = () => times().elapsed
      // Loads the Redis client only if it is needed.
      const { openHosts } = await import('../hosts/hosts.ts')
      hosts = openHosts({
        ...shared,
        idAtUrl: () => hostIdAt(shared.url, keys),
        announced() {
          for (const worker of workers) worker.process().renewClaims()
        },
        changed() {
          place()
          tellWorkers()
        },
        received,
        missed,
        clock,
        elapsed,
        log,
      })
      gate = createHostGate({ id: hosts.id, url: shared.url, keys, elapsed })
    }
    place()
  }

  /** Returns the sites of a host, or all of them if there is only one host. */
  const sitesOf = (host: string | undefined) =>
    hosts ? sites.filter(({ name }) => owners.get(name) === host) : sites

  /** Assigns each site to its owner. Only the sites of hosts that have joined or left move. */
  function place(): void {
    const before = owners
    const members = hosts?.members() ?? []
    owners = new Map(hosts && sites.map(({ name }) => [name, ownerOf(name, members)]))
    const left = followHosts(members.filter((member) => member !== hosts?.self()))
    shares = siteShares(sitesOf(hosts?.self()), workers.length)
    const workerOf = new Map(
      shares.flatMap((share, index) => share.map(({ name }) => [name, workers[index]])),
    )
    const placed = sites.map((site) => {
      const here = workerOf.get(site.name)
      // The first worker answers for sites without an owner that they are starting.
      const { origin } = here ?? remote.get(owners.get(site.name) ?? '') ?? first
      return { ...site, value: { origin, isHere: here !== undefined } }
    })
    placeOf = workers.length > 1 || hosts ? createPlaceLookup(placed) : undefined
    for (const [name, owner] of before) {
      if (owner !== undefined && owner !== owners.get(name)) cache.expireSite(name)
    }
    for (const { origin } of left) origin.left(route)
    for (const { origin } of remote.values()) origin.stopWaiting(route)
  }

  /** Adds hosts that joined, and returns hosts that left. */
  function followHosts(urls: readonly string[]) {
    const left = [...remote].filter(([url]) => !urls.includes(url))
    for (const [url] of left) remote.delete(url)
    for (const url of urls) if (!remote.has(url)) remote.set(url, createOtherHost(url))
    return left.map(([, host]) => host)
  }

  function createOtherHost(url: string) {
    const uses = createUseCounts()
    const origin = createOrigin(front, {
      connect: () => connectToHost(url, keys),
      used: uses.add,
      isFollowed: () => hosts?.isFollowing() ?? false,
    })
    origin.serving()
    return { origin, uses }
  }

  function changeSites(text: string, listed: readonly PublicSite[]): void {
    const names = new Set(listed.map(({ name }) => name))
    const removed = sites.filter(({ name }) => !names.has(name))
    // Workers that start later start with the latest placement.
    const isFirst = sitesText === undefined
    sites = listed
    sitesText = text
    place()
    for (const { name } of removed) cache.remove(name)
    if (!isFirst) tellWorkers()
  }

  function tellWorkers(): void {
    if (sitesText === undefined) return
    for (const [index, worker] of workers.entries()) {
      worker.process().sites({ text: sitesText, share: shareOf(index) })
    }
  }

  function shareOf(index: number): WorkerShare | undefined {
    const own = shares[index]
    if (!own || (shares.length < 2 && !hosts)) return undefined
    const all = workers.map(({ socketPath }, other) => ({
      index: other,
      socketPath,
      sites: shares[other] ?? [],
    }))
    return {
      names: own.map(({ name }) => name),
      otherWorkers: index === 0 ? all.slice(1) : [],
      otherHosts:
        index === 0
          ? [...remote.keys()].map((url) => ({ url, keys: keys(), sites: sitesOf(url) }))
          : [],
      firstSocketPath: index === 0 ? undefined : first.socketPath,
    }
  }

  function received({ from, name, values }: HostMessage): void {
    const calls: Partial<Record<string, (...values: never[]) => void>> = {
      expire: (...[site, names, staleMs]: Parameters<Purges['expire']>) => {
        const expired = cache.expire(site, names, staleMs)
        if (staleMs > 0) void remote.get(from)?.origin.refetch(expired)
      },
      remove: cache.remove,
      restart: cache.restart,
      uses: (to: string, counted: readonly UseCount[]) => {
        if (to !== hosts?.self()) return
        for (const worker of workers) worker.process().uses(counted)
      },
    }
    calls[name]?.(...(values as never[]))
  }

  /**
   * Marks everything as outdated that a host, or any host, may have changed without this host
   * noticing.
   */
  function missed(host?: string): void {
    for (const [name, owner] of owners) {
      if (owner !== hosts?.self() && (host ?? owner) === owner) cache.distrustSite(name)
    }
  }

  /** Passes a request to its site's origin, or to the first worker if it is not for any site. */
  const route: RequestListener = (request, response) =>
    (placeOf?.(request).value ?? first).origin.listener(request, response)

  /** Answers a request from another host if it is admitted. Returns false for all others. */
  function answerHost(request: IncomingMessage, response: ServerResponse): boolean {
    const { headers } = request
    if (!gate || headers[hostHeader] === undefined) return false
    const challenge = challengeIn(headers)
    // Reports come from the first worker, and all other requests from clients.
    const remoteAddress = headers[clientHeader]?.toString()
    const isReport = remoteAddress === undefined
    const client = clientAddress({ headers, socket: { remoteAddress } }, proxies)
    const place = isReport ? { ...first, isHere: true } : placeOf?.(request).value
    if (challenge !== undefined) response.end(JSON.stringify(gate.greet(challenge)))
    else if (!gate.isSigned(request)) response.writeHead(503, unprovenHeaders).end()
    // Hosts may briefly disagree about which of them has a site.
    else if (!place?.isHere) respondStarting(request, response)
    else if (isReport || admitFrom(request, response, front, client)) {
      void place.origin.answerHost(request, response, client)
    }
    return true
  }

  return {
    start,
    route,
    answerHost,
    changeSites,
    shareOf,
    sitesText: () => sitesText,
    share: {
      /** Sends a purge of this host's responses to the other hosts. */
      expire: (...purge: Parameters<Purges['expire']>) => hosts?.send('expire', ...purge),
      remove: (...purge: Parameters<Purges['remove']>) => hosts?.send('remove', ...purge),
      restart: (...purge: Parameters<SitePurges['restart']>) => hosts?.send('restart', ...purge),
      done: async () => hosts?.sent(),
    },
    report(): void {
      for (const [url, { uses }] of remote) {
        const counted = uses.take()
        if (counted.length > 0) hosts?.send('uses', url, counted)
      }
    },
    join: async () => hosts?.join(),
    leave: async () => hosts?.leave(),
    [Symbol.asyncDispose]: async () => hosts?.[Symbol.asyncDispose](),
  }
}

/** Returns the id of the host that responds at a URL. Rejects if it can't prove that it has a key. */
async function hostIdAt(url: string, keys: HostKeys): Promise<string> {
  const connection = connectToHost(url, keys)
  return connection.id().finally(connection.close)
}
