import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { every, type Clock } from '../clock.ts'
import { createAdmission, type OpenLimits } from './admission.ts'
import { healthCheckOf } from './health.ts'
import { createSenderCounts, senderFrom, type Sender } from './counts.ts'
import { createReadDeadlines } from './read-deadlines.ts'
import type { Rejections } from './rejections.ts'
import { unavailable } from './starting.ts'

const pollIntervalMs = 5_000

/** Limits memory: a response uses up to a megabyte while it is rendered, compressed and sent. */
export const maxOpen = 500
/** Maximum per client, so that a single client cannot exhaust the limit. */
export const maxOpenOfClient = 100
/** Maximum per network, because one person can own an IPv6 network with any number of clients. */
export const maxOpenOfNetwork = 225
/** Maximum per provider, because a client can own any number of a provider's IPv6 networks. */
export const maxOpenOfProvider = 375

export const respondBusy = unavailable(5, 'The server is busy. Please try again shortly.')

export type InFlightResponses = AsyncDisposable & {
  /** Adds a response from the cache, whose client has not read all of it at once. */
  readonly addUnsent: (response: ServerResponse, address: string) => void
  /** Adds a response that does not count until it is admitted, because of its request's body. */
  readonly addUnread: (response: ServerResponse) => void
  /**
   * Sends 503 and returns false if the limits do not allow the response. Unless the client is at
   * its own limit, a response of the client with the most may be dropped to make room.
   */
  readonly admit: (request: IncomingMessage, response: ServerResponse, address: string) => boolean
  readonly drained: () => Promise<void>
  readonly sockets: () => ReadonlySet<Socket | null>
}

/**
 * Counts open responses and disconnects slow clients until disposed. If there are too many, the oldest
 * unread response of those with the most gives way, or else their newest request that waits for the
 * worker.
 */
export function createInFlightResponses(
  clock: Clock,
  rejections: Rejections,
  limits: OpenLimits,
): InFlightResponses {
  /** Responses with their clients, or undefined for health checks. */
  const open = new Map<ServerResponse, Sender | undefined>()
  const isOverdue = createReadDeadlines()
  /** Responses to requests whose bodies are being received. */
  const unread = new Set<ServerResponse>()
  const counts = createSenderCounts()
  let allSent: PromiseWithResolvers<void> | undefined
  const stopping = new AbortController()
  const watching = every(clock, pollIntervalMs, stopping.signal, poll)

  function add(response: ServerResponse, sender?: Sender): void {
    open.set(response, sender)
    unread.delete(response)
    if (sender) counts.add(sender, 1)
    response.once('close', () => remove(response))
  }

  function remove(response: ServerResponse): void {
    const sender = open.get(response)
    if (open.delete(response) && sender) counts.add(sender, -1)
    unread.delete(response)
    if (open.size + unread.size === 0) allSent?.resolve()
  }

  function poll(): void {
    const now = clock.now()
    for (const response of open.keys()) {
      if (!isOverdue(response, now)) continue
      const { socket, writableLength: unsentBytes } = response
      rejections.report('response read timeout', { address: socket?.remoteAddress, unsentBytes })
      socket?.destroy()
    }
  }

  function drop(response: ServerResponse, end: (response: ServerResponse) => void): void {
    rejections.report('too many open responses', { address: open.get(response)?.client })
    remove(response)
    end(response)
  }

  const { hasRoomFor, dropUnread } = createAdmission({
    open,
    counts,
    limits,
    dropReading: (response) => drop(response, ({ req }) => req.socket.destroy()),
    dropWaiting: (response) => drop(response, endWaiting),
  })

  return {
    addUnsent(response, address) {
      const sender = senderFrom(address)
      add(response, sender)
      if (counts.ofClient(sender) > limits.maxOpenOfClient) {
        dropUnread(({ client }, other) => client === sender.client && other !== response)
      }
      if (open.size > limits.maxOpen) dropUnread((_sender, other) => other !== response)
    },
    addUnread(response) {
      unread.add(response)
      response.once('close', () => remove(response))
    },
    admit(request, response, address) {
      // A busy process is still healthy.
      if (healthCheckOf(request)) {
        add(response)
        return true
      }
      const sender = senderFrom(address)
      if (hasRoomFor(sender)) {
        add(response, sender)
        return true
      }
      rejections.report('too many open responses', { address })
      respondBusy(request, response)
      return false
    },
    drained() {
      allSent = Promise.withResolvers()
      if (open.size + unread.size === 0) allSent.resolve()
      return allSent.promise
    },
    sockets: () => new Set([...open.keys(), ...unread].map(({ socket }) => socket)),
    [Symbol.asyncDispose]() {
      stopping.abort()
      return watching
    },
  }
}

/** Answers a request that waits for the worker with 503. */
function endWaiting(response: ServerResponse): void {
  respondBusy(response.req, response)
  // Until a response has been sent, its request waits for the worker.
  if (!response.socket || response.writableLength > 0) response.req.socket.destroy()
}
