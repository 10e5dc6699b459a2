import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { every, type Clock } from '../../clock.ts'
import { healthCheckOf } from '../front/health.ts'
import { clientOf } from './client-limit.ts'
import type { Rejections } from './rejections.ts'
import { unavailable } from './starting.ts'

/** Slower clients are disconnected, because a pending response holds memory. */
export const minBytesPerSecond = 4 * 1024
export const minSendMs = 30_000

const pollIntervalMs = 5_000

/** Limits memory: a response uses up to a megabyte while it is rendered, compressed and sent. */
export const maxOpen = 500
/** Maximum per client, so that a single client cannot exhaust the limit. */
export const maxOpenOfClient = 100

export const respondBusy = unavailable(5, 'The server is busy. Please try again shortly.')

/** Deadline for a client to have read the bytes written so far, and the number of bytes. */
type Deadline = { readonly at: number; readonly written: number | undefined }

export type InFlightResponses = ReturnType<typeof createInFlightResponses>

/** Counts open responses and disconnects slow clients until disposed. */
export function createInFlightResponses(
  clock: Clock,
  rejections: Rejections,
  limits: { readonly maxOpen: number; readonly maxOpenOfClient: number },
) {
  /** Open responses. While a response waits for the client, the client has a deadline to read it. */
  const open = new Map<ServerResponse, Deadline | undefined>()
  /** Responses to requests whose bodies are being received. */
  const unread = new Set<ServerResponse>()
  const openOfClient = new Map<string, number>()
  let allSent: PromiseWithResolvers<void> | undefined
  const stopping = new AbortController()
  const watching = every(clock, pollIntervalMs, stopping.signal, poll)

  function remove(response: ServerResponse): void {
    open.delete(response)
    unread.delete(response)
    if (open.size + unread.size === 0) allSent?.resolve()
  }

  function poll(): void {
    const now = clock.now()
    for (const [response, deadline] of open) {
      const { socket, writableLength: unsentBytes } = response
      const written = socket?.bytesWritten
      // An unfinished response is waiting for the client only if its buffer is full.
      if (!response.writableEnded && !response.writableNeedDrain) {
        open.set(response, undefined)
      } else if (!deadline || deadline.written !== written) {
        const sendMs = (unsentBytes / minBytesPerSecond) * 1000
        open.set(response, { at: now + minSendMs + sendMs, written })
      } else if (now >= deadline.at) {
        rejections.report('response read timeout', { address: socket?.remoteAddress, unsentBytes })
        socket?.destroy()
      }
    }
  }

  function add(response: ServerResponse): void {
    open.set(response, undefined)
    unread.delete(response)
    response.once('close', () => remove(response))
  }

  function countFor(client: string, change: 1 | -1): void {
    const count = (openOfClient.get(client) ?? 0) + change
    if (count > 0) openOfClient.set(client, count)
    else openOfClient.delete(client)
  }

  return {
    add,
    /** Adds a response that does not count until it is admitted, because of its request's body. */
    addUnread(response: ServerResponse): void {
      unread.add(response)
      response.once('close', () => remove(response))
    },
    /**
     * Adds a response and returns true if the limits allow it. Otherwise, sends 503 and returns
     * false.
     */
    admit(request: IncomingMessage, response: ServerResponse, address: string): boolean {
      // A busy process is still healthy.
      if (healthCheckOf(request)) {
        add(response)
        return true
      }
      const client = clientOf(address)
      const hasRoom = (openOfClient.get(client) ?? 0) < limits.maxOpenOfClient
      if (hasRoom && open.size < limits.maxOpen) {
        add(response)
        countFor(client, 1)
        response.once('close', () => countFor(client, -1))
        return true
      }
      rejections.report('too many open responses', { address })
      respondBusy(request, response)
      return false
    },
    drained(): Promise<void> {
      allSent = Promise.withResolvers()
      if (open.size + unread.size === 0) allSent.resolve()
      return allSent.promise
    },
    sockets: (): ReadonlySet<Socket | null> =>
      new Set([...open.keys(), ...unread].map(({ socket }) => socket)),
    [Symbol.asyncDispose](): Promise<void> {
      stopping.abort()
      return watching
    },
  }
}
