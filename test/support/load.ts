import { setTimeout } from 'node:timers/promises'
import { atTestEnd } from './test-end.ts'

/** Without pauses, clients would use up the CPU time that the service needs. */
const pauseMs = 10

/**
 * Sends requests one at a time until it is stopped or the test ends. `ask` gets the number of the
 * request, and resolves to the status of the response. Returns a function that stops the requests
 * and resolves to all statuses.
 */
export function startLoad(
  ask: (turn: number) => Promise<number>,
): () => Promise<ReadonlySet<number>> {
  const stopping = new AbortController()
  atTestEnd(() => stopping.abort())
  async function askRepeatedly() {
    const statuses = new Set<number>()
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      statuses.add(await ask(turn))
      await setTimeout(pauseMs)
    }
    return statuses
  }
  const asking = askRepeatedly()
  return () => {
    stopping.abort()
    return asking
  }
}
