import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { bodyLimits, createBodyMemory } from './body-memory.ts'
import { respondBusy, type InFlightResponses } from './in-flight-responses.ts'
import type { Rejection, Rejections } from './rejections.ts'
import { sendText } from './starting.ts'

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
  const { minBytes, deadlineMs, bytesPerSecond } = limits
  const memory = createBodyMemory(limits, (response) =>
    refuse(response, 'too many bodies', respondBusy),
  )
  const received = new WeakMap<IncomingMessage, Buffer>()

  /** Answers a request whose client may still be sending its body. */
  function refuse(response: ServerResponse, reason: Rejection, respond: RequestListener): void {
    report(reason, { address: memory.addressOf(response) })
    memory.release(response)
    response.shouldKeepAlive = false
    respond(response.req, response)
  }

  async function receive(response: ServerResponse, longest: number) {
    // It may have been dropped in the meantime.
    if (!memory.has(response)) return undefined
    const { promise, resolve } = Promise.withResolvers<Buffer | number | undefined>()
    const { req: request } = response
    const late = () => memory.has(response) && refuse(response, 'request timeout', respondLate)
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
        if (!memory.reserve(response, larger.length)) return end(undefined)
        buffer.copy(larger, 0, 0, length)
        buffer = larger
      }
      length += chunk.copy(buffer, length)
    }

    function complete(): void {
      if (!memory.complete(response)) return end(undefined)
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
      memory.add(response, address)
      response.once('close', () => memory.release(response))
      return memory.reserve(response, minBytes)
    },
  }
}
