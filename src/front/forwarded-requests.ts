import type { IncomingMessage, ServerResponse } from 'node:http'
import { bodyLimits } from './body-memory.ts'
import {
  forwardedHeaders,
  hasBody,
  headersFromHost,
  headersToAsk,
  passOn,
  readableBytes,
} from './forward.ts'
import type { OriginConnection } from './origin-connection.ts'
import { healthCheckOf, type WorkerHealth } from './health.ts'
import type { RequestContext } from './request-context.ts'
import { responseTo, type UnansweredRequests } from './unanswered-requests.ts'

export type ForwardedRequests = {
  readonly forward: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** Forwards a request from another host, which decides how long it waits. */
  readonly answerHost: (
    request: IncomingMessage,
    response: ServerResponse,
    client: string,
  ) => Promise<void>
}

/** Forwards requests to the worker, with bodies only once they are complete. */
export function createForwardedRequests(
  { limits, bodies, admit, addressOf }: RequestContext,
  {
    health,
    unanswered,
    connection,
    pass,
  }: {
    readonly health: WorkerHealth
    readonly unanswered: UnansweredRequests
    /** Returns the connection to the worker while it is running. */
    readonly connection: () => OriginConnection | undefined
    /** Sends a response from the worker to the client. */
    readonly pass: (
      request: IncomingMessage,
      response: ServerResponse,
      received: IncomingMessage,
    ) => void
  },
): ForwardedRequests {
  /** Resolves to the worker's response instead if the worker does not read the body. */
  async function receiveBody(
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
  ): Promise<IncomingMessage | undefined> {
    const ask = (length: number) =>
      connection()?.forward(address, response, headersToAsk(request, length), undefined)
    const answer = await ask(Number(request.headers['content-length'] ?? 0))
    if (!answer) return undefined
    const longest = readableBytes(answer)
    if (longest === undefined) {
      // Node would treat whatever such a client sends next as the body.
      if ('expect' in request.headers) response.shouldKeepAlive = false
      return answer
    }
    answer.resume()
    const received = await bodies.receive(response, longest)
    return typeof received === 'number' ? ask(received) : undefined
  }

  return {
    async forward(request, response) {
      const timer = setTimeout(
        () => void health.respond(request, response),
        healthCheckOf(request) === 'status' ? limits.statusMs : limits.healthMs,
      )
      try {
        const address = addressOf(request)
        const isUnread = hasBody(request) && !bodies.of(request)
        const refusal = isUnread ? await receiveBody(request, response, address) : undefined
        const hasEnded = response.writableEnded || response.destroyed
        if (hasEnded || (isUnread && connection() && !admit(response, address))) {
          return void refusal?.destroy()
        }
        const body = bodies.of(request)
        const send = () => connection()?.forward(address, response, forwardedHeaders(request), body)
        const received = refusal ?? (await send())
        if (!received) return unanswered.wait(request, response)
        if (response.headersSent) received.resume()
        else pass(request, response, received)
      } catch (error) {
        if (!response.writableEnded) unanswered.failed(request, response, error)
      } finally {
        clearTimeout(timer)
      }
    },
    async answerHost(request, response, client) {
      try {
        if (hasBody(request)) {
          const body = await bodies.receive(response, bodyLimits.maxBytesOfClient)
          if (!Buffer.isBuffer(body) || !admit(response, client)) return
        }
        const headers = headersFromHost(request)
        const body = bodies.of(request)
        const received = await connection()?.forward(client, response, headers, body)
        if (received) passOn(request, response, received, { isToHost: true })
        else unanswered.respond(request, response)
      } catch (error) {
        if (!response.headersSent) responseTo(error)(request, response)
      }
    },
  }
}
