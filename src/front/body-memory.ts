import type { ServerResponse } from 'node:http'
import { clientOf } from './client-address.ts'
import { addTo } from './counts.ts'

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
  readonly client: string
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
 * Divides the memory for bodies. If there are too many, drops the oldest unfinished one of the client
 * with the most. `drop` must release the body.
 */
export function createBodyMemory(
  { maxBytes, maxBytesOfClient, minBytes }: typeof bodyLimits,
  drop: (response: ServerResponse) => void,
): BodyMemory {
  const held = new Map<ServerResponse, Held>()
  const bytesOf = new Map<string, number>()
  let total = 0

  function count(client: string, bytes: number): void {
    total += bytes
    addTo(bytesOf, client, bytes)
  }

  function reserve(response: ServerResponse, length: number): boolean {
    const body = held.get(response)
    if (!body) return false
    const bytes = Math.max(minBytes, length)
    const added = bytes - body.bytes
    const fullClient = () => {
      if ((bytesOf.get(body.client) ?? 0) + added > maxBytesOfClient) return body.client
      return total + added > maxBytes ? largestClient() : undefined
    }
    for (let full = fullClient(); full !== undefined; full = fullClient()) {
      if (dropOldest(full, response)) continue
      drop(response)
      return false
    }
    count(body.client, added)
    held.set(response, { ...body, bytes })
    return true
  }

  function largestClient(): string {
    const [largest] = [...bytesOf].reduce((a, b) => (b[1] > a[1] ? b : a))
    return largest
  }

  function dropOldest(client: string, except: ServerResponse): boolean {
    const oldest = held.entries().find(([response, body]) => {
      return body.client === client && !body.isComplete && response !== except
    })
    if (oldest) drop(oldest[0])
    return oldest !== undefined
  }

  function release(response: ServerResponse): void {
    const body = held.get(response)
    if (body && held.delete(response)) count(body.client, -body.bytes)
  }

  return {
    has: (response) => held.has(response),
    addressOf: (response) => held.get(response)?.address,
    add(response, address) {
      held.set(response, { address, client: clientOf(address), bytes: 0, isComplete: false })
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
