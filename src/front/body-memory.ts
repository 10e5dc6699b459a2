import type { ServerResponse } from 'node:http'
import { createSenderCounts, isLighter, senderFrom, type Sender } from './counts.ts'

export const bodyLimits = {
  /** Memory for all bodies. */
  maxBytes: 64 * 1024 * 1024,
  /** Enough for two pictures, or for 64 forms. */
  maxBytesOfClient: 16 * 1024 * 1024,
  /** Minimum that each body counts as, because an unfinished request uses memory too. */
  minBytes: 256 * 1024,
  /** Time to receive a body, in addition to the time for the largest one at `bytesPerSecond`. */
  deadlineMs: 10_000,
  bytesPerSecond: 512 * 1024,
}

/** A body that takes up memory until its request has been answered. */
type Held = {
  readonly address: string
  readonly sender: Sender
  readonly bytes: number
  readonly isComplete: boolean
}

export type BodyMemory = {
  readonly has: (response: ServerResponse) => boolean
  readonly addressOf: (response: ServerResponse) => string | undefined
  readonly add: (response: ServerResponse, address: string) => void
  /** Reserves memory for a body of this length. If there is none, drops it and returns false. */
  readonly reserve: (response: ServerResponse, length: number) => boolean
  /** Marks a body as complete, so that it is not dropped. Returns false if it has been. */
  readonly complete: (response: ServerResponse) => boolean
  readonly release: (response: ServerResponse) => void
}

/**
 * Divides the memory for bodies. If there is too little, drops the oldest unfinished body of the
 * provider with the most, and of its network and client with the most, because one person can own any
 * number of clients and networks. `drop` must release the body.
 */
export function createBodyMemory(
  { maxBytes, maxBytesOfClient, minBytes }: typeof bodyLimits,
  drop: (response: ServerResponse) => void,
): BodyMemory {
  const held = new Map<ServerResponse, Held>()
  const bytesOf = createSenderCounts()
  let total = 0

  function count({ sender }: Held, bytes: number): void {
    total += bytes
    bytesOf.add(sender, bytes)
  }

  function reserve(response: ServerResponse, length: number): boolean {
    const body = held.get(response)
    if (!body) return false
    const bytes = Math.max(minBytes, length)
    const added = bytes - body.bytes
    let full = fullClient(body, added)
    for (; full !== undefined; full = fullClient(body, added)) {
      if (dropOldest(full, response)) continue
      drop(response)
      return false
    }
    count(body, added)
    held.set(response, { ...body, bytes })
    return true
  }

  /** If there is no memory for more bytes of a body, returns the client whose bodies give way. */
  function fullClient({ sender }: Held, added: number): string | undefined {
    if (bytesOf.ofClient(sender) + added > maxBytesOfClient) return sender.client
    return total + added > maxBytes ? largestSender().client : undefined
  }

  function largestSender(): Sender {
    const senders = [...held.values()].map((body) => body.sender)
    return senders.reduce((a, b) => (isLighter(bytesOf.weightOf(a), bytesOf.weightOf(b)) ? b : a))
  }

  function dropOldest(client: string, except: ServerResponse): boolean {
    const oldest = held.entries().find(([response, body]) => {
      return body.sender.client === client && !body.isComplete && response !== except
    })
    if (oldest) drop(oldest[0])
    return oldest !== undefined
  }

  function release(response: ServerResponse): void {
    const body = held.get(response)
    if (body && held.delete(response)) count(body, -body.bytes)
  }

  return {
    has: (response) => held.has(response),
    addressOf: (response) => held.get(response)?.address,
    add(response, address) {
      held.set(response, { address, sender: senderFrom(address), bytes: 0, isComplete: false })
    },
    reserve,
    complete(response) {
      const body = held.get(response)
      if (body) held.set(response, { ...body, isComplete: true })
      return body !== undefined
    },
    release,
  }
}
