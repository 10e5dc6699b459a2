import type {
  Agent,
  ClientRequest,
  IncomingMessage,
  RequestOptions,
  ServerResponse,
} from 'node:http'
import { Agent as HttpAgent, request as sendRequest } from '../node-http.ts'
import { createSenderCounts, senderFrom, type Sender } from './counts.ts'

/**
 * Maximum number of requests that wait for a worker's response. Clients share these places, and
 * other requests wait for one. Responses that are being read do not count, because some clients read
 * slowly.
 */
export const maxRequests = 128

/**
 * Fraction of the places that a provider may take. Each additional provider may take the same
 * fraction of the rest, so that a client that owns thousands of networks can't take all of them.
 */
export const placesOfProvider = 3 / 4

export const agentOptions = { keepAlive: true }

/** Maximum time that a request keeps its place after its client has disconnected. */
const maxAbandonedMs = 60_000

/** Registers a function to be called at most once. */
export type Subscribe = (listener: () => void) => void

/** A worker or host that responds to requests. */
export type OriginConnection = {
  /**
   * Sends a GET request for a client. Rejects if there is no response within `maxMs`, unless that is
   * undefined. Also rejects if all clients disconnect before the request has been sent, which
   * `onUnneeded` reports.
   */
  readonly get: (
    client: string,
    path: string,
    rawHeaders: readonly string[],
    maxMs: number | undefined,
    onUnneeded?: Subscribe,
  ) => Promise<IncomingMessage>
  /** Forwards a client's request, with these headers and body, until the client disconnects. */
  readonly forward: (
    client: string,
    response: ServerResponse,
    rawHeaders: readonly string[],
    body: Buffer | undefined,
  ) => Promise<IncomingMessage>
  readonly close: () => void
}

export function connectToWorker(socketPath: string): OriginConnection {
  const agent = new HttpAgent(agentOptions)
  return connectWith(agent, maxRequests, (options) =>
    sendRequest({ ...options, socketPath, agent }),
  )
}

/** Clients share the places. `send` opens a request, through the agent. */
export function connectWith(
  agent: Agent,
  places: number,
  send: (options: RequestOptions) => ClientRequest,
): OriginConnection {
  const shares = createShares(places)

  /** Sends a request as soon as the client has a place. Canceling it rejects `received`. */
  function sendTo(
    client: string,
    options: RequestOptions & { readonly headers: readonly string[] },
    body?: Buffer,
  ) {
    const { promise: received, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    let sent: ClientRequest | undefined
    let answer: IncomingMessage | undefined
    let isCanceled = false
    const stopWaiting = shares.enter(client, (leave) => {
      sent = send({ ...options, setHost: false })
      sent.on('error', reject)
      sent.once('close', () => {
        leave()
        // After a response with status 101, there is no error.
        if (!answer) reject(new Error('the connection was closed'))
      })
      sent.once('response', (response) => {
        leave()
        answer = response
        if (isCanceled) response.resume()
        else resolve(response)
      })
      sent.end(body)
    })
    const cancel = (error: Error) => {
      isCanceled = true
      stopWaiting()
      reject(error)
      if (answer) return void answer.destroy()
      // The worker handles the request anyway. If it lost its place, clients that disconnect could
      // make the worker handle an unlimited number of requests at once.
      const timer = sent && setTimeout(() => sent?.destroy(), maxAbandonedMs)
      sent?.once('close', () => clearTimeout(timer))
    }
    return { received, cancel, stopWaiting }
  }

  return {
    get(client, path, headers, maxMs, onUnneeded) {
      const { received, cancel, stopWaiting } = sendTo(client, { method: 'GET', path, headers })
      onUnneeded?.(() => stopWaiting() && cancel(disconnected()))
      if (maxMs === undefined) return received
      const late = () => cancel(new Error('the worker did not respond in time'))
      const timer = setTimeout(late, maxMs)
      const stop = () => clearTimeout(timer)
      received.then(stop, stop)
      return received
    },
    forward(client, response, rawHeaders, body) {
      const { method = 'GET', url: path = '' } = response.req
      if (response.destroyed) return Promise.reject(disconnected())
      // Without the length, Node would send the body of a GET as it is, and the worker would read
      // it as another request.
      const length = body ? ['Content-Length', String(body.length)] : []
      const options = { method, path, headers: [...rawHeaders, ...length] }
      const { received, cancel } = sendTo(client, options, body)
      response.once('close', () => cancel(disconnected()))
      return received
    },
    close: () => agent.destroy(),
  }
}

const disconnected = () => new Error('the client has disconnected')

type Entry = { readonly sender: Sender; readonly begin: (leave: () => void) => void }

type Shares = {
  /**
   * Calls `begin` once there is a place, with a function that gives the place back. Returns a
   * function that stops the wait. It returns false if `begin` has already been called.
   */
  readonly enter: (address: string, begin: Entry['begin']) => () => boolean
}

/**
 * Divides places among networks. Each gets another place only while it has fewer than are free, so
 * that a few networks can't take all of them. A network, which one person can own, gets at most
 * half of the places, and its clients divide that half in the same way. The networks of a provider
 * get at most `placesOfProvider` in the same way. The other requests wait in order.
 */
export function createShares(places: number): Shares {
  const counts = createSenderCounts()
  const waiting = new Set<Entry>()
  let free = places

  function mayEnter({ sender }: Entry): boolean {
    const taken = counts.ofNetwork(sender)
    const ofProvider = counts.ofProvider(sender)
    return (
      taken < free &&
      ofProvider < (ofProvider + free) * placesOfProvider &&
      counts.ofClient(sender) < places / 2 - taken
    )
  }

  function start(entry: Entry): void {
    change(entry, 1)
    let isInside = true
    entry.begin(() => {
      if (isInside) leave(entry)
      isInside = false
    })
  }

  function change({ sender }: Entry, by: 1 | -1): void {
    free -= by
    counts.add(sender, by)
  }

  function leave(left: Entry): void {
    change(left, -1)
    for (const entry of waiting) {
      if (free === 0) return
      if (mayEnter(entry) && waiting.delete(entry)) start(entry)
    }
  }

  return {
    enter(address, begin) {
      const entry = { sender: senderFrom(address), begin }
      if (mayEnter(entry)) start(entry)
      else waiting.add(entry)
      return () => waiting.delete(entry)
    },
  }
}
