import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { every, type Clock } from '../../clock.ts'
import { clientOf } from './client-limit.ts'
import type { Rejections } from './rejections.ts'
import { unavailable } from './starting.ts'

/** Slower readers are disconnected: their responses hold memory that others need. */
const minBytesPerSecond = 4 * 1024
const minSendMs = 30_000

const pollIntervalMs = 5_000

/** Each takes up to a megabyte while it is rendered, compressed and sent. */
const maxOpen = 500
/** Per client, so that none takes up all of them. */
const maxOpenOfClient = 100

const respondBusy = unavailable(
  5,
  'There is too much to do at the moment. Please try again shortly.',
)

/** Always answered: a busy process is still alive. */
const healthChecks: readonly string[] = ['/livez', '/readyz']

/** Responses that are being rendered or sent. */
export type InFlightResponses = {
  readonly add: (response: ServerResponse) => void
  /** Adds it if there is room, also for this client; else answers with 503 and returns false. */
  readonly admit: (request: IncomingMessage, response: ServerResponse, address: string) => boolean
  /** Resolves once there are none left. */
  readonly drained: () => Promise<void>
  /** Sockets that they are sent on. */
  readonly sockets: () => ReadonlySet<Socket | null>
  /** Cuts off slow readers, until the signal. */
  readonly watch: (signal: AbortSignal) => Promise<void>
}

export function createInFlightResponses(
  clock: Clock,
  rejections: Pick<Rejections, 'report'>,
  limits = { maxOpen, maxOpenOfClient },
): InFlightResponses {
  /** Responses, with the time by which each must have been received once it is complete. */
  const open = new Map<ServerResponse, number | undefined>()
  const openOfClient = new Map<string, number>()
  let over: PromiseWithResolvers<void> | undefined

  function remove(response: ServerResponse): void {
    open.delete(response)
    if (open.size === 0) over?.resolve()
  }

  function poll(): void {
    const now = clock.now()
    for (const [response, takenBy] of open) {
      if (!response.writableEnded) continue
      if (takenBy === undefined) {
        const sendMs = (response.writableLength / minBytesPerSecond) * 1000
        open.set(response, now + minSendMs + sendMs)
      } else if (now >= takenBy) {
        const { socket, writableLength: unsentBytes } = response
        rejections.report('too slow to read', { address: socket?.remoteAddress, unsentBytes })
        socket?.destroy()
      }
    }
  }

  function add(response: ServerResponse): void {
    open.set(response, undefined)
    response.once('close', () => remove(response))
  }

  function countFor(client: string, change: 1 | -1): void {
    const count = (openOfClient.get(client) ?? 0) + change
    if (count > 0) openOfClient.set(client, count)
    else openOfClient.delete(client)
  }

  return {
    add,
    admit(request, response, address) {
      if (healthChecks.includes(request.url ?? '')) {
        add(response)
        return true
      }
      const client = clientOf(address)
      const isRoom = (openOfClient.get(client) ?? 0) < limits.maxOpenOfClient
      if (isRoom && open.size < limits.maxOpen) {
        add(response)
        countFor(client, 1)
        response.once('close', () => countFor(client, -1))
        return true
      }
      rejections.report('too many open answers', { address })
      respondBusy(request, response)
      return false
    },
    drained() {
      over = Promise.withResolvers()
      if (open.size === 0) over.resolve()
      return over.promise
    },
    sockets: () => new Set([...open.keys()].map(({ socket }) => socket)),
    watch: (signal) => every(clock, pollIntervalMs, signal, poll),
  }
}
