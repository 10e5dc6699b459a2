import type { IncomingMessage } from 'node:http'
import pLimit from 'p-limit'
import { withTimeout } from '../../clock.ts'
import { waitMsFor } from './starting.ts'
import type { AcceptEncoding } from './accept-encoding.ts'
import { readCacheFields } from './cache-fields.ts'
import { cachedResponse, timeUntil, type CachedResponse } from './cached-response.ts'
import { clientHeader } from './protocol.ts'
import type { RequestContext, responseTimes } from './request-context.ts'
import type { AskedUrl, CachedOrigin, CachedRepresentation, CachedUrl } from './cached-urls.ts'

/** Larger bodies are passed on without being cached. */
export const maxBodyBytes = 8 * 1024 * 1024

/** Maximum number of fetches for a request. A response that is removed during its fetch is fetched again. */
const maxFetches = 3

/** Number of changed representations that are fetched at the same time. */
const maxRefetches = 4

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
  /** Aborted if the client disconnects. Undefined for the front itself. */
  readonly left?: AbortSignal
}

export type Answer =
  | { readonly kind: 'cached'; readonly url: CachedUrl; readonly response: CachedResponse }
  /** To be passed on. The body must be read or destroyed. */
  | { readonly kind: 'passed'; readonly response: IncomingMessage }
  | { readonly kind: 'failed'; readonly error: unknown }

type Fetched = Answer | { readonly kind: 'removed' }

type PendingFetch = {
  readonly fetched: Promise<Fetched>
  /** Start time, on the clock that never jumps. */
  readonly since: number
  /** Aborted when all clients that wait for the response have disconnected. */
  readonly unneeded: AbortController
  clients: number
}

type Kept = Extract<Answer, { kind: 'cached' }>

/** Answers requests from the cache, and fills it from the worker. */
export function createCachedFetch(
  options: Pick<RequestContext, 'cache' | 'times' | 'clock'> & {
    readonly limits: Omit<typeof responseTimes, 'startMs' | 'healthMs' | 'statusMs'>
    /** True while the worker's process accepts requests. */
    readonly isServing: () => boolean
    /** Sends a GET request to the worker. Rejects if it does not respond within `maxMs`. */
    readonly fetch: (
      request: ClientRequest,
      rawHeaders: readonly string[],
      options: { readonly maxMs: number | undefined; readonly unneeded: AbortSignal | undefined },
    ) => Promise<IncomingMessage>
  },
) {
  const { cache, times, clock, limits, isServing, fetch } = options
  const pending = new Map<string, PendingFetch>()
  const limited = pLimit(maxRefetches)
  let fetches = 0
  /** Time since which the worker has not responded to any pending fetch. */
  let silentFrom = 0
  const isHanging = () => fetches > 0 && times().elapsed - silentFrom >= limits.anyMs

  function kept(key: string, accept: AcceptEncoding): Kept | undefined {
    const url = cache.peek(key)
    const response = url?.representation.responses.get(accept)
    return url && response && { kind: 'cached', url, response }
  }

  /** Returns true if a response is outdated by at most `staleMs`. */
  const isWithin = ({ freshUntil }: CachedResponse, staleMs: number) =>
    timeUntil(freshUntil, times()) > -staleMs

  /** Returns a cached response that may be sent now. If `isSlow`, it may be stale. */
  function current({ asked: { key }, accept }: ClientRequest, isSlow: boolean): Kept | undefined {
    const found = kept(key, accept)
    const staleMs = isSlow ? (found?.response.staleWhileRevalidateMs ?? 0) : 0
    return found && isWithin(found.response, staleMs) ? found : undefined
  }

  /** Returns a response that may be sent without the worker, even if it was fetched for other encodings. */
  function keptForError(key: string, accept: AcceptEncoding): Kept | undefined {
    const url = cache.peek(key)
    if (!url) return undefined
    const { responses } = url.representation
    const codings = [...accept.split(', '), 'identity']
    const response = [responses.get(accept), ...responses.values()].find(
      (each) => each && codings.includes(each.coding) && isWithin(each, each.staleIfErrorMs),
    )
    return response && { kind: 'cached', url, response }
  }

  const ifError = ({ asked: { key }, accept }: ClientRequest) => keptForError(key, accept)

  async function fetchOnce(request: ClientRequest, unneeded = request.left): Promise<Fetched> {
    const { asked, accept, rawHeaders } = request
    using start = cache.beginFetch()
    if (fetches === 0) silentFrom = times().elapsed
    fetches += 1
    try {
      const before = revalidated(kept(asked.key, accept), accept)
      const condition = before ? ['If-None-Match', before.etag] : []
      const headersSent = [...rawHeaders, 'Accept-Encoding', accept, ...condition]
      const maxMs = request.isShared ? waitMsFor(asked.path, limits.maxMs) : undefined
      const response = await fetch(request, headersSent, { maxMs, unneeded })
      silentFrom = times().elapsed
      const { statusCode: status = 502, headers } = response
      const fields = readCacheFields(headers)
      const isNotModified = status === 304 && before !== undefined
      const unchanged = isNotModified ? before : undefined
      const keep = (body: Buffer) =>
        fields && cachedResponse(response, body, fields, { now: times(), before: unchanged })
      const length = isNotModified ? 0 : Number(headers['content-length'] ?? Infinity)
      const isKept = (status === 200 || isNotModified) && length <= maxBodyBytes
      if (!fields || !isKept || !keep(Buffer.alloc(0))) {
        if (!transient(status)) cache.removeUrl(asked.key)
        return isNotModified ? { kind: 'removed' } : { kind: 'passed', response }
      }
      const made = keep(isNotModified ? before.body : await bodyOf(response, length, limits.maxMs))
      if (isNotModified) response.resume()
      const url = made && cache.store(asked, accept, { fields, response: made }, start)
      if (!url) return { kind: 'removed' }
      return { kind: 'cached', url, response: url.representation.responses.get(accept) ?? made }
    } catch (error) {
      return { kind: 'failed', error }
    } finally {
      fetches -= 1
    }
  }

  /** Fetches a response once for all clients that are waiting for it. */
  function share(request: ClientRequest) {
    const { asked, accept } = request
    const known = cache.peek(asked.key)?.representation
    const id = `${accept}\n${known ? `${known.site.name}\n${known.name}` : asked.key}`
    const shared = pending.get(id)
    if (shared && !shared.unneeded.signal.aborted)
      return { ...waitFor(shared, request), isOwn: false }
    const unneeded = new AbortController()
    const fetched = fetchOnce(request, unneeded.signal).finally(() => {
      if (pending.get(id) === own) pending.delete(id)
    })
    const own: PendingFetch = { fetched, since: times().elapsed, unneeded, clients: 0 }
    pending.set(id, own)
    return { ...waitFor(own, request), isOwn: true }
  }

  function waitFor(shared: PendingFetch, { left }: ClientRequest): PendingFetch {
    shared.clients += 1
    const leave = () => {
      shared.clients -= 1
      if (shared.clients === 0) shared.unneeded.abort()
    }
    left?.addEventListener('abort', leave, { once: true })
    return shared
  }

  /** Resolves to an outdated response instead if the worker is slow. */
  async function orStale(
    { fetched, since }: Pick<PendingFetch, 'fetched' | 'since'>,
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
    const error = new Error('the worker did not respond in time')
    return within(maxMs, () => ({ kind: 'failed' as const, error }))
  }

  /** Resolves to an outdated response if the worker is slow. Never rejects. */
  async function answer(request: ClientRequest): Promise<Answer> {
    const { key } = request.asked
    for (let count = 0; count < maxFetches; count += 1) {
      const found = current(request, false) ?? (isServing() ? undefined : ifError(request))
      if (found) return found
      const isShared = request.isShared && count === 0
      const { isOwn, ...started } = isShared
        ? share(request)
        : { fetched: fetchOnce(request), since: times().elapsed, isOwn: true }
      const { fetched } = started
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

  /**
   * Fetches changed representations from their site's current origin, so that the next requests do
   * not wait for them.
   */
  async function refetch(
    representations: readonly CachedRepresentation[],
    origin: CachedOrigin,
  ): Promise<void> {
    const requests = representations.flatMap(({ urls, responses }) => {
      const [url] = urls
      if (!url) return []
      const asked = { ...url, origin }
      const rawHeaders = ['Host', asked.host, clientHeader, '']
      const common = { asked, client: '', rawHeaders, isShared: true }
      return [...responses.keys()].map((accept) => ({ ...common, accept }))
    })
    await Promise.all(
      requests.map((request) =>
        limited(async () => {
          if (isServing()) resume(await share(request).fetched)
        }),
      ),
    )
  }

  /** Returns true if there is a response that may be sent while the worker is down. */
  const isKept = (key: string, accept: AcceptEncoding) => keptForError(key, accept) !== undefined
  return { isKept, answer, refetch }
}

function resume(fetched: Fetched): void {
  if (fetched.kind === 'passed') fetched.response.resume()
}

/** Returns the response to revalidate, unless a better encoding may exist. */
function revalidated(found: Kept | undefined, accept: AcceptEncoding): CachedResponse | undefined {
  const [best] = accept.split(', ')
  return found && found.response.coding === best ? found.response : undefined
}

/** Reads a body. Rejects if the body is cut off or not complete in time. */
async function bodyOf(response: IncomingMessage, length: number, maxMs: number): Promise<Buffer> {
  const body = Buffer.allocUnsafeSlow(length)
  let read = 0
  const timer = setTimeout(() => response.destroy(), maxMs)
  try {
    for await (const chunk of response) {
      if (read + chunk.length > length) throw new Error('the body is too long')
      chunk.copy(body, read)
      read += chunk.length
    }
  } finally {
    clearTimeout(timer)
  }
  if (read < length) throw new Error('the body was cut off')
  return body
}
