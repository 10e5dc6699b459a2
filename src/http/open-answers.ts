import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../clock.ts'
import type { Refusals } from './refusals.ts'

/** Whoever takes an answer more slowly is cut off: it holds memory that others need. */
const slowestBytesPerSecond = 4 * 1024
const leastSendMs = 30_000

const lookMs = 5_000

/** Answers that are being made or sent. */
export type OpenAnswers = {
  readonly add: (response: ServerResponse) => void
  /** Resolves when there are none left. */
  readonly allOver: () => Promise<void>
  /** Where they are sent. */
  readonly sockets: () => ReadonlySet<Socket | null>
  /** Cuts off slow readers, until the signal. */
  readonly watch: (signal: AbortSignal) => Promise<void>
}

export function createOpenAnswers(clock: Clock, refusals: Pick<Refusals, 'tell'>): OpenAnswers {
  /** With the time by which each has to be taken, once all of it is there. */
  const open = new Map<ServerResponse, number | undefined>()
  let over: PromiseWithResolvers<void> | undefined

  function remove(response: ServerResponse): void {
    open.delete(response)
    if (open.size === 0) over?.resolve()
  }

  function look(): void {
    const now = clock.now()
    for (const [response, takenBy] of open) {
      if (!response.writableEnded) continue
      if (takenBy === undefined) {
        const sendMs = (response.writableLength / slowestBytesPerSecond) * 1000
        open.set(response, now + leastSendMs + sendMs)
      } else if (now >= takenBy) {
        const { socket, writableLength: unsentBytes } = response
        refusals.tell('too slow to read', { address: socket?.remoteAddress, unsentBytes })
        socket?.destroy()
      }
    }
  }

  return {
    add(response) {
      open.set(response, undefined)
      response.once('close', () => remove(response))
    },
    allOver() {
      over = Promise.withResolvers()
      if (open.size === 0) over.resolve()
      return over.promise
    },
    sockets: () => new Set([...open.keys()].map(({ socket }) => socket)),
    async watch(signal) {
      while (!signal.aborted) {
        look()
        await clock.sleep(lookMs, signal).catch(() => undefined)
      }
    },
  }
}
