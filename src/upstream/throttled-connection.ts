import type { Answer, Call, Connection } from './connection.ts'
import type { Priority, Throttle } from './throttle.ts'
import { isNeverSent } from './upstream-error.ts'

const pauseWithoutRetryAfterMs = 60_000

/** The connection with all requests, including token requests, within the call budget. */
export type ThrottledConnection = {
  /** `admit` may still reject right before the call is sent. */
  readonly request: (
    call: Call,
    priority: () => Priority,
    admit?: () => Promise<void>,
  ) => Promise<Answer>
}

export function throttledConnection(
  connection: Pick<Connection, 'request'>,
  throttle: Throttle,
): ThrottledConnection {
  return {
    async request(call, priority, admit) {
      const reservation = await throttle.reserve(priority)
      let isSent = false
      try {
        await admit?.()
        isSent = true
        const answer = await connection.request(call)
        if (isRateLimited(answer)) {
          await throttle.correct(answer.retryAfterMs ?? pauseWithoutRetryAfterMs)
        }
        return answer
      } catch (error) {
        if (!isSent || isNeverSent(error)) await reservation.release()
        throw error
      }
    },
  }
}

/** The other 429, `too_many_failures`, has nothing to do with the budget. */
function isRateLimited({ status, body }: Answer): boolean {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
  return status === 429 && code !== 'too_many_failures'
}
