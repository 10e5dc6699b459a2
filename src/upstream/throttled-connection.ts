import type { Answer, Call, Connection } from './connection.ts'
import type { Priority, Throttle } from './throttle.ts'
import { isNeverSent } from './upstream-error.ts'

const pauseWithoutRetryAfterMs = 60_000

/** The connection with every request, token requests too, inside the budget of calls. */
export type ThrottledConnection = {
  readonly request: (call: Call, priority: () => Priority) => Promise<Answer>
}

export function throttledConnection(
  connection: Pick<Connection, 'request'>,
  throttle: Throttle,
): ThrottledConnection {
  return {
    async request(call, priority) {
      const reservation = await throttle.reserve(priority)
      try {
        const answer = await connection.request(call)
        if (isRateLimited(answer)) {
          await throttle.correct(answer.retryAfterMs ?? pauseWithoutRetryAfterMs)
        }
        return answer
      } catch (error) {
        if (isNeverSent(error)) await reservation.giveBack()
        throw error
      }
    },
  }
}

/** `too_many_failures` is the other 429; it says nothing of the budget. */
function isRateLimited({ status, body }: Answer): boolean {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
  return status === 429 && code !== 'too_many_failures'
}
