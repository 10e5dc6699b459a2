import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HostMessage, Hosts } from '../hosts/hosts.ts'
import { clientAddress } from '../front/client-address.ts'
import { admitFrom } from '../front/front-listener.ts'
import { connectToHost } from '../front/host-connection.ts'
import {
  challengeIn,
  createHostGate,
  unprovenHeaders,
  type HostGate,
  type HostKeys,
} from '../front/host-proof.ts'
import { createOrigin, type Origin } from '../front/origin.ts'
import {
  clientHeader,
  hostHeader,
  type CallsToWorker,
  type SitePurges,
  type UseCount,
} from '../front/protocol.ts'
import type { RequestContext } from '../front/request-context.ts'
import { respondStarting } from '../front/starting.ts'
import { createDailyReaders } from '../front/daily-readers.ts'
import { createUseCounts, type UseCounts } from '../front/use-counts.ts'
import type { Logger } from '../log.ts'

export type OtherHost = { readonly origin: Origin; readonly uses: UseCounts }

/** The hosts that share the sites. Without `open`, this host is the only one. */
export type OtherHosts = AsyncDisposable & {
  readonly open: (
    host: { readonly redisUrl: string; readonly url: string; readonly proxies: number },
    log: Logger,
  ) => Promise<void>
  /** Returns this host's URL, which is empty until it joins, or undefined if it is the only host. */
  readonly self: () => string | undefined
  /** Sorted URLs of all hosts that have sites, including this one. */
  readonly members: () => readonly string[]
  readonly keys: HostKeys
  /** The other hosts by URL, as of the last call of `follow`. */
  readonly byUrl: ReadonlyMap<string, OtherHost>
  /** Adds hosts that have joined, and returns hosts that have left. */
  readonly follow: () => readonly OtherHost[]
  /** Answers a request from another host if it is admitted. Returns false for all others. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Sends purges of this host's responses to the other hosts. */
  readonly share: SitePurges & { readonly done: () => Promise<unknown> }
  /** Sends uses of the other hosts' responses to them. */
  readonly report: () => void
  readonly join: () => Promise<void>
  readonly leave: () => Promise<void>
}

/** Follows the other hosts, and answers their requests. */
export function createOtherHosts(
  front: RequestContext,
  {
    workers,
    originOf,
    changed,
    missed,
  }: {
    readonly workers: readonly { readonly process: () => CallsToWorker }[]
    /** Returns the origin of a request that this host answers. Reports come from other hosts. */
    readonly originOf: (request: IncomingMessage, isReport: boolean) => Origin | undefined
    /** Called when hosts have joined or left, or the keys have changed. */
    readonly changed: () => void
    /** Called when messages from a host, or from any if `host` is undefined, may have been lost. */
    readonly missed: (host?: string) => void
  },
): OtherHosts {
  const { cache, clock, times } = front
  const byUrl = new Map<string, OtherHost>()
  let proxies = 0
  let hosts: Hosts | undefined
  let gate: HostGate | undefined
  const keys = () => hosts?.keys() ?? []
  const isFollowing = () => hosts?.isFollowing() ?? false
  const elapsed = () => times().elapsed
  const announced = () => {
    for (const worker of workers) worker.process().renewClaims()
  }

  function received({ from, name, values }: HostMessage): void {
    const calls: Partial<Record<string, (...values: never[]) => void>> = {
      expire: (...[site, names, staleMs]: Parameters<SitePurges['expire']>) => {
        const expired = cache.expire(site, names, staleMs)
        if (staleMs > 0) void byUrl.get(from)?.origin.refetch(expired)
      },
      remove: cache.remove,
      restart: cache.restart,
      uses: (to: string, counted: readonly UseCount[]) => {
        if (to === hosts?.self()) for (const worker of workers) worker.process().uses(counted)
      },
    }
    calls[name]?.(...(values as never[]))
  }

  return {
    async open({ redisUrl, url, proxies: trusted }, log) {
      proxies = trusted
      // Loads the Redis client only if it is needed.
      const { openHosts } = await import('../hosts/hosts.ts')
      const own = { redisUrl, url, idAtUrl: () => hostIdAt(url, keys), clock, elapsed, log }
      hosts = openHosts({ ...own, announced, changed, received, missed })
      gate = createHostGate({ id: hosts.id, url, keys, elapsed })
    },
    self: () => hosts?.self(),
    members: () => hosts?.members() ?? [],
    keys,
    byUrl,
    follow() {
      const urls = new Set(hosts?.members().filter((member) => member !== hosts?.self()))
      const left = [...byUrl].filter(([url]) => !urls.has(url))
      for (const [url] of left) byUrl.delete(url)
      for (const url of urls)
        if (!byUrl.has(url)) byUrl.set(url, otherHostAt(url, front, { keys, isFollowing }))
      return left.map(([, host]) => host)
    },
    answer(request, response) {
      const { headers } = request
      if (!gate || headers[hostHeader] === undefined) return false
      const challenge = challengeIn(headers)
      // Reports come from the first worker, and all other requests from clients.
      const remoteAddress = headers[clientHeader]?.toString()
      const isReport = remoteAddress === undefined
      const client = clientAddress({ headers, socket: { remoteAddress } }, proxies)
      const origin = originOf(request, isReport)
      if (challenge !== undefined) response.end(JSON.stringify(gate.greet(challenge)))
      else if (!gate.isSigned(request)) response.writeHead(503, unprovenHeaders).end()
      // Hosts may briefly disagree about which of them has a site.
      else if (!origin) respondStarting(request, response)
      else if (isReport || admitFrom(request, response, front, client)) {
        void origin.answerHost(request, response, client)
      }
      return true
    },
    share: {
      expire: (...purge) => hosts?.send('expire', ...purge),
      remove: (...purge) => hosts?.send('remove', ...purge),
      restart: (...purge) => hosts?.send('restart', ...purge),
      done: async () => hosts?.sent(),
    },
    report() {
      for (const [url, { uses }] of byUrl) {
        const counted = uses.take()
        if (counted.length > 0) hosts?.send('uses', url, counted)
      }
    },
    join: async () => hosts?.join(),
    leave: async () => hosts?.leave(),
    [Symbol.asyncDispose]: async () => hosts?.[Symbol.asyncDispose](),
  }
}

function otherHostAt(
  url: string,
  front: RequestContext,
  { keys, isFollowing }: { readonly keys: HostKeys; readonly isFollowing: () => boolean },
): OtherHost {
  const uses = createUseCounts(createDailyReaders(front.clock))
  const connect = () => connectToHost(url, keys)
  const origin = createOrigin(front, { connect, used: uses.add, isFollowed: isFollowing })
  origin.serving()
  return { origin, uses }
}

/** Returns the id of the host that responds at a URL. Rejects if it can't prove that it has a key. */
async function hostIdAt(url: string, keys: HostKeys): Promise<string> {
  const connection = connectToHost(url, keys)
  return connection.id().finally(connection.close)
}
