import type { IncomingMessage } from 'node:http'
import pLimit from 'p-limit'
import { withTimeout } from '../clock.ts'
import { waitMsFor } from './starting.ts'
import type { AcceptEncoding } from './accept-encoding.ts'
import { readCacheFields } from './cache-fields.ts'
import { cachedCoding, cachedResponse, type Times } from './cached-response.ts'
import type { AskedUrl, CachedOrigin, CachedRepresentation } from './cached-urls.ts'
import type { OriginConnection, Subscribe } from './origin-connection.ts'
import { clientHeader } from './protocol.ts'
import type { RequestContext, responseTimes } from './request-context.ts'
import type { Kept, ResponseCache } from './response-cache.ts'

/** Maximum number of fetches for a request. A response that is removed during its fetch is fetched again. */
const maxFetches = 3

/** Number of changed representations that are fetched at the same time. */
const maxRefetches = 4

/** Larger bodies are passed on without being cached. */
export const maxBodyBytes = 8 * 1024 * 1024

/** After these statuses, the URL keeps its cached response. All others replace or remove it. */
const transient = (status: number) => status === 408 || status === 429 || status >= 500

/** A client's request, without its conditional headers. */
export type ClientRequest = {
  readonly asked: AskedUrl
  /** Address of the client, or an empty string for the front itself. */
  readonly client: string
  readonly accept: AcceptEncoding
  /** Alternating names and values, without conditional headers. */
  readonly rawHeaders: readonly string[]
  /** True if other clients may get the same response. */
  readonly isShared: boolean
  /** Reports that the client has disconnected. Undefined for the front itself. */
  readonly onLeft?: Subscribe
}

export type Answer =
  | Kept
  /** To be passed on. The body must be read or destroyed. */
  | { readonly kind: 'passed'; readonly response: IncomingMessage }
  | { readonly kind: 'failed'; readonly error: unknown }

type Fetched = Answer | { readonly kind: 'removed' }

type CachedFetchOptions = Pick<RequestContext, 'cache' | 'times' | 'clock'> & {
  readonly limits: Omit<typeof responseTimes, 'startMs' | 'healthMs' | 'statusMs'>
  /** Returns the connection to the worker while its process accepts requests. */
  readonly connection: () => Pick<OriginConnection, 'get'> | undefined
}

export type CachedFetch = {
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
export function createCachedFetch(options: CachedFetchOptions): CachedFetch {
  const { cache, times, clock, limits, connection } = options
  const { kept, current, ifError } = cache
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
      const found = current(request, false) ?? (connection() ? undefined : ifError(request))
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
        const own = kept(request)
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
    answer,
    async refetch(representations, origin) {
      const requests = representations.flatMap((changed) => requestsFor(changed, origin))
      await Promise.all(
        requests.map((request) =>
          limited(async () => {
            if (connection()) resume(await share(request).fetched)
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

type WorkerFetch = {
  /** Fetches a response, or revalidates the cached one. Never rejects. */
  readonly fetchOnce: (request: ClientRequest, onUnneeded?: Subscribe) => Promise<Fetched>
  /** Returns true if the worker has not responded to any pending fetch for `anyMs`. */
  readonly isHanging: () => boolean
}

/** Fetches responses from the worker, and caches the cacheable ones. */
function createWorkerFetch({ cache, times, limits, connection }: CachedFetchOptions): WorkerFetch {
  let fetches = 0
  /** Time since which the worker has not responded to any pending fetch. */
  let silentFrom = 0

  async function fetchOnce(request: ClientRequest, onUnneeded = request.onLeft): Promise<Fetched> {
    const { asked, client, accept, rawHeaders } = request
    using start = cache.beginFetch()
    if (fetches === 0) silentFrom = times().elapsed
    fetches += 1
    try {
      const known = cache.kept(request)?.response
      const [best] = accept.split(', ')
      // Otherwise, a better encoding may exist.
      const before = known?.coding === best ? known : undefined
      const condition = before ? ['If-None-Match', before.etag] : []
      const headersSent = [...rawHeaders, 'Accept-Encoding', accept, ...condition]
      const maxMs = request.isShared ? waitMsFor(asked.path, limits.maxMs) : undefined
      const sent = connection()?.get(client, asked.path, headersSent, maxMs, onUnneeded)
      if (!sent) throw new Error('the worker is not running')
      const response = await sent
      silentFrom = times().elapsed
      const { statusCode: status = 502, headers } = response
      const fields = readCacheFields(headers)
      const isNotModified = status === 304 && before !== undefined
      const unchanged = isNotModified ? before : undefined
      const length = isNotModified ? 0 : Number(headers['content-length'] ?? Infinity)
      const isKept = (status === 200 || isNotModified) && length <= maxBodyBytes
      const coding = isKept ? cachedCoding(response, unchanged) : undefined
      if (!fields || !coding) {
        if (!transient(status)) cache.removeUrl(asked.key)
        return isNotModified ? { kind: 'removed' } : { kind: 'passed', response }
      }
      const body = unchanged?.body ?? (await bodyOf(response, length, limits.maxMs))
      if (isNotModified) response.resume()
      const now = times()
      const made = cachedResponse(response, { body, coding }, fields, { now, before: unchanged })
      const url = cache.store(asked, accept, { fields, response: made }, start)
      if (!url) return { kind: 'removed' }
      return { kind: 'cached', url, response: url.representation.responses.get(accept) ?? made }
    } catch (error) {
      return { kind: 'failed', error }
    } finally {
      fetches -= 1
    }
  }

  const isHanging = () => fetches > 0 && times().elapsed - silentFrom >= limits.anyMs
  return { fetchOnce, isHanging }
}

/** Reads a body. Rejects if the body is cut off or not complete in time. */
function bodyOf(response: IncomingMessage, length: number, maxMs: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const body = Buffer.allocUnsafeSlow(length)
  let read = 0
  const timer = setTimeout(() => response.destroy(), maxMs)
  response.on('data', (chunk: Buffer) => {
    if (read + chunk.length > length) response.destroy(new Error('the body is too long'))
    else read += chunk.copy(body, read)
  })
  response.once('error', reject)
  response.once('end', () => read === length && resolve(body))
  response.once('close', () => {
    clearTimeout(timer)
    if (read < length) reject(new Error('the body was cut off'))
  })
  return promise
}
