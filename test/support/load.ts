import { setTimeout } from 'node:timers/promises'
import { atTestEnd } from './test-end.ts'

/** Without pauses, clients would use up the CPU time that the service needs. */
const pauseMs = 10

/**
 * Sends requests one at a time until it is stopped or the test ends. `ask` gets the number of the
 * request, and resolves to what it got, such as the status of the response. Returns a function
 * that stops the requests and resolves to everything that they got.
 */
export function startLoad<T>(ask: (turn: number) => Promise<T>): () => Promise<ReadonlySet<T>> {
  const stopping = new AbortController()
  atTestEnd(() => stopping.abort())
  async function askRepeatedly() {
    const all = new Set<T>()
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      all.add(await ask(turn))
      await setTimeout(pauseMs)
    }
    return all
  }
  const asking = askRepeatedly()
  return () => {
    stopping.abort()
    return asking
  }
}
