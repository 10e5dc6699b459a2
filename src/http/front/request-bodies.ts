import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { clientOf } from './client-address.ts'
import { respondBusy, type InFlightResponses } from './in-flight-responses.ts'
import type { Rejection, Rejections } from './rejections.ts'
import { sendText } from './starting.ts'

export const bodyLimits = {
  /** Memory for all bodies. */
  maxBytes: 64 * 1024 * 1024,
  /** Enough for two pictures, or for 64 forms. */
  maxBytesOfClient: 16 * 1024 * 1024,
  /** Minimum that each body counts as, because an unfinished request uses memory too. */
  minBytes: 256 * 1024,
  /** Time to receive a body, in addition to the time for the largest one at `bytesPerSecond`. */
  deadlineMs: 10_000,
  bytesPerSecond: 512 * 1024,
}

const respondLate: RequestListener = (_request, response) =>
  sendText(response, 408, 'The request took too long.')

export type RequestBodies = {
  /** Returns the body that has been received for a request. */
  readonly of: (request: IncomingMessage) => Buffer | undefined
  /** Makes room for a body. If there is none, answers the request and returns false. */
  readonly admit: (response: ServerResponse, address: string) => boolean
  /**
   * Receives the body of an admitted request. Resolves to its length so far if that is more than
   * `longest`, and to undefined if the request has been answered or has ended.
   */
  readonly receive: (
    response: ServerResponse,
    longest: number,
  ) => Promise<Buffer | number | undefined>
}

/** A body that takes up memory until its request has been answered. */
type Held = {
  readonly address: string
  readonly client: string
  readonly bytes: number
  readonly isComplete: boolean
}

/**
 * Receives bodies, so that workers stay free until they are complete. If there are too many,
 * drops the oldest unfinished one of the client with the most.
 */
export function createRequestBodies(
  {
    report,
    addUnread,
  }: {
    readonly report: Rejections['report']
    /** Called with each response whose request has a body. */
    readonly addUnread: InFlightResponses['addUnread']
  },
  limits = bodyLimits,
): RequestBodies {
  const { maxBytes, maxBytesOfClient, minBytes, deadlineMs, bytesPerSecond } = limits
  const held = new Map<ServerResponse, Held>()
  const bytesOf = new Map<string, number>()
  const received = new WeakMap<IncomingMessage, Buffer>()
  let total = 0

  function count(client: string, bytes: number): void {
    total += bytes
    const sum = (bytesOf.get(client) ?? 0) + bytes
    if (sum > 0) bytesOf.set(client, sum)
    else bytesOf.delete(client)
  }

  /** Reserves memory for a body. If there is none, answers the request and returns false. */
  function reserve(response: ServerResponse, length: number): boolean {
    const body = held.get(response)
    if (!body) return false
    const bytes = Math.max(minBytes, length)
    const added = bytes - body.bytes
    const fullClient = () => {
      if ((bytesOf.get(body.client) ?? 0) + added > maxBytesOfClient) return body.client
      return total + added > maxBytes ? largestClient() : undefined
    }
    for (let full = fullClient(); full !== undefined; full = fullClient()) {
      if (dropOldest(full, response)) continue
      refuse(response, 'too many bodies', respondBusy)
      return false
    }
    count(body.client, added)
    held.set(response, { ...body, bytes })
    return true
  }

  function largestClient(): string {
    const [largest] = [...bytesOf].reduce((a, b) => (b[1] > a[1] ? b : a))
    return largest
  }

  function dropOldest(client: string, except: ServerResponse): boolean {
    const oldest = held.entries().find(([response, body]) => {
      return body.client === client && !body.isComplete && response !== except
    })
    if (oldest) refuse(oldest[0], 'too many bodies', respondBusy)
    return oldest !== undefined
  }

  function release(response: ServerResponse): void {
    const body = held.get(response)
    if (body && held.delete(response)) count(body.client, -body.bytes)
  }

  /** Answers a request whose client may still be sending its body. */
  function refuse(response: ServerResponse, reason: Rejection, respond: RequestListener): void {
    report(reason, { address: held.get(response)?.address })
    release(response)
    response.shouldKeepAlive = false
    respond(response.req, response)
  }

  async function receive(response: ServerResponse, longest: number) {
    // It may have been dropped in the meantime.
    if (!held.has(response)) return undefined
    const { promise, resolve } = Promise.withResolvers<Buffer | number | undefined>()
    const { req: request } = response
    const late = () => held.has(response) && refuse(response, 'request timeout', respondLate)
    const timer = setTimeout(late, deadlineMs + (longest / bytesPerSecond) * 1000)
    let buffer = Buffer.alloc(0)
    let length = 0

    /** Discards the rest of the body. */
    function end(result: Buffer | number | undefined): void {
      clearTimeout(timer)
      request.off('data', add).off('end', complete).resume()
      resolve(result)
    }

    function add(chunk: Buffer): void {
      const needed = length + chunk.length
      if (needed > longest) return end(needed)
      if (needed > buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.min(longest, Math.max(needed, 2 * length)))
        if (!reserve(response, larger.length)) return end(undefined)
        buffer.copy(larger, 0, 0, length)
        buffer = larger
      }
      length += chunk.copy(buffer, length)
    }

    function complete(): void {
      const body = held.get(response)
      if (!body) return end(undefined)
      held.set(response, { ...body, isComplete: true })
      received.set(request, buffer.subarray(0, length))
      end(received.get(request))
    }

    request.on('data', add).on('end', complete)
    response.once('close', () => end(undefined))
    return promise
  }

  return {
    of: (request) => received.get(request),
    receive,
    admit(response, address) {
      addUnread(response)
      held.set(response, { address, client: clientOf(address), bytes: 0, isComplete: false })
      response.once('close', () => release(response))
      return reserve(response, minBytes)
    },
  }
}
