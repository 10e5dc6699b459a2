import type { UpstreamResponse, Call, Transport } from './connection.ts'
import type { Priority, Throttle } from './throttle.ts'
import { isNeverSent } from './upstream-error.ts'

const pauseWithoutRetryAfterMs = 60_000

/** Connection that keeps all requests, including token requests, within the call budget. */
export type ThrottledConnection = {
  /** Calls `admit` right before sending. If it rejects, nothing is sent. */
  readonly request: (
    call: Call,
    priority: () => Priority,
    admit?: () => Promise<void>,
  ) => Promise<UpstreamResponse>
}

export function throttledConnection(
  connection: Transport,
  throttle: Throttle,
): ThrottledConnection {
  return {
    async request(call, priority, admit) {
      const reservation = await throttle.reserve(priority)
      let isSent = false
      try {
        await admit?.()
        isSent = true
        const response = await connection.request(call)
        if (isRateLimited(response)) {
          await throttle.correct(response.retryAfterMs ?? pauseWithoutRetryAfterMs)
        }
        return response
      } catch (error) {
        if (!isSent || isNeverSent(error)) await reservation.release()
        throw error
      }
    },
  }
}

/** Returns false for `too_many_failures`, which also has status 429 but is unrelated to the budget. */
function isRateLimited({ status, body }: UpstreamResponse): boolean {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
  return status === 429 && code !== 'too_many_failures'
}
