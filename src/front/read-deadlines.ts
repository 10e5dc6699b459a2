import type { ServerResponse } from 'node:http'

/** Slower clients are disconnected, because a pending response holds memory. */
export const minBytesPerSecond = 4 * 1024
export const minSendMs = 30_000

/** Deadline for a client to have read the bytes written so far, and the number of bytes. */
type Deadline = { readonly at: number; readonly written: number | undefined }

/** Returns true if everything is written, or as much as fits, until the client reads it. */
export const isWaiting = ({ writableEnded, writableNeedDrain }: ServerResponse) =>
  writableEnded || writableNeedDrain

/**
 * Returns a function that detects clients that read their response too slowly. While a response
 * waits for its client, the client has a deadline for reading what has been written.
 */
export function createReadDeadlines(): (response: ServerResponse, now: number) => boolean {
  const deadlines = new WeakMap<ServerResponse, Deadline>()
  return (response, now) => {
    if (!isWaiting(response)) {
      deadlines.delete(response)
      return false
    }
    const { socket, writableLength: unsentBytes } = response
    const written = socket?.bytesWritten
    const deadline = deadlines.get(response)
    if (deadline && deadline.written === written) return now >= deadline.at
    const sendMs = (unsentBytes / minBytesPerSecond) * 1000
    deadlines.set(response, { at: now + minSendMs + sendMs, written })
    return false
  }
}
