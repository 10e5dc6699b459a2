import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { countStarts } from './json-counts.ts'

/** Maximum number of 1xx responses before a response. Handling thousands takes a long time. */
const maxInformational = 10

/**
 * Maximum number of chunks in which a server sends a body (RFC 9112 7.1). One-byte chunks take a
 * thousand times as long as a few large ones, and fill the memory.
 */
export const maxChunks = 20_000

/** Start of a body that is too large, which is enough to find out what it is. */
const maxBeginningBytes = 64 * 1024

/** Thrown when a body is too large to receive or to parse. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'
  readonly beginning: string

  constructor(body: Buffer) {
    super('The response is too large')
    this.beginning = body.toString('utf8', 0, maxBeginningBytes)
  }
}

export type ResponseLimits = {
  readonly maxBodyBytes: number
  /** Maximum number of objects and lists. */
  readonly maxThings?: number
}

export type Received = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

export type Exchange = {
  /** Rejects with a `BodyTooLarge`, the reason of `abort`, or an error from undici. */
  readonly received: Promise<Received>
  /** If no connection has been made yet, this waits until it has been, or has failed. */
  readonly abort: (reason: Error) => void
}

/**
 * Sends a request and receives its whole response. Needs fewer objects than undici's own `request`,
 * which returns a stream.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { maxBodyBytes, maxThings = Infinity }: ResponseLimits,
): Exchange {
  const { promise: received, resolve, reject } = Promise.withResolvers<Received>()
  const chunks: Buffer[] = []
  let controller: Dispatcher.DispatchController | undefined
  let reason: Error | undefined
  let status = 0
  let headers: IncomingHttpHeaders = {}
  let informational = 0
  let bytes = 0
  let things = 0
  dispatcher.dispatch(request, {
    onRequestStart(started) {
      controller = started
      if (reason) started.abort(reason)
    },
    onResponseStart(_controller, code, fields) {
      status = code
      headers = fields
      if (code < 200) informational += 1
      if (informational > maxInformational) throw new Error('too many 1xx responses')
    },
    onResponseData(_controller, chunk) {
      chunks.push(chunk)
      bytes += chunk.length
      if (maxThings < Infinity) things += countStarts(chunk, maxThings)
      const declaredBytes = Number(headers['content-length'] ?? 0)
      const isTooLarge = Math.max(bytes, declaredBytes) > maxBodyBytes
      const isBeginningKnown = bytes >= Math.min(maxBeginningBytes, maxBodyBytes)
      const isCostly = things > maxThings || chunks.length > maxChunks
      if (isCostly || (isTooLarge && isBeginningKnown)) {
        throw new BodyTooLarge(Buffer.concat(chunks))
      }
    },
    onResponseEnd: () => resolve({ status, headers, bytes: Buffer.concat(chunks) }),
    onResponseError: (_controller, error) => reject(error),
  })
  return {
    received,
    abort(given) {
      reason = given
      controller?.abort(given)
    },
  }
}
