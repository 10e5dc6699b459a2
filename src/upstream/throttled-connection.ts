import type { Connection } from './connection.ts'
import type { Throttle } from './throttle.ts'

const pauseWithoutRetryAfterMs = 60_000

/** The connection with every request, token requests too, inside the budget of calls. */
export function throttledConnection(connection: Connection, throttle: Throttle): Connection {
  return {
    async request(call, signal) {
      await throttle.reserve(signal)
      const answer = await connection.request(call, signal)
      if (answer.status === 429) {
        throttle.pauseFor(answer.retryAfterMs ?? pauseWithoutRetryAfterMs)
      }
      return answer
    },
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  }
}
