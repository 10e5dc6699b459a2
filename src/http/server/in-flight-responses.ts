import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../../clock.ts'
import type { Refusals } from './rejections.ts'
import { unavailable } from './starting.ts'

/** Whoever takes an answer more slowly is cut off: it holds memory that others need. */
const slowestBytesPerSecond = 4 * 1024
const leastSendMs = 30_000

const lookMs = 5_000

/** Each takes up to a megabyte while it is made, compressed and sent. */
const maxOpen = 500

const serveBusy = unavailable(5, 'There is too much to do at the moment. Please try again shortly.')

/** Answers that are being made or sent. */
export type OpenAnswers = {
  readonly add: (response: ServerResponse) => void
  /** Adds it if there is room; else answers with 503 and returns false. */
  readonly admit: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Resolves when there are none left. */
  readonly allOver: () => Promise<void>
  /** Where they are sent. */
  readonly sockets: () => ReadonlySet<Socket | null>
  /** Cuts off slow readers, until the signal. */
  readonly watch: (signal: AbortSignal) => Promise<void>
}

export function createOpenAnswers(
  clock: Clock,
  refusals: Pick<Refusals, 'tell'>,
  limits = { maxOpen },
): OpenAnswers {
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

  function add(response: ServerResponse): void {
    open.set(response, undefined)
    response.once('close', () => remove(response))
  }

  return {
    add,
    admit(request, response) {
      if (open.size < limits.maxOpen) {
        add(response)
        return true
      }
      refusals.tell('too many open answers', { address: request.socket.remoteAddress })
      serveBusy(request, response)
      return false
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
