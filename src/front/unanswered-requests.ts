import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { isCacheable } from './front-listener.ts'
import type { WorkerHealth } from './health.ts'
import { HeadersTooLarge } from './host-connection.ts'
import { isForReaders, respondStarting, sendText, unavailable, waitMsFor } from './starting.ts'

/** Maximum time until the front notices that a process has exited. */
const retryMs = 100

const respondRestarting = unavailable(2, 'Feedhouse is restarting. Please try again shortly.')
const respondBusy = unavailable(5, 'Feedhouse is busy. Please try again shortly.')

const respondTooLarge: RequestListener = (_request, response) =>
  sendText(response, 431, 'The request headers are too large.')

/** Some response headers repeat the request's URL. */
const isTooLarge = (error: unknown) =>
  error instanceof HeadersTooLarge ||
  (error as NodeJS.ErrnoException).code === 'HPE_HEADER_OVERFLOW'

/** Returns the response to a request that failed although the worker is running. */
export function responseTo(error: unknown): RequestListener {
  return isTooLarge(error) ? respondTooLarge : respondBusy
}

export type UnansweredRequests = {
  /** Holds a request until the worker has started. */
  readonly wait: RequestListener
  /** Answers a request that has failed, or sends it to the worker's next process. */
  readonly failed: (request: IncomingMessage, response: ServerResponse, error: unknown) => void
  /** Responds that the worker is starting or restarting. */
  readonly respond: RequestListener
  readonly serving: () => void
  /** Forwards the requests that are waiting, and all that would wait later. */
  readonly left: (passTo: RequestListener) => void
  /** Answers the requests that are waiting for the worker to start, or forwards them. */
  readonly stopWaiting: (respond?: RequestListener) => void
}

/** Requests to which the worker has not responded, because it is starting, has exited or is busy. */
export function createUnansweredRequests(
  startMs: number,
  health: WorkerHealth,
  isServing: () => boolean,
  sendToWorker: RequestListener,
): UnansweredRequests {
  const waiting = new Set<(listener: RequestListener) => void>()
  const retried = new WeakSet<IncomingMessage>()
  let unanswered: RequestListener = respondStarting
  let successor: RequestListener | undefined

  function wait(request: IncomingMessage, response: ServerResponse): void {
    if (successor) return successor(request, response)
    const settle = (respond: RequestListener) => {
      clearTimeout(timer)
      if (waiting.delete(settle) && !response.destroyed) respond(request, response)
    }
    const timer = setTimeout(() => settle(unanswered), waitMsFor(request.url ?? '', startMs))
    waiting.add(settle)
    response.once('close', () => settle(unanswered))
  }

  function stopWaiting(respond = unanswered): void {
    // A forwarded request may wait again.
    const before = [...waiting]
    for (const settle of before) settle(respond)
  }

  return {
    wait,
    failed(request, response, error) {
      const { code } = error as NodeJS.ErrnoException
      // The process has exited, and another one will start.
      const isGone = code === 'ECONNREFUSED' || code === 'ENOENT' || !isServing()
      if (response.destroyed) return
      if (response.headersSent) return void response.destroy()
      if (health.respond(request, response)) return
      if (isTooLarge(error)) return respondTooLarge(request, response)
      if (isGone && isCacheable(request)) return wait(request, response)
      // The process exited while it was responding. The next process answers feed readers, but not
      // other requests, because one of them may have caused the exit.
      const isRetried = isForReaders(request.url ?? '') && !retried.has(request)
      if (code === 'ECONNRESET' && isCacheable(request) && isRetried) {
        retried.add(request)
        return void setTimeout(() => sendToWorker(request, response), retryMs)
      }
      const respond = isServing() && code === undefined ? respondBusy : unanswered
      respond(request, response)
    },
    respond: (request, response) => unanswered(request, response),
    serving() {
      unanswered = respondRestarting
      stopWaiting(sendToWorker)
    },
    left(passTo) {
      successor = passTo
      stopWaiting(passTo)
    },
    stopWaiting,
  }
}
