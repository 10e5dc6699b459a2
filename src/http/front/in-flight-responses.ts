import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { every, type Clock } from '../../clock.ts'
import { healthCheckOf } from './health.ts'
import { clientOf, networkOf } from './client-address.ts'
import { createCounts } from './counts.ts'
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
/** Maximum per network, because one person can own an IPv6 network with any number of clients. */
export const maxOpenOfNetwork = 225

export const respondBusy = unavailable(5, 'The server is busy. Please try again shortly.')

/** Deadline for a client to have read the bytes written so far, and the number of bytes. */
type Deadline = { readonly at: number; readonly written: number | undefined }

type OpenResponse = {
  /** Undefined for health checks. */
  readonly client: string | undefined
  readonly network: string | undefined
  /** While the response waits for the client, the client has a deadline to read it. */
  readonly deadline?: Deadline | undefined
}

/** Returns true if everything is written, or as much as fits, until the client reads it. */
const isWaiting = ({ writableEnded, writableNeedDrain }: ServerResponse) =>
  writableEnded || writableNeedDrain

export type InFlightResponses = AsyncDisposable & {
  /** Adds a response from the cache, whose client has not read all of it at once. */
  readonly addUnsent: (response: ServerResponse, address: string) => void
  /** Adds a response that does not count until it is admitted, because of its request's body. */
  readonly addUnread: (response: ServerResponse) => void
  /** Sends 503 and returns false if the limits do not allow the response. */
  readonly admit: (request: IncomingMessage, response: ServerResponse, address: string) => boolean
  readonly drained: () => Promise<void>
  readonly sockets: () => ReadonlySet<Socket | null>
}

/**
 * Counts open responses and disconnects slow clients until disposed. If there are too many, the
 * oldest unread response of the client with the most gives way.
 */
export function createInFlightResponses(
  clock: Clock,
  rejections: Rejections,
  limits: {
    readonly maxOpen: number
    readonly maxOpenOfClient: number
    readonly maxOpenOfNetwork: number
  },
): InFlightResponses {
  const open = new Map<ServerResponse, OpenResponse>()
  /** Responses to requests whose bodies are being received. */
  const unread = new Set<ServerResponse>()
  const ofClient = createCounts()
  const ofNetwork = createCounts()
  let allSent: PromiseWithResolvers<void> | undefined
  const stopping = new AbortController()
  const watching = every(clock, pollIntervalMs, stopping.signal, poll)

  function add(response: ServerResponse, address?: string): void {
    const client = address === undefined ? undefined : clientOf(address)
    const network = address === undefined ? undefined : networkOf(address)
    const added = { client, network }
    open.set(response, added)
    unread.delete(response)
    countFor(added, 1)
    response.once('close', () => remove(response))
  }

  function remove(response: ServerResponse): void {
    const removed = open.get(response)
    if (removed && open.delete(response)) countFor(removed, -1)
    unread.delete(response)
    if (open.size + unread.size === 0) allSent?.resolve()
  }

  const countOf = (client: string | undefined) => (client === undefined ? 0 : ofClient.get(client))

  function countFor({ client, network }: OpenResponse, change: 1 | -1): void {
    if (client !== undefined) ofClient.add(client, change)
    if (network !== undefined) ofNetwork.add(network, change)
  }

  function poll(): void {
    const now = clock.now()
    for (const [response, { client, network, deadline }] of open) {
      const { socket, writableLength: unsentBytes } = response
      const written = socket?.bytesWritten
      if (!isWaiting(response)) {
        open.set(response, { client, network })
      } else if (!deadline || deadline.written !== written) {
        const sendMs = (unsentBytes / minBytesPerSecond) * 1000
        open.set(response, { client, network, deadline: { at: now + minSendMs + sendMs, written } })
      } else if (now >= deadline.at) {
        rejections.report('response read timeout', { address: socket?.remoteAddress, unsentBytes })
        socket?.destroy()
      }
    }
  }

  /**
   * Disconnects the oldest response that waits, of this client or else of the one with the most.
   * Returns false if there is none.
   */
  function makeRoom({ of, except }: { of?: string; except?: ServerResponse } = {}): boolean {
    let oldest: ServerResponse | undefined
    let most = 0
    for (const [response, { client }] of open) {
      const mayEnd = response !== except && isWaiting(response) && client === (of ?? client)
      if (!mayEnd || countOf(client) <= most) continue
      oldest = response
      most = countOf(client)
    }
    if (!oldest) return false
    const { socket } = oldest.req
    rejections.report('too many open responses', { address: socket.remoteAddress })
    remove(oldest)
    socket.destroy()
    return true
  }

  return {
    addUnsent(response, address) {
      const client = clientOf(address)
      add(response, address)
      if (countOf(client) > limits.maxOpenOfClient) makeRoom({ of: client, except: response })
      if (open.size > limits.maxOpen) makeRoom({ except: response })
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
      const mayAdd =
        ofClient.get(clientOf(address)) < limits.maxOpenOfClient &&
        ofNetwork.get(networkOf(address)) < limits.maxOpenOfNetwork
      if (mayAdd && (open.size < limits.maxOpen || makeRoom())) {
        add(response, address)
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
