import type { IncomingMessage } from 'node:http'
import { waitMsFor } from './starting.ts'
import type { AcceptEncoding } from './accept-encoding.ts'
import { readCacheFields } from './cache-fields.ts'
import { cachedCoding, cachedResponse, type CachedResponse } from './cached-response.ts'
import type { Subscribe } from './forward.ts'
import type { RequestContext, responseTimes } from './request-context.ts'
import type { AskedUrl, CachedUrl } from './cached-urls.ts'

/** Larger bodies are passed on without being cached. */
export const maxBodyBytes = 8 * 1024 * 1024

/** After these statuses, the URL keeps its cached response. All others replace or remove it. */
export const transient = (status: number) => status === 408 || status === 429 || status >= 500

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

/** A cached response that may be sent. */
export type Kept = {
  readonly kind: 'cached'
  readonly url: CachedUrl
  readonly response: CachedResponse
}

export type Answer =
  | Kept
  /** To be passed on. The body must be read or destroyed. */
  | { readonly kind: 'passed'; readonly response: IncomingMessage }
  | { readonly kind: 'failed'; readonly error: unknown }

export type Fetched = Answer | { readonly kind: 'removed' }

export type WorkerFetchOptions = Pick<RequestContext, 'cache' | 'times'> & {
  readonly limits: Omit<typeof responseTimes, 'startMs' | 'healthMs' | 'statusMs'>
  /** Sends a GET request to the worker. Rejects if it does not respond within `maxMs`. */
  readonly fetch: (
    request: ClientRequest,
    rawHeaders: readonly string[],
    options: { readonly maxMs: number | undefined; readonly onUnneeded: Subscribe | undefined },
  ) => Promise<IncomingMessage>
}

export type WorkerFetch = {
  /** Fetches a response, or revalidates the cached one. Never rejects. */
  readonly fetchOnce: (request: ClientRequest, onUnneeded?: Subscribe) => Promise<Fetched>
  /** Returns true if the worker has not responded to any pending fetch for `anyMs`. */
  readonly isHanging: () => boolean
}

/** Fetches responses from the worker, and caches those that may be cached. */
export function createWorkerFetch(options: WorkerFetchOptions): WorkerFetch {
  const { cache, times, limits, fetch } = options
  let fetches = 0
  /** Time since which the worker has not responded to any pending fetch. */
  let silentFrom = 0

  async function fetchOnce(request: ClientRequest, onUnneeded = request.onLeft): Promise<Fetched> {
    const { asked, accept, rawHeaders } = request
    using start = cache.beginFetch()
    if (fetches === 0) silentFrom = times().elapsed
    fetches += 1
    try {
      const before = revalidated(cache.peek(asked.key), accept)
      const condition = before ? ['If-None-Match', before.etag] : []
      const headersSent = [...rawHeaders, 'Accept-Encoding', accept, ...condition]
      const maxMs = request.isShared ? waitMsFor(asked.path, limits.maxMs) : undefined
      const response = await fetch(request, headersSent, { maxMs, onUnneeded })
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

/** Returns the response to revalidate, unless a better encoding may exist. */
function revalidated(
  url: CachedUrl | undefined,
  accept: AcceptEncoding,
): CachedResponse | undefined {
  const [best] = accept.split(', ')
  const response = url?.representation.responses.get(accept)
  return response?.coding === best ? response : undefined
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
