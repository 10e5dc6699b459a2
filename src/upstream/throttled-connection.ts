import type { Connection } from './connection.ts'
import type { Throttle } from './throttle.ts'

const pauseWithoutRetryAfterMs = 60_000

/** The connection with every request, token requests too, inside the budget of calls. */
export function throttledConnection(
  connection: Pick<Connection, 'request'>,
  throttle: Throttle,
): Pick<Connection, 'request'> {
  return {
    async request(call) {
      await throttle.reserve()
      const answer = await connection.request(call)
      if (answer.status === 429) {
        throttle.pauseFor(answer.retryAfterMs ?? pauseWithoutRetryAfterMs)
      }
      return answer
    },
  }
}
