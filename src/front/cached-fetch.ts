import pLimit from 'p-limit'
import { withTimeout, type Clock } from '../clock.ts'
import { waitMsFor } from './starting.ts'
import type { AcceptEncoding } from './accept-encoding.ts'
import { timeUntil, type CachedResponse, type Times } from './cached-response.ts'
import { clientHeader } from './protocol.ts'
import type { CachedOrigin, CachedRepresentation } from './cached-urls.ts'
import type { ResponseCache } from './response-cache.ts'
import {
  createWorkerFetch,
  transient,
  type Answer,
  type ClientRequest,
  type Fetched,
  type Kept,
  type WorkerFetch,
  type WorkerFetchOptions,
} from './worker-fetch.ts'

/** Maximum number of fetches for a request. A response that is removed during its fetch is fetched again. */
const maxFetches = 3

/** Number of changed representations that are fetched at the same time. */
const maxRefetches = 4

export type CachedFetch = {
  /** Returns true if there is a response that may be sent while the worker is down. */
  readonly isKept: (key: string, accept: AcceptEncoding) => boolean
  /** Resolves to an outdated response if the worker is slow. Never rejects. */
  readonly answer: (request: ClientRequest) => Promise<Answer>
  /**
   * Fetches changed representations from their site's current origin, so that the next requests do
   * not wait for them.
   */
  readonly refetch: (
    representations: readonly CachedRepresentation[],
    origin: CachedOrigin,
  ) => Promise<void>
}

/** Answers requests from the cache, and fills it from the worker. */
export function createCachedFetch(
  options: WorkerFetchOptions & {
    readonly clock: Clock
    /** True while the worker's process accepts requests. */
    readonly isServing: () => boolean
  },
): CachedFetch {
  const { cache, times, clock, limits, isServing } = options
  const { kept, current, ifError } = createKeptResponses(cache, times)
  const { fetchOnce, isHanging } = createWorkerFetch(options)
  const share = createSharedFetch(fetchOnce, cache, times)
  const limited = pLimit(maxRefetches)

  /** Resolves to an outdated response instead if the worker is slow. */
  async function orStale(
    { fetched, since }: StartedFetch,
    request: ClientRequest,
  ): Promise<Fetched> {
    const { hangingMs, anyMs } = limits
    const maxMs = waitMsFor(request.asked.path, limits.maxMs)
    // Only the first requests of a slow fetch wait.
    const recentMs = Math.max(0, limits.recentMs - (times().elapsed - since))
    const within = <T>(ms: number, onTimeout: () => T) =>
      withTimeout(fetched, ms, onTimeout, { clock })
    if (cache.peek(request.asked.key)) {
      const first = recentMs > 0 ? await within(recentMs, () => undefined) : undefined
      const early = first ?? current(request, true)
      if (early) return early
      const second = await within((isHanging() ? hangingMs : anyMs) - recentMs, () => undefined)
      const late = second ?? ifError(request)
      if (late) return late
    }
    if (!request.isShared) return fetched
    return within(maxMs, () => {
      const error = new Error('the worker did not respond in time')
      return { kind: 'failed' as const, error }
    })
  }

  async function answer(request: ClientRequest): Promise<Answer> {
    const { key } = request.asked
    for (let count = 0; count < maxFetches; count += 1) {
      const found = current(request, false) ?? (isServing() ? undefined : ifError(request))
      if (found) return found
      const isShared = request.isShared && count === 0
      const started = isShared
        ? share(request)
        : { fetched: fetchOnce(request), since: times().elapsed, isOwn: true }
      const { fetched, isOwn } = started
      const settled = await orStale(started, request)
      if (settled.kind === 'cached') {
        if (settled.url.key === key) {
          // Free the connection. No client is waiting for this response anymore.
          if (isOwn) void fetched.then((late) => late !== settled && resume(late))
          return settled
        }
        const own = kept(key, request.accept)
        if (own && own.response.body === settled.response.body) return own
      } else if (settled.kind === 'failed') {
        return ifError(request) ?? settled
      } else if (settled.kind === 'passed' && isOwn) {
        const stale = transient(settled.response.statusCode ?? 502) && ifError(request)
        if (stale) settled.response.resume()
        return stale || settled
      }
    }
    return { kind: 'failed', error: new Error('the response changed while it was being fetched') }
  }

  return {
    isKept: (key, accept) => ifError({ asked: { key }, accept }) !== undefined,
    answer,
    async refetch(representations, origin) {
      const requests = representations.flatMap((changed) => requestsFor(changed, origin))
      await Promise.all(
        requests.map((request) =>
          limited(async () => {
            if (isServing()) resume(await share(request).fetched)
          }),
        ),
      )
    },
  }
}

/** Returns a request for each encoding of a representation, as if the front were the client. */
function requestsFor(
  { urls, responses }: CachedRepresentation,
  origin: CachedOrigin,
): readonly ClientRequest[] {
  const [url] = urls
  if (!url) return []
  const asked = { ...url, origin }
  const rawHeaders = ['Host', asked.host, clientHeader, '']
  const common = { asked, client: '', rawHeaders, isShared: true }
  return [...responses.keys()].map((accept) => ({ ...common, accept }))
}

function resume(fetched: Fetched): void {
  if (fetched.kind === 'passed') fetched.response.resume()
}

/** A fetch that other clients may be waiting for, too. */
type StartedFetch = {
  readonly fetched: Promise<Fetched>
  /** Start time, on the clock that never jumps. */
  readonly since: number
  /** True for the client that started the fetch. */
  readonly isOwn: boolean
}

type PendingFetch = Omit<StartedFetch, 'isOwn'> & {
  /** Called when all clients that wait for the response have disconnected. */
  readonly cancel: () => void
  clients: number
}

/** Returns a function that fetches a response once for all clients that are waiting for it. */
function createSharedFetch(
  fetchOnce: WorkerFetch['fetchOnce'],
  cache: ResponseCache,
  times: Times,
): (request: ClientRequest) => StartedFetch {
  const pending = new Map<string, PendingFetch>()

  return (request) => {
    const { asked, accept } = request
    const known = cache.peek(asked.key)?.representation
    const id = `${accept}\n${known ? `${known.site.name}\n${known.name}` : asked.key}`
    const shared = pending.get(id)
    if (shared && shared.clients > 0) return waitFor(shared, request, false)
    let cancel: (() => void) | undefined
    const fetched = fetchOnce(request, (listener) => (cancel = listener))
    const own = { fetched, since: times().elapsed, cancel: () => cancel?.(), clients: 0 }
    void fetched.then(() => pending.get(id) === own && pending.delete(id))
    pending.set(id, own)
    return waitFor(own, request, true)
  }
}

function waitFor(pending: PendingFetch, { onLeft }: ClientRequest, isOwn: boolean): StartedFetch {
  const { fetched, since } = pending
  pending.clients += 1
  onLeft?.(() => {
    pending.clients -= 1
    if (pending.clients === 0) pending.cancel()
  })
  return { fetched, since, isOwn }
}

type Asked = { readonly asked: { readonly key: string }; readonly accept: AcceptEncoding }

/** Finds cached responses that may be sent. */
function createKeptResponses(cache: ResponseCache, times: Times) {
  function kept(key: string, accept: AcceptEncoding): Kept | undefined {
    const url = cache.peek(key)
    const response = url?.representation.responses.get(accept)
    return url && response && { kind: 'cached', url, response }
  }

  /** Returns true if a response is outdated by at most `staleMs`. */
  const isWithin = ({ freshUntil }: CachedResponse, staleMs: number) =>
    timeUntil(freshUntil, times()) > -staleMs

  /** Returns a cached response that may be sent now. If `isSlow`, it may be stale. */
  function current({ asked: { key }, accept }: Asked, isSlow: boolean): Kept | undefined {
    const found = kept(key, accept)
    const staleMs = isSlow ? (found?.response.staleWhileRevalidateMs ?? 0) : 0
    return found && isWithin(found.response, staleMs) ? found : undefined
  }

  /** Returns a response that may be sent without the worker, even if it was fetched for other encodings. */
  function ifError({ asked: { key }, accept }: Asked): Kept | undefined {
    const url = cache.peek(key)
    if (!url) return undefined
    const { responses } = url.representation
    const codings = [...accept.split(', '), 'identity']
    const response = [responses.get(accept), ...responses.values()].find(
      (each) => each && codings.includes(each.coding) && isWithin(each, each.staleIfErrorMs),
    )
    return response && { kind: 'cached', url, response }
  }

  return { kept, current, ifError }
}
